//! `rates load`: loads exchange rates.

use std::path::Path;

use tokio_postgres::Client;

use super::input;
use crate::arguments::Rehearsal;
use crate::error::CommandError;

/// Loads all rates of a file of the European Central Bank, or none if any has a fault.
pub(super) async fn load(client: &mut Client, file: &Path, rehearsal: Rehearsal) -> Result<(), CommandError> {
    let records = passbook_records::ecb_rates::read(input::open(file)?);
    input::load(client, records, None, rehearsal).await
}
