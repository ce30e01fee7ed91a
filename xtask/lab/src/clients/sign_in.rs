//! Signs in with third-party OAuth clients at a third-party identity provider: from the protected-resource metadata over
//! `/oauth/authorize`, consent, code and token to data over REST and MCP.
//!
//! Each client signs in at each setting, which is an issuer mode of the service with one of two provider shapes. The
//! outcome must be the one in [`matrix`], and `docs/oauth.md` must show the same. The suite also checks the
//! requests that reach the provider, the access of a dashboard's owner and of another user, revocation, narrowed
//! consent, step-up, the dashboard of the server itself, also in a browser, and a new signing key.

mod access;
mod browser_journey;
mod comparison;
mod consent;
mod household;
mod journeys;
mod matrix;
mod own_dashboard;
mod page;
mod programs;
mod provider;
mod provider_requests;
mod rotation;
mod servers;
mod signed_in_client;

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
    let mut servers = Servers::start(&programs, &household)?;
    let outcomes = journeys::run(&programs, &household, &servers)?;
    print_line(&page::tables(&outcomes));
    let problems = [
        comparison::differences(&outcomes),
        provider_requests::faults(&household.provider_requests()?, &outcomes),
        access::faults(&programs, &household, &servers)?,
        consent::faults(&programs, &household, &servers)?,
        own_dashboard::faults(&programs, &household, &servers)?,
        browser_journey::faults(context, &household, &servers)?,
        rotation::faults(&programs, &household, &mut servers)?,
        page::differences(context.root)?,
    ]
    .concat();
    let stopped = servers.stop();
    for problem in &problems {
        print_line(problem);
    }
    match problems.len() {
        0 => stopped,
        count => Err(format!("{count} differences from the expected outcomes")),
    }
}
