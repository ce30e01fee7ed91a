//! The value of one column in a staging row, borrowed from its record.

use bytes::BytesMut;
use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use uuid::Uuid;

/// The value of a column, in one of the supported types. `Null` is valid for every type.
#[derive(Debug)]
pub(super) enum Cell<'a> {
    Null,
    Uuid(Uuid),
    Text(&'a str),
    Texts(Vec<&'a str>),
    Flag(bool),
    Number(i64),
    Decimal(Decimal),
    Day(Date),
    Moment(Timestamp),
    Bytes(&'a [u8]),
}

impl ToSql for Cell<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Cell::Null => Ok(IsNull::Yes),
            Cell::Uuid(value) => value.to_sql_checked(ty, out),
            Cell::Text(value) => value.to_sql_checked(ty, out),
            Cell::Texts(value) => value.to_sql_checked(ty, out),
            Cell::Flag(value) => value.to_sql_checked(ty, out),
            Cell::Number(value) => value.to_sql_checked(ty, out),
            Cell::Decimal(value) => value.to_sql_checked(ty, out),
            Cell::Day(value) => value.to_sql_checked(ty, out),
            Cell::Moment(value) => value.to_sql_checked(ty, out),
            Cell::Bytes(value) => value.to_sql_checked(ty, out),
        }
    }

    /// Accepts every type: each variant checks the type when it is written.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(value: &'a str) -> Self {
        Cell::Text(value)
    }
}

impl<'a> From<&'a String> for Cell<'a> {
    fn from(value: &'a String) -> Self {
        Cell::Text(value)
    }
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Cell::Null, Into::into)
    }
}

/// Implements the conversions to `Cell` that only choose a variant.
macro_rules! cell_from {
    ($($from:ty => $variant:ident),+ $(,)?) => {
        $(impl<'a> From<$from> for Cell<'a> {
            fn from(value: $from) -> Self {
                Cell::$variant(value)
            }
        })+
    };
}

cell_from!(Uuid => Uuid, Vec<&'a str> => Texts, bool => Flag, i64 => Number, Decimal => Decimal, Date => Day,
    Timestamp => Moment, &'a [u8] => Bytes);
