//! The check that this tool changes the database that the server reads.
//!
//! Two URLs can name one database in different words: another host name, a socket, a standby. So the check compares what
//! the servers say. The system identifier is unique to a cluster, and the cluster's standbys have the same one; the
//! object identifier is unique to a database in its cluster.

use passbook_store::{ConnectionSettings, DatabaseAddress};
use tokio_postgres::Client;

use super::{Findings, clients};
use crate::database::{ADMIN_URL, READER_URL, connect, connect_embedded, is_absent};
use crate::error::CommandError;
use crate::settings::DatabaseLocation;

/// The subject of the findings.
const SUBJECT: &str = "admin";

/// The identity of a database.
#[derive(Debug, PartialEq, Eq)]
struct Identity {
    system_identifier: i64,
    database_oid: u32,
}

impl Identity {
    async fn read(client: &Client) -> Result<Identity, CommandError> {
        let query = "select control.system_identifier, databases.oid from pg_control_system() as control, pg_database \
                     as databases where databases.datname = current_database()";
        let row = client.query_one(query, &[]).await?;
        Ok(Identity { system_identifier: row.get(0), database_oid: row.get(1) })
    }
}

/// Examines the database of this tool, and compares it with the database that the server reads through `reader`. A reader
/// that cannot connect has a finding already, and nothing is compared.
pub(super) async fn examine(
    location: &DatabaseLocation,
    reader: &ConnectionSettings,
    findings: &mut Findings,
) {
    let served = match connect(READER_URL, &reader.clone().to_any_host()).await {
        Ok(client) => Some(Identity::read(&client).await),
        Err(_) => None,
    };
    match location {
        DatabaseLocation::External(config) => examine_external(config, reader, served, findings).await,
        DatabaseLocation::Embedded(config) => examine_embedded(config, reader, served, findings).await,
    }
}

async fn examine_external(
    config: &ConnectionSettings,
    reader: &ConnectionSettings,
    served: Option<Result<Identity, CommandError>>,
    findings: &mut Findings,
) {
    let client = match connect(ADMIN_URL, config).await {
        Ok(client) => client,
        Err(error) => return findings.broken(SUBJECT, error.lines().join("; ")),
    };
    clients::examine(&client, findings).await;
    let Some(served) = served else { return };
    let administered = Identity::read(&client).await;
    let (ours, theirs) = (name(config), name(reader));
    match (administered, served) {
        (Ok(ours_id), Ok(theirs_id)) if ours_id == theirs_id => {
            findings.ok(SUBJECT, format!("{ADMIN_URL} names the database of the server, {ours}"));
        }
        (Ok(_), Ok(_)) => findings.broken(
            SUBJECT,
            format!(
                "{ADMIN_URL} names {ours}, and {READER_URL} names {theirs}: these are different databases; set both to \
                 the same one"
            ),
        ),
        (Err(error), _) | (_, Err(error)) => findings.warning(
            SUBJECT,
            format!(
                "it is unknown whether {ours} and {theirs} are the same database: {}",
                error.lines().join("; ")
            ),
        ),
    }
}

/// Warns if commands of this tool would use an embedded database that the server does not read.
async fn examine_embedded(
    config: &passbook_embedded::EmbeddedConfig,
    reader: &ConnectionSettings,
    served: Option<Result<Identity, CommandError>>,
    findings: &mut Findings,
) {
    if is_absent(config) {
        return;
    }
    if let Ok(Some(address)) = passbook_embedded::running_in(&config.data_dir).await
        && let Ok(client) = connect_embedded(&address, passbook_embedded::SUPERUSER).await
        && let (Ok(ours), Some(Ok(served))) = (Identity::read(&client).await, served)
        && ours == served
    {
        return;
    }
    findings.warning(
        SUBJECT,
        format!(
            "{ADMIN_URL} is not set, so the commands of passbook-admin use the embedded database in {}, and not the {} \
             of {READER_URL}: set {ADMIN_URL} to that database",
            config.data_dir.display(),
            name(reader)
        ),
    );
}

/// The name of a database with its host, without role and password.
fn name(settings: &ConnectionSettings) -> String {
    let address = DatabaseAddress::of(settings.config());
    format!("database \"{}\" on {}", address.database(), address.hosts())
}
