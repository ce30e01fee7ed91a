//! Result rows for unit tests, made without a database.

use std::error::Error as StdError;

use bytes::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type};

use crate::error::Error;
use crate::row::{EncodedColumn, Record};

/// A result row whose columns a unit test sets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fixture {
    columns: Vec<EncodedColumn>,
}

impl Fixture {
    pub(crate) fn new() -> Fixture {
        Fixture::default()
    }

    /// Adds or replaces the column `name`, encoded as PostgreSQL sends it.
    pub(crate) fn with(self, name: &'static str, r#type: &Type, value: impl ToSql) -> Fixture {
        let mut bytes = BytesMut::new();
        let encoded = value.to_sql(r#type, &mut bytes).expect("the value fits the type");
        let bytes = matches!(encoded, IsNull::No).then(|| bytes.to_vec());
        let mut fixture = self.without(name);
        fixture.columns.push(EncodedColumn { name, r#type: r#type.clone(), bytes });
        fixture
    }

    /// Adds or replaces the column `name` with these bytes as its value.
    pub(crate) fn with_bytes(self, name: &'static str, r#type: &Type, bytes: &[u8]) -> Fixture {
        let mut fixture = self.without(name);
        fixture.columns.push(EncodedColumn { name, r#type: r#type.clone(), bytes: Some(bytes.to_vec()) });
        fixture
    }

    /// Removes the column `name`.
    pub(crate) fn without(mut self, name: &str) -> Fixture {
        self.columns.retain(|column| column.name != name);
        self
    }
}

impl From<Fixture> for Record {
    fn from(fixture: Fixture) -> Record {
        Record::Fixture(fixture.columns)
    }
}

/// Returns the query and column of an inconsistency, as `query.column`, and the message of its cause.
pub(crate) fn fault(error: &Error) -> (String, String) {
    let Error::Inconsistent { query, column, source } = error else { panic!("{error}") };
    assert!(error.to_string().contains(&format!("{query}.{column}")), "{error}");
    let mut cause: &(dyn StdError + 'static) = source.as_ref();
    let mut text = cause.to_string();
    while let Some(next) = cause.source() {
        text = format!("{text}: {next}");
        cause = next;
    }
    (format!("{query}.{column}"), text)
}
