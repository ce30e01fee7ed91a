//! The types that describe a database table: columns, column types and references.

use tokio_postgres::types::Type;

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
    pub(super) kind: Kind,
}

/// The type of a column.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Uuid,
    Text,
    Texts,
    Flag,
    Number,
    Decimal,
    Day,
    Moment,
    Bytes,
}

impl Kind {
    /// Returns the name of the type in SQL.
    pub(super) const fn sql(self) -> &'static str {
        match self {
            Kind::Uuid => "uuid",
            Kind::Text => "text",
            Kind::Texts => "text[]",
            Kind::Flag => "boolean",
            Kind::Number => "bigint",
            Kind::Decimal => "numeric",
            Kind::Day => "date",
            Kind::Moment => "timestamptz",
            Kind::Bytes => "bytea",
        }
    }

    /// Returns the type for the binary protocol.
    pub(super) const fn wire(self) -> Type {
        match self {
            Kind::Uuid => Type::UUID,
            Kind::Text => Type::TEXT,
            Kind::Texts => Type::TEXT_ARRAY,
            Kind::Flag => Type::BOOL,
            Kind::Number => Type::INT8,
            Kind::Decimal => Type::NUMERIC,
            Kind::Day => Type::DATE,
            Kind::Moment => Type::TIMESTAMPTZ,
            Kind::Bytes => Type::BYTEA,
        }
    }
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
    /// Returns the key columns and then the other columns, the order in which values are sent.
    pub(super) fn columns(&self) -> impl Iterator<Item = &'static Column> + Clone {
        self.key.iter().chain(self.values.iter())
    }

    /// Returns the columns of the primary key that contain an identifier of this table or of a referenced table.
    pub(super) fn identifiers(&self) -> impl Iterator<Item = &'static Column> + Clone {
        self.key.iter().filter(|column| matches!(column.kind, Kind::Uuid) && column.name != "user_id")
    }
}
