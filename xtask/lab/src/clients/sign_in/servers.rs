//! Starts one server per setting, all on one database: the first server runs the database, the others connect to it.

use std::path::{Path, PathBuf};

use super::household::Household;
use super::matrix::{SCOPED, SETTINGS, Setting, Shape};
use super::programs::Programs;
use super::provider::Provider;
use crate::command::{print_line, read};
use crate::server::Server;

/// The value of the setting for accepted audiences: the audiences in the tokens of both providers.
const AUDIENCES: &str = "authenticated,urn:passbook";

/// The data scopes that the scoped provider knows.
const REQUESTABLE: &str = "transactions:read,spending:read,portfolio:read";

#[derive(Debug)]
pub(super) struct Servers {
    /// The running servers with their settings, in the order of their start.
    running: Vec<(&'static Setting, Server)>,
    providers: [Provider; 3],
}

impl Servers {
    /// Starts providers and servers, and loads the data.
    pub(super) fn start(programs: &Programs, household: &Household) -> Result<Servers, String> {
        print_line("starting three identity providers, and a server for each setting");
        let provider = |shape: Shape| {
            Provider::start(
                programs,
                shape,
                &household.provider_plan(shape),
                &household.file("provider-requests.jsonl"),
            )
        };
        let [strict, supabase, scoped] = Shape::ALL.map(provider);
        let providers = [strict?, supabase?, scoped?];
        let mut servers = Servers { running: Vec::new(), providers };
        for setting in SETTINGS.iter().chain([&SCOPED]) {
            let mut environment = household.environment().to_vec();
            environment.extend(sign_in(setting, servers.issuer(setting)));
            if !servers.running.is_empty() {
                environment.push(("PASSBOOK_DATABASE_URL", database(&household.data())?.into()));
            }
            servers.running.push((setting, Server::start(household.server(), &[], &environment)?));
            if servers.running.len() == 1 {
                household.load()?;
            }
        }
        Ok(servers)
    }

    /// Returns the base address of the server that runs with a setting.
    pub(super) fn base(&self, setting: &str) -> Result<&str, String> {
        let found = self.running.iter().find(|(of, _)| of.name == setting);
        found.map(|(_, server)| server.base()).ok_or(format!("no server has the setting {setting}"))
    }

    /// Returns the issuer of a setting's provider.
    pub(super) fn issuer(&self, setting: &Setting) -> &str {
        self.providers[setting.shape as usize].issuer()
    }

    /// Replaces the signing key of a setting's provider by another one with the same key identifier.
    pub(super) fn rotate_key(&mut self, setting: &Setting) -> Result<(), String> {
        self.providers[setting.shape as usize].rotate_key()
    }

    /// Stops all servers. The server that runs the database is stopped last.
    pub(super) fn stop(self) -> Result<(), String> {
        self.running.into_iter().rev().try_for_each(|(_, server)| server.stop())
    }
}

fn sign_in(setting: &Setting, issuer: &str) -> [(&'static str, PathBuf); 7] {
    let requestable = if setting.shape == Shape::Scoped { REQUESTABLE } else { "" };
    [
        ("PASSBOOK_OIDC_ISSUER", issuer.into()),
        ("PASSBOOK_DASHBOARD_CLIENT_ID", super::household::OWN_DASHBOARD.into()),
        ("PASSBOOK_OIDC_AUDIENCE", AUDIENCES.into()),
        ("PASSBOOK_OAUTH_MODE", setting.mode.into()),
        ("PASSBOOK_OAUTH_STRIP_SCOPES", setting.strip.into()),
        ("PASSBOOK_OAUTH_REQUESTABLE_SCOPES", requestable.into()),
        ("PASSBOOK_DATABASE_CONNECTIONS", "2".into()),
    ]
}

/// Returns the URL of the first server's database. The port and the folder of the socket come from the server's address
/// file.
fn database(data: &Path) -> Result<String, String> {
    let record = read(&data.join("postgres/address"))?;
    let (port, folder) =
        record.split_once('\n').ok_or("the address file of the database has only one line")?;
    let folder: String = folder.bytes().map(|byte| format!("%{byte:02X}")).collect();
    Ok(format!("postgresql://passbook_reader@{folder}:{port}/passbook"))
}
