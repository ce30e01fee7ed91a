//! `load`: loads a bundle.

use std::path::Path;

use tokio_postgres::Client;

use super::input;
use crate::arguments::Rehearsal;
use crate::error::CommandError;

/// Loads all records of a bundle, or none if any has a fault.
pub(super) async fn load_bundle(
    client: &mut Client,
    file: &Path,
    rehearsal: Rehearsal,
) -> Result<(), CommandError> {
    let records = formats::bundle::read(input::open(file)?);
    input::load(client, records, None, rehearsal).await
}
