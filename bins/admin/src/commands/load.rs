//! Loads a bundle.

use std::path::Path;

use ingest::load::Absent;
use tokio_postgres::Client;

use super::source;
use crate::arguments::Rehearsal;
use crate::exit::Failure;

pub(super) async fn load(client: &mut Client, file: &Path, rehearsal: Rehearsal) -> Result<(), Failure> {
    let records = ingest::bundle::read(source::open(file)?);
    source::store(client, records, Absent::Keep, rehearsal).await
}
