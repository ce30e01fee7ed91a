//! The only crate that writes rows: loads the records of a source in one transaction, and administers people, accounts,
//! tokens, OAuth clients, consents and sessions. Imports the files of banks and other apps (feature
//! `imports`). Also finds imported ledgers, writes backups of all rows, restores them, and checks derived data.
//!
//! ```no_run
//! use passbook_ingest::load::{LoadError, Options, load};
//! use passbook_records::ecb_rates;
//!
//! # async fn example(mut client: tokio_postgres::Client) -> Result<(), Box<dyn std::error::Error>> {
//! let rates = ecb_rates::read(std::fs::File::open("rates.csv")?);
//! match load(&mut client, rates, Options::default()).await {
//!     Err(LoadError::Faults(faults)) => println!("{} faults, nothing is stored", faults.len()),
//!     other => drop(other?),
//! }
//! # Ok(())
//! # }
//! ```

use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, GenericClient, Row};

use load::LoadError;

/// Declares a struct with the function that reads it from a row: each field is the column of the same name.
macro_rules! from_row {
    ($(#[$attribute:meta])* $visibility:vis struct $name:ident {
        $($(#[$field_attribute:meta])* $field_visibility:vis $field:ident: $type:ty,)*
    }) => {
        $(#[$attribute])*
        $visibility struct $name {
            $($(#[$field_attribute])* $field_visibility $field: $type,)*
        }

        impl crate::FromRow for $name {
            fn from_row(row: &tokio_postgres::Row) -> Result<$name, tokio_postgres::Error> {
                Ok($name { $($field: row.try_get(stringify!($field))?,)* })
            }
        }
    };
}

/// A struct that is read from a row.
trait FromRow: Sized {
    fn from_row(row: &Row) -> Result<Self, Error>;
}

/// Executes a query, and returns its rows.
async fn select<T: FromRow>(
    client: &impl GenericClient,
    query: &str,
    parameters: &[&(dyn ToSql + Sync)],
) -> Result<Vec<T>, LoadError> {
    let rows = client.query(query, parameters).await?;
    Ok(rows.iter().map(T::from_row).collect::<Result<_, _>>()?)
}

/// Returns a count in a column of a row.
fn count(row: &Row, column: usize) -> u64 {
    u64::try_from(row.get::<_, i64>(column)).expect("a count is never negative")
}

pub mod accounts;
pub mod backup;
pub mod budgets;
pub mod clients;
pub mod consents;
pub mod derived;
#[cfg(feature = "imports")]
pub mod import;
pub mod labels;
pub mod ledgers;
pub mod load;
pub mod people;
pub mod redirect_uri;
pub mod sessions;
pub mod tokens;

/// The result of a revocation. In all cases but [`Revocation::Unknown`], the credential is rejected from the next
/// request on. A second revocation does not change the time of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revocation {
    /// The credential was revoked by this call.
    Done,
    /// The credential was revoked by this call; the consent or session had not been recorded before.
    Unrecorded,
    /// The credential had been revoked before.
    Already,
    /// There is no such token, client, consent or session.
    Unknown,
}
