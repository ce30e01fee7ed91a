//! Reading columns by name, with errors that say which column of which question is at fault.

use domain::category::{Category, ExpenseCategory};
use domain::tally::CurrencyTotal;
use domain::{Currency, Invalid};
use tokio_postgres::types::FromSql;

use crate::error::Error;
use crate::question::Question;

/// The rows of one question.
pub(crate) struct Rows {
    question: &'static str,
    rows: Vec<tokio_postgres::Row>,
}

impl Rows {
    pub(crate) fn new(question: &Question, rows: Vec<tokio_postgres::Row>) -> Rows {
        Rows { question: question.name, rows }
    }

    /// Maps every row; the first fault ends it.
    pub(crate) fn map<T>(&self, read: impl Fn(Row<'_>) -> Result<T, Error>) -> Result<Vec<T>, Error> {
        self.rows.iter().map(|row| read(Row { question: self.question, row })).collect()
    }

    /// The first row, if there is one.
    pub(crate) fn first(&self) -> Option<Row<'_>> {
        self.rows.first().map(|row| Row { question: self.question, row })
    }
}

/// One row.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    question: &'static str,
    row: &'a tokio_postgres::Row,
}

impl<'a> Row<'a> {
    /// A column of a type that the driver reads; `Option` where it may be null.
    pub(crate) fn get<T: FromSql<'a>>(&self, column: &'static str) -> Result<T, Error> {
        self.row.try_get(column).map_err(|source| self.fault(column, source))
    }

    /// A text column that must be a word of the contract.
    pub(crate) fn word<T>(
        &self,
        column: &'static str,
        parse: impl FnOnce(&str) -> Result<T, Invalid>,
    ) -> Result<T, Error> {
        parse(self.get(column)?).map_err(|source| self.fault(column, source))
    }

    /// The columns of a sum: `currency`, `count`, `amount_cents`, `converted_cents`.
    pub(crate) fn sum(&self) -> Result<CurrencyTotal, Error> {
        Ok(CurrencyTotal {
            currency: self.word("currency", Currency::parse)?,
            count: self.get("count")?,
            amount_cents: self.get("amount_cents")?,
            converted_cents: self.get("converted_cents")?,
        })
    }

    /// A category of either side.
    pub(crate) fn category(&self) -> Result<Category, Error> {
        self.word("category", Category::parse)
    }

    /// An expense category and its sum.
    pub(crate) fn category_sum(&self) -> Result<(ExpenseCategory, CurrencyTotal), Error> {
        Ok((self.word("category", ExpenseCategory::parse)?, self.sum()?))
    }

    /// What is wrong with a column.
    pub(crate) fn fault(
        &self,
        column: &'static str,
        source: impl std::error::Error + Send + Sync + 'static,
    ) -> Error {
        Error::Inconsistent { question: self.question, column, source: Box::new(source) }
    }
}
