//! Sign-in by OAuth clients that others wrote, at an identity provider that others wrote: from the metadata of the
//! resource through `/oauth/authorize`, consent, code and token to data over REST and over the tool endpoint.
//!
//! Each client signs in at each setting: an issuer mode of the service beside a provider of one of two shapes. What
//! comes of it must be what [`matrix`] expects, and `docs/oauth-clients.md` must show exactly that. Besides: what reaches
//! the provider, whom a client serves, and that a revoked client is refused at the next request.

mod access;
mod comparison;
mod household;
mod journeys;
mod matrix;
mod page;
mod programs;
mod provider;
mod provider_requests;
mod servers;

use household::Household;
use programs::Programs;
use servers::Servers;

use super::suite::SuiteContext;
use crate::command::{create_folder, print_line};

pub(super) fn run(context: &SuiteContext<'_>) -> Result<(), String> {
    let folder = context.work.join("sign-in");
    create_folder(&folder)?;
    let programs = Programs::install(context, &folder)?;
    let household = Household::new(context, &folder)?;
    let servers = Servers::start(&programs, &household)?;
    let outcomes = journeys::run(&programs, &household, &servers)?;
    print_line(&page::tables(&outcomes));
    let problems = [
        comparison::differences(&outcomes),
        provider_requests::faults(&household.seen()?, &outcomes),
        access::faults(&programs, &household, &servers)?,
        page::differences(context.root)?,
    ]
    .concat();
    let stopped = servers.stop();
    for problem in &problems {
        print_line(problem);
    }
    match problems.len() {
        0 => stopped,
        count => Err(format!("{count} differences from what is expected")),
    }
}
