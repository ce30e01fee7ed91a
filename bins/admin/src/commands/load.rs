//! Loads a bundle.

use std::path::Path;

use tokio_postgres::Client;

use super::source;
use crate::arguments::Rehearsal;
use crate::exit::Failure;

pub(super) async fn load(client: &mut Client, file: &Path, rehearsal: Rehearsal) -> Result<(), Failure> {
    let records = formats::bundle::read(source::open(file)?);
    source::store(client, records, None, rehearsal).await
}
