//! `load`: loads a bundle.

use std::path::Path;

use ingest::load::credential_rules;
use tokio_postgres::Client;

use super::{input, remedies};
use crate::arguments::Rehearsal;
use crate::error::CommandError;

/// Loads all records of a bundle, or none if any has a fault.
pub(super) async fn load_bundle(
    client: &mut Client,
    file: &Path,
    rehearsal: Rehearsal,
) -> Result<(), CommandError> {
    let records = formats::bundle::read(input::open(file)?, credential_rules());
    let loaded = input::load(client, records, None, rehearsal).await;
    loaded.map_err(|error| error.map_faults(remedies::name_remedy_of_deletion))
}
