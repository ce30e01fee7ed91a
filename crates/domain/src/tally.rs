//! Totals of converted amounts. Amounts that cannot be converted are reported beside the total.

use crate::currency::Currency;
use crate::money::Money;
use crate::transaction::TransactionType;

/// The total of rows of one currency. Either all of the rows can be converted, or none of them can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CurrencyTotal {
    /// Currency of the rows.
    pub currency: Currency,
    /// Number of rows.
    pub count: i64,
    /// Sum of the rows' magnitudes, or of signed balances, in hundredths of `currency`.
    pub amount_cents: i64,
    /// Sum in hundredths of the preferred currency, each row converted and rounded on its own; none if the rows
    /// cannot be converted.
    pub converted_cents: Option<i64>,
}

impl CurrencyTotal {
    /// Creates the total of `count` rows, with the same sum in hundredths of the preferred currency; none without a rate.
    pub fn new(amount: Money, count: i64, converted_cents: Option<i64>) -> CurrencyTotal {
        CurrencyTotal { currency: amount.currency, count, amount_cents: amount.amount_cents, converted_cents }
    }
}

/// An amount that a total does not include because it cannot be converted: no exchange rate is stored for its day or the 31
/// days before it, or the converted amount would exceed 9 · 10¹⁵ cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Unconverted {
    /// Type of the affected total, in responses with one total per type.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "TransactionType")]
    pub transaction_type: Option<TransactionType>,
    /// The currency of the amount.
    pub currency: Currency,
    /// Missing amount in hundredths of `currency`: the sum of the transactions' magnitudes, or of signed balances.
    #[schemars(extend("x-tool-description" = "In hundredths."))]
    pub amount_cents: i64,
    /// Number of transactions; absent for amounts that are not transactions.
    #[serde(rename = "transactionCount", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64")]
    pub transaction_count: Option<i64>,
}

/// The error for a total outside the range of 64-bit cents. The request fails, because a wrapped or clamped number
/// would be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a total is larger than 64-bit cents can hold")]
pub struct Overflow;

/// A converted total, and the amounts that it does not include.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The total in hundredths of the preferred currency.
    pub cents: i64,
    /// Number of rows that the total includes.
    pub count: i64,
    /// Amounts that cannot be converted, which the total does not include: one entry per currency, sorted by currency.
    pub unconverted: Vec<Unconverted>,
}

impl Tally {
    /// Adds up `totals`.
    ///
    /// # Errors
    ///
    /// A total is outside the range of 64-bit cents.
    pub fn from_totals<'a>(totals: impl IntoIterator<Item = &'a CurrencyTotal>) -> Result<Tally, Overflow> {
        let mut tally = Tally::default();
        for total in totals {
            tally.add(total)?;
        }
        Ok(tally)
    }

    /// Adds one currency total.
    ///
    /// # Errors
    ///
    /// The total is outside the range of 64-bit cents.
    pub fn add(&mut self, total: &CurrencyTotal) -> Result<(), Overflow> {
        match total.converted_cents {
            Some(cents) => {
                self.cents = self.cents.checked_add(cents).ok_or(Overflow)?;
                self.count += total.count;
            }
            None => self.add_unconverted(total)?,
        }
        Ok(())
    }

    fn add_unconverted(&mut self, total: &CurrencyTotal) -> Result<(), Overflow> {
        let at = self.unconverted.partition_point(|entry| entry.currency < total.currency);
        match self.unconverted.get_mut(at).filter(|entry| entry.currency == total.currency) {
            Some(entry) => {
                entry.amount_cents = entry.amount_cents.checked_add(total.amount_cents).ok_or(Overflow)?;
                entry.transaction_count = entry.transaction_count.map(|count| count + total.count);
            }
            None => self.unconverted.insert(
                at,
                Unconverted {
                    transaction_type: None,
                    currency: total.currency,
                    amount_cents: total.amount_cents,
                    transaction_count: Some(total.count),
                },
            ),
        }
        Ok(())
    }

    /// Returns the amounts without an exchange rate, and removes their transaction counts. For rows that are not
    /// transactions.
    pub fn unconverted_without_counts(self) -> Vec<Unconverted> {
        let without_count = |entry| Unconverted { transaction_count: None, ..entry };
        self.unconverted.into_iter().map(without_count).collect()
    }

    /// Returns the amounts without an exchange rate, each marked with `transaction_type`, for responses that have one
    /// total per transaction type.
    pub fn unconverted_of_type(self, transaction_type: TransactionType) -> impl Iterator<Item = Unconverted> {
        self.unconverted
            .into_iter()
            .map(move |entry| Unconverted { transaction_type: Some(transaction_type), ..entry })
    }
}
