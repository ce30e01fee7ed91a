//! Converts the columns of query results to typed values. Errors name the query and the column.

use std::cell::Cell as Position;
use std::error::Error as StdError;

use passbook_domain::category::Category;
use passbook_domain::tally::CurrencyTotal;
use passbook_domain::{Currency, Invalid, Money};
use tokio_postgres::types::FromSql;
#[cfg(test)]
use tokio_postgres::types::{Type, WrongType};

use crate::error::Error;
use crate::query::Query;

/// The result rows of one query.
pub(crate) struct Rows {
    query: &'static str,
    records: Vec<Record>,
    /// Position after the column that was read last. Most columns are read in the order of the query, so the search for
    /// a name starts there.
    next: Position<usize>,
}

impl Rows {
    pub(crate) fn new(query: &Query, records: impl IntoIterator<Item = impl Into<Record>>) -> Rows {
        let records = records.into_iter().map(Into::into).collect();
        Rows { query: query.name, records, next: Position::new(0) }
    }

    /// Converts every row with `read`.
    ///
    /// # Errors
    /// The first error of `read`.
    pub(crate) fn map<'a, T>(&'a self, read: impl Fn(Row<'a>) -> Result<T, Error>) -> Result<Vec<T>, Error> {
        // `collect` does not know the length of a list that may end with an error, and would move the rows as it grows.
        let mut converted = Vec::with_capacity(self.records.len());
        for record in &self.records {
            converted.push(read(self.row(record))?);
        }
        Ok(converted)
    }

    /// Converts every row with `read`, and releases each row after that. For results so large that both forms together
    /// would take much memory.
    ///
    /// # Errors
    /// The first error of `read`.
    pub(crate) fn into_map<T>(mut self, read: impl Fn(Row<'_>) -> Result<T, Error>) -> Result<Vec<T>, Error> {
        let records = std::mem::take(&mut self.records);
        records.into_iter().map(|record| read(self.row(&record))).collect()
    }

    /// Returns the first row; `None` if there are no rows.
    pub(crate) fn first(&self) -> Option<Row<'_>> {
        self.records.first().map(|record| self.row(record))
    }

    /// Returns the row of a query that always has one.
    pub(crate) fn only(&self) -> Result<Row<'_>, Error> {
        self.first().ok_or(Error::NoRow { query: self.query })
    }

    fn row<'a>(&'a self, record: &'a Record) -> Row<'a> {
        self.next.set(0);
        Row { query: self.query, record, next: &self.next }
    }
}

/// One result row.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    query: &'static str,
    record: &'a Record,
    next: &'a Position<usize>,
}

