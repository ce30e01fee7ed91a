//! Columns of a result row by name. The row comes from PostgreSQL or from a unit test.

use std::error::Error as StdError;

use tokio_postgres::types::{FromSql, Type};

/// The binary value of one column with its SQL type.
pub(crate) struct Cell<'a> {
    pub(crate) r#type: &'a Type,
    /// The value as bytes; `None` if the column is null.
    pub(crate) bytes: Option<&'a [u8]>,
}

/// The bytes of a value of any type.
struct Encoded<'a>(&'a [u8]);

impl<'a> FromSql<'a> for Encoded<'a> {
    fn from_sql(_type: &Type, bytes: &'a [u8]) -> Result<Encoded<'a>, Box<dyn StdError + Sync + Send>> {
        Ok(Encoded(bytes))
    }

    fn accepts(_type: &Type) -> bool {
        true
    }
}

/// The columns of one result row.
pub(crate) enum Record {
    Database(tokio_postgres::Row),
    /// Columns that a unit test has created without a database.
    #[cfg(test)]
    Fixture(Vec<EncodedColumn>),
}

/// A column as PostgreSQL sends it. The field `bytes` is `None` if the column is null.
#[cfg(test)]
#[derive(Clone, Debug)]
pub(crate) struct EncodedColumn {
    pub(crate) name: &'static str,
    pub(crate) r#type: Type,
    pub(crate) bytes: Option<Vec<u8>>,
}

impl Record {
    /// Returns the position of the column with this name; `None` if the row has no such column. `expected` is the
    /// position at which the column probably is.
    pub(crate) fn position(&self, column: &str, expected: usize) -> Option<usize> {
        match self {
            Record::Database(row) => {
                let columns = row.columns();
                let is_expected = columns.get(expected).is_some_and(|known| known.name() == column);
                if is_expected {
                    Some(expected)
                } else {
                    columns.iter().position(|known| known.name() == column)
                }
            }
            #[cfg(test)]
            Record::Fixture(columns) => columns.iter().position(|known| known.name == column),
        }
    }

    /// Returns the value of the column at this position.
    ///
    /// # Errors
    /// If the row has no column at this position.
    pub(crate) fn cell(&self, position: usize) -> Result<Cell<'_>, Box<dyn StdError + Send + Sync>> {
        match self {
            Record::Database(row) => {
                let bytes = row.try_get::<_, Option<Encoded<'_>>>(position)?.map(|Encoded(bytes)| bytes);
                Ok(Cell { r#type: row.columns()[position].type_(), bytes })
            }
            #[cfg(test)]
            Record::Fixture(columns) => {
                let found = columns.get(position).ok_or("missing column")?;
                Ok(Cell { r#type: &found.r#type, bytes: found.bytes.as_deref() })
            }
        }
    }
}

impl From<tokio_postgres::Row> for Record {
    fn from(row: tokio_postgres::Row) -> Record {
        Record::Database(row)
    }
}
