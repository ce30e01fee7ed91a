//! The words in which a table is described: columns, their types, and references to other tables.

use tokio_postgres::types::Type;

/// A table that records are loaded into. Every text here is `'static`: statements are composed of these
/// constants and nothing else, so nothing from the input can become SQL.
#[derive(Debug)]
pub(super) struct Table {
    /// The name in the schema `passbook`.
    pub(super) name: &'static str,
    /// What identifies a row.
    pub(super) key: &'static [Column],
    /// Everything else that a record brings.
    pub(super) values: &'static [Column],
    /// The key in the words of the input, for a sentence: "user and id".
    pub(super) identity: &'static str,
    /// Rows elsewhere that must exist.
    pub(super) references: &'static [Reference],
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
    /// The type's name in SQL.
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

    /// The type on the wire.
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

/// A row of another table that a row needs.
#[derive(Debug)]
pub(super) struct Reference {
    /// What the input calls it, which is the last step of a fault's path.
    pub(super) field: &'static str,
    /// Where it must be.
    pub(super) table: &'static str,
    /// Pairs of a column here and the column there that must be equal.
    pub(super) columns: &'static [(&'static str, &'static str)],
    /// What a fault says.
    pub(super) rule: &'static str,
}

impl Table {
    /// Key and values, in the order in which they are sent.
    pub(super) fn columns(&self) -> impl Iterator<Item = &'static Column> + Clone {
        self.key.iter().chain(self.values.iter())
    }
}