impl<'a> Row<'a> {
    /// Returns the value of a column. `T` is an `Option` if the column may be null.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] if the column is missing, has another SQL type, is null, or cannot be decoded.
    pub(crate) fn get<T: FromSql<'a>>(&self, column: &'static str) -> Result<T, Error> {
        let position = self.record.position(column, self.next.get());
        let position = position.ok_or_else(|| self.inconsistent(column, "missing column"))?;
        self.next.set(position + 1);
        self.record.value(position).map_err(|source| self.inconsistent(column, source))
    }

    /// Returns the value of a text column whose values `parse` restricts, such as a category or a currency.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] if the column has no text, or `parse` rejects the text.
    pub(crate) fn parsed<T>(
        &self,
        column: &'static str,
        parse: impl FnOnce(&str) -> Result<T, Invalid>,
    ) -> Result<T, Error> {
        parse(self.get(column)?).map_err(|source| self.inconsistent(column, source))
    }

    /// Returns the currency total in the columns `currency`, `count`, `amount_cents` and `converted_cents`.
    pub(crate) fn sum(&self) -> Result<CurrencyTotal, Error> {
        let currency = self.parsed("currency", Currency::parse)?;
        let (count, cents) = (self.get("count")?, self.get("amount_cents")?);
        Ok(CurrencyTotal::new(Money::new(cents, currency), count, self.get("converted_cents")?))
    }

    /// Returns the same if it has transactions. A row of totals may have only refunds.
    pub(crate) fn expenses(&self) -> Result<Option<CurrencyTotal>, Error> {
        self.sum().map(|sum| Some(sum).filter(|sum| sum.count != 0))
    }

    /// Returns the refunds in the columns `refund_count` and `refund_cents`, if there are refunds.
    pub(crate) fn refunds(&self) -> Result<Option<CurrencyTotal>, Error> {
        let (sum, count, cents) = (self.sum()?, self.get("refund_count")?, self.get("refund_cents")?);
        let refunds =
            CurrencyTotal::new(Money::new(cents, sum.currency), count, sum.converted_cents.and(Some(cents)));
        Ok(Some(refunds).filter(|refunds| refunds.count != 0))
    }

    /// Returns the category in the column `category`, which is an income or expense category.
    pub(crate) fn category(&self) -> Result<Category, Error> {
        self.parsed("category", Category::parse)
    }

    /// Creates the error for a column whose value breaks the contract.
    pub(crate) fn inconsistent(
        &self,
        column: &'static str,
        source: impl Into<Box<dyn StdError + Send + Sync>>,
    ) -> Error {
        Error::Inconsistent { query: self.query, column, source: source.into() }
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
    fn position(&self, column: &str, expected: usize) -> Option<usize> {
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
    /// If the column has another SQL type, is null, or cannot be decoded.
    fn value<'a, T: FromSql<'a>>(&'a self, position: usize) -> Result<T, Box<dyn StdError + Send + Sync>> {
        match self {
            Record::Database(row) => Ok(row.try_get(position)?),
            #[cfg(test)]
            Record::Fixture(columns) => {
                let EncodedColumn { r#type, bytes, .. } = &columns[position];
                if !T::accepts(r#type) {
                    return Err(WrongType::new::<T>(r#type.clone()).into());
                }
                T::from_sql_nullable(r#type, bytes.as_deref())
            }
        }
    }
}

impl From<tokio_postgres::Row> for Record {
    fn from(row: tokio_postgres::Row) -> Record {
        Record::Database(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Fixture, fault};
    use crate::query::CASHFLOW;

    fn sum_row() -> Fixture {
        Fixture::new()
            .with("currency", &Type::TEXT, "EUR")
            .with("count", &Type::INT8, 2_i64)
            .with("amount_cents", &Type::INT8, 12_345_i64)
            .with("converted_cents", &Type::INT8, Some(12_345_i64))
    }

    fn sum(row: Fixture) -> Result<Vec<CurrencyTotal>, Error> {
        Rows::new(&CASHFLOW, [row]).map(|row| row.sum())
    }

    #[test]
    fn sum_has_the_values_of_its_columns() {
        let sums = sum(sum_row()).expect("a sum");
        assert_eq!((sums[0].currency.as_str(), sums[0].count, sums[0].amount_cents), ("EUR", 2, 12_345));
        assert_eq!(sums[0].converted_cents, Some(12_345));
    }

    #[test]
    fn null_converted_cents_stand_for_a_missing_rate() {
        let sums = sum(sum_row().with("converted_cents", &Type::INT8, None::<i64>)).expect("a sum");
        assert_eq!(sums[0].converted_cents, None);
    }

    #[test]
    fn null_in_a_required_column_names_query_and_column() {
        let error = sum(sum_row().with("amount_cents", &Type::INT8, None::<i64>)).expect_err("null cents");
        let (place, cause) = fault(&error);
        assert_eq!(place, "cashflow.amount_cents");
        assert!(cause.contains("NULL"), "{cause}");
    }

    #[test]
    fn cents_of_another_type_name_query_and_column() {
        for row in [
            sum_row().with("amount_cents", &Type::INT4, 5_i32),
            sum_row().with("amount_cents", &Type::FLOAT8, 5.0_f64),
            sum_row().with("amount_cents", &Type::TEXT, "5"),
        ] {
            let error = sum(row).expect_err("other type");
            let (place, cause) = fault(&error);
            assert_eq!(place, "cashflow.amount_cents");
            assert!(cause.contains("cannot convert"), "{cause}");
        }
    }

    #[test]
    fn cents_with_a_wrong_length_name_query_and_column() {
        let error = sum(sum_row().with_bytes("amount_cents", &Type::INT8, &[0, 1, 2])).expect_err("3 bytes");
        assert_eq!(fault(&error).0, "cashflow.amount_cents");
    }

    #[test]
    fn missing_column_is_named() {
        let error = sum(sum_row().without("count")).expect_err("no count");
        assert_eq!(fault(&error).0, "cashflow.count");
    }

    #[test]
    fn unknown_words_are_named_with_the_rule() {
        let error = sum(sum_row().with("currency", &Type::TEXT, "eur")).expect_err("lower case");
        let (place, cause) = fault(&error);
        assert_eq!(place, "cashflow.currency");
        assert!(cause.contains("three upper-case letters"), "{cause}");
        let row = sum_row().with("category", &Type::TEXT, "NO_SUCH_CATEGORY");
        let error = Rows::new(&CASHFLOW, [row]).map(|row| row.category()).expect_err("unknown category");
        assert_eq!(fault(&error).0, "cashflow.category");
    }
}
