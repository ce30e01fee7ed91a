//! Adding up converted amounts, with what could not be converted kept beside the total.

use crate::currency::Currency;
use crate::transaction::TransactionType;

/// Rows of one currency that all have a rate, or all lack one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum {
    /// The currency of the rows.
    pub currency: Currency,
    /// How many rows.
    pub count: i64,
    /// Their magnitudes, in hundredths of `currency`.
    pub amount_cents: i64,
    /// The same in the preferred currency, each row rounded once; none when no rate is stored.
    pub converted_cents: Option<i64>,
}

/// Money that is missing from a total because no exchange rate of its day is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Unconverted {
    /// Which total it is missing from, where an answer has more than one.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "TransactionType")]
    pub transaction_type: Option<TransactionType>,
    /// The currency without a rate.
    pub currency: Currency,
    /// What is missing, in hundredths of `currency`: the sum of the transactions' magnitudes, or of signed balances.
    pub amount_cents: i64,
    /// How many transactions; absent where no transactions are counted.
    #[serde(rename = "transactionCount", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64")]
    pub transaction_count: Option<i64>,
}

/// A sum left the range of 64-bit cents. A number that may be wrong is worse than an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a total is larger than 64-bit cents can hold")]
pub struct Overflow;

/// A converted total and what is missing from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The total, in cents of the preferred currency.
    pub cents: i64,
    /// How many transactions are in the total.
    pub count: i64,
    /// What is missing, by currency; one entry each.
    pub unconverted: Vec<Unconverted>,
}

impl Tally {
    /// Adds sums up.
    pub fn of<'a>(sums: impl IntoIterator<Item = &'a Sum>) -> Result<Tally, Overflow> {
        let mut tally = Tally::default();
        for sum in sums {
            tally.add(sum)?;
        }
        Ok(tally)
    }

    /// Adds one sum.
    pub fn add(&mut self, sum: &Sum) -> Result<(), Overflow> {
        match sum.converted_cents {
            Some(cents) => {
                self.cents = self.cents.checked_add(cents).ok_or(Overflow)?;
                self.count += sum.count;
            }
            None => self.add_unconverted(sum)?,
        }
        Ok(())
    }

    fn add_unconverted(&mut self, sum: &Sum) -> Result<(), Overflow> {
        let at = self.unconverted.partition_point(|entry| entry.currency < sum.currency);
        match self.unconverted.get_mut(at).filter(|entry| entry.currency == sum.currency) {
            Some(entry) => {
                entry.amount_cents = entry.amount_cents.checked_add(sum.amount_cents).ok_or(Overflow)?;
                entry.transaction_count = entry.transaction_count.map(|count| count + sum.count);
            }
            None => self.unconverted.insert(
                at,
                Unconverted {
                    transaction_type: None,
                    currency: sum.currency,
                    amount_cents: sum.amount_cents,
                    transaction_count: Some(sum.count),
                },
            ),
        }
        Ok(())
    }

    /// What is missing, where the rows are not transactions.
    pub fn uncounted(self) -> Vec<Unconverted> {
        let uncounted = |entry| Unconverted { transaction_count: None, ..entry };
        self.unconverted.into_iter().map(uncounted).collect()
    }

    /// What is missing, said to belong to the total of one type: for answers with more than one total.
    pub fn unconverted_of(self, transaction_type: TransactionType) -> impl Iterator<Item = Unconverted> {
        self.unconverted
            .into_iter()
            .map(move |entry| Unconverted { transaction_type: Some(transaction_type), ..entry })
    }
}
