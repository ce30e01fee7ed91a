//! `load`: loads a bundle.

use passbook_ingest::load::{Permission, credential_rules};
use tokio_postgres::Client;

use super::{input, remedies};
use crate::arguments::BundleLoad;
use crate::error::CommandError;

/// Loads all records of a bundle, or none if any has a fault.
pub(super) async fn load_bundle(client: &mut Client, wanted: &BundleLoad) -> Result<(), CommandError> {
    let records = passbook_records::bundle::read(input::open(&wanted.file)?, credential_rules());
    let permission = Permission { credentials: wanted.with_credentials, people: &wanted.users };
    let loaded = input::load_permitted(client, records, permission, wanted.rehearsal).await;
    loaded.map_err(|error| error.map_faults(remedies::name_remedy_of_bundle))
}
