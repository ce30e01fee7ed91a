//! The description of a table, and a record as a row of a table: the values in the order of the columns.

use bytes::BytesMut;
use jiff::Timestamp;
use jiff::civil::Date;
use passbook_records::record::{Deleted, NamedId};
use rust_decimal::Decimal;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use uuid::Uuid;

/// A table that records are loaded into. All texts are `'static`: SQL statements consist of these constants only, so
/// input can never become SQL.
#[derive(Debug)]
pub(super) struct Table {
    /// Name of the array of a bundle that has the rows.
    pub(super) name: &'static str,
    /// The columns of the primary key.
    pub(super) key: &'static [Column],
    /// The columns that are not part of the primary key.
    pub(super) values: &'static [Column],
    /// The columns that are stored in other tables.
    pub(super) elsewhere: &'static [Column],
    /// The primary key in words of the input, for messages, such as "user and id".
    pub(super) identity: &'static str,
    /// The references to rows of other tables.
    pub(super) references: &'static [Reference],
}

impl Table {
    /// Returns the name of the table in the schema `passbook`.
    pub(super) fn relation(&self) -> &'static str {
        relation(self.name)
    }
}

/// Returns the name of the table in the schema `passbook` that has the rows of an array of a bundle.
pub(super) fn relation(array: &str) -> &str {
    match array {
        "rate_base" => "base_currency",
        "banks" => "bank_connections",
        "wallet_holdings" => "wallet_quantities",
        same => same,
    }
}

/// A column and its type.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) sql_type: Type,
}

/// A reference to a row of another table.
#[derive(Debug)]
pub(super) struct Reference {
    /// Field of the input that contains the reference. It is the last part of a fault's place.
    pub(super) field: &'static str,
    /// Name of the table that contains the referenced row.
    pub(super) table: &'static str,
    /// Pairs of column names: a column of this table, and the column of the referenced table that must be equal.
    pub(super) columns: &'static [(&'static str, &'static str)],
    /// Text of the rule, as a clause of a fault.
    pub(super) rule: &'static str,
}

impl Table {
    /// Returns the columns that are stored in the table.
    pub(super) fn stored_columns(&self) -> impl Iterator<Item = &'static Column> + Clone {
        self.key.iter().chain(self.values.iter())
    }

    /// Returns all columns, in the order in which values are sent.
    pub(super) fn columns(&self) -> impl Iterator<Item = &'static Column> + Clone {
        self.stored_columns().chain(self.elsewhere.iter())
    }

    /// Returns the columns of the primary key that contain an identifier of this table or of a referenced table.
    pub(super) fn identifiers(&self) -> impl Iterator<Item = &'static Column> + Clone {
        self.key.iter().filter(|column| column.sql_type == Type::UUID && column.name != "user_id")
    }
}

/// A record as a row of a table.
pub(super) trait StagedRow {
    /// Returns the name of the record's table.
    fn table(&self) -> &'static str;

    /// Returns a value for each column of the table, in order.
    fn cells(&self) -> Vec<Cell<'_>>;
}

/// The key of a row to delete: the columns of the primary key, and then the shown identifiers in the order of
/// [`Table::identifiers`].
impl StagedRow for Deleted {
    fn table(&self) -> &'static str {
        match self {
            Deleted::ExchangeRate { .. } => "exchange_rates",
            Deleted::Bank(_) => "banks",
            Deleted::Account(_) => "accounts",
            Deleted::BalanceSnapshot { .. } => "balance_snapshots",
            Deleted::OwnCategory { .. } => "own_categories",
            Deleted::Transaction(_) => "transactions",
            Deleted::Budget(_) => "budgets",
            Deleted::Security(_) => "securities",
            Deleted::SecurityPrice { .. } => "security_prices",
            Deleted::Holding { .. } => "holdings",
            Deleted::Wallet(_) => "wallets",
            Deleted::WalletHolding { .. } => "wallet_holdings",
            Deleted::PaperAccount(_) => "paper_accounts",
            Deleted::PaperPosition { .. } => "paper_positions",
        }
    }

    fn cells(&self) -> Vec<Cell<'_>> {
        match *self {
            Deleted::ExchangeRate { ref currency, as_of } => vec![currency.as_str().into(), as_of.into()],
            Deleted::Bank(row)
            | Deleted::Account(row)
            | Deleted::Transaction(row)
            | Deleted::Budget(row)
            | Deleted::Security(row)
            | Deleted::Wallet(row)
            | Deleted::PaperAccount(row) => key(row.user_id, &[row.id], None),
            Deleted::BalanceSnapshot { user_id, account, as_of } => {
                key(user_id, &[account], Some(as_of.into()))
            }
            Deleted::OwnCategory { user_id, own_category_id } => {
                key(user_id, &[NamedId { derived: own_category_id, shown: None }], None)
            }
            Deleted::SecurityPrice { user_id, security, as_of } => {
                key(user_id, &[security], Some(as_of.into()))
            }
            Deleted::Holding { user_id, account, security } => key(user_id, &[account, security], None),
            Deleted::WalletHolding { user_id, wallet, security, as_of } => {
                key(user_id, &[wallet, security], Some(as_of.into()))
            }
            Deleted::PaperPosition { user_id, paper_account, security, side } => {
                key(user_id, &[paper_account, security], Some(side.as_str().into()))
            }
        }
    }
}

/// Returns the cells of a key: the user, the identifiers, the last column if the key has one, and the shown
/// identifiers.
fn key<'a>(user_id: Uuid, ids: &[NamedId], last: Option<Cell<'a>>) -> Vec<Cell<'a>> {
    let derived = ids.iter().map(|id| Cell::Uuid(id.derived));
    let shown = ids.iter().map(|id| id.shown.into());
    std::iter::once(Cell::Uuid(user_id)).chain(derived).chain(last).chain(shown).collect()
}

/// The value of a column, in one of the supported types. `Null` is valid for every type.
#[derive(Debug)]
pub(super) enum Cell<'a> {
    Null,
    Uuid(Uuid),
    Uuids(Vec<Uuid>),
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
            Cell::Uuids(value) => value.to_sql_checked(ty, out),
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

cell_from!(Uuid => Uuid, Vec<Uuid> => Uuids, &'a str => Text, &'a String => Text, Vec<&'a str> => Texts, bool => Flag, i64 => Number, Decimal => Decimal, Date => Day,
    Timestamp => Moment, &'a [u8] => Bytes);
