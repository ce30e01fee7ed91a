//! The types of a recurring payment in a response, and the monthly totals: the cost of all active recurring expenses
//! and the active recurring income, converted to one month.

use std::sync::Arc;

use jiff::civil::Date;
use uuid::Uuid;

use super::cadence::Cadence;
use super::cadence_fit::CadenceFit;
use super::calendar::{civil_date, day_number};
use super::confidence::{Confidence, ConfidenceMin};
use super::stream::RecurringStatus;
use crate::category::Category;
use crate::currency::Currency;
use crate::money::Money;
use crate::rounding::divide;
use crate::tally::{CurrencyTotal, Overflow, Tally, Unconverted};
use crate::transaction::TransactionType;

/// The recurring payments of a person as of a day. `P` is a recurring payment with or without its transactions.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RecurringPaymentList")]
pub struct RecurringPaymentList<P = RecurringPaymentWithTransactions> {
    /// The day that the answer is about: nothing later was looked at.
    #[schemars(extend("format" = "date"))]
    #[schemars(with = "String")]
    #[schemars(extend("x-tool-description" = "Day of the analysis; later transactions are ignored."))]
    pub as_of: Date,
    /// Monthly cost of all ACTIVE recurring expenses with at least `minConfidence`, in the preferred currency at the
    /// rates of `asOf`: weekly × 52/12, biweekly × 26/12, semi-monthly × 2, quarterly / 3, semi-annually / 6, annually / 12.
    /// The other parameters select the listed payments and do not change this total.
    #[schemars(extend("x-tool-description" = "Monthly cost of all ACTIVE expenses with at least minConfidence."))]
    pub monthly_total: Money,
    /// Monthly income of all ACTIVE recurring income with at least `minConfidence`, computed like `monthlyTotal`, also if
    /// `types` does not list income.
    #[schemars(extend("x-tool-description" = "The same for ACTIVE income, listed or not."))]
    pub monthly_income: Money,
    /// Number of recurring payments that match the parameters, also beyond `limit`.
    #[schemars(extend("x-tool-description" = "Number of matches, also beyond limit."))]
    pub total_count: usize,
    /// ACTIVE first, then OVERDUE, both by next expected date; then ENDED, the most recent first.
    #[schemars(extend("x-tool-description" = "ACTIVE, then OVERDUE, by next date; then ENDED."))]
    pub recurring_payments: Vec<P>,
    /// The expected payments; absent without `upcomingWithinDays`.
    #[serde(flatten)]
    pub upcoming: Option<Occurrences>,
    /// Per type and currency, the amount per month that cannot be converted and is missing from `monthlyTotal` (`EXPENSE`) or
    /// from `monthlyIncome` (`INCOME`); absent when nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-tool-description" = "Monthly amounts not convertible, not in the monthly totals."))]
    pub unconverted: Vec<Unconverted>,
}

/// One recurring payment. It is inferred from the transactions of the 25 months up to `asOf`; no bank or merchant
/// states it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct RecurringPayment {
    /// Stays the same while it lives: as time passes, when the price changes, and when the card is replaced.
    pub id: Uuid,
    /// Type of the transactions: income or expense.
    pub r#type: TransactionType,
    /// Payee or payer: the most recent spelling of the merchant's name, or the most recent title if no transaction has a
    /// merchant name.
    pub merchant_name: String,
    /// The category of most of its transactions. New values may appear: tolerate unknown ones.
    pub category: Category,
    /// Frequency of the payments.
    pub cadence: Cadence,
    /// ACTIVE: up to date, or late by no more than usual. OVERDUE: a payment is missing. ENDED: the next one after it is
    /// missing too, or for half-yearly and yearly payments, 92 days have passed.
    #[schemars(extend("x-tool-description" = "ACTIVE is up to date; OVERDUE lacks one payment; ENDED lacks more."))]
    pub status: RecurringStatus,
    /// Expected next amount, in hundredths of `currency`: the last amount, or the median of the last six if the amount
    /// varies.
    #[schemars(extend("x-tool-description" = "Expected next amount, in hundredths of currency."))]
    pub amount_cents: i64,
    /// The amount before the last change of the price, in hundredths of `currency`; absent if the price has not changed
    /// in the 25 months that were looked at, and if the amount varies. A difference of 1 % or less is no change.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64")]
    #[schemars(extend("x-tool-description" = "Price before the last change; absent if unchanged or varying."))]
    pub previous_amount_cents: Option<i64>,
    /// The day of the first payment after the last change of the price; absent with `previous_amount_cents`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date"))]
    #[schemars(with = "String")]
    #[schemars(extend("x-tool-description" = "First payment at the new price."))]
    pub amount_changed_on: Option<Date>,
    /// The currency of all its amounts.
    pub currency: Currency,
    /// The most recent amount, in hundredths of `currency`.
    #[schemars(extend("x-tool-description" = "Most recent amount, in hundredths."))]
    pub last_amount_cents: i64,
    /// The average amount, in hundredths of `currency`.
    #[schemars(extend("x-tool-description" = "Average within 25 months, in hundredths."))]
    pub average_amount_cents: i64,
    /// The smallest amount, in hundredths of `currency`.
    pub min_amount_cents: i64,
    /// The largest amount, in hundredths of `currency`.
    pub max_amount_cents: i64,
    /// True when the amount differs again and again, as with electricity; false for a price, even one that was raised.
    #[schemars(extend("x-tool-description" = "True for amounts that differ again and again, false for a price."))]
    pub amount_varies: bool,
    /// The day of the first payment in the 25 months that were looked at: it may have begun before.
    #[schemars(extend("format" = "date"))]
    #[schemars(with = "String")]
    #[schemars(extend("x-tool-description" = "First payment within 25 months."))]
    pub first_date: Date,
    /// The day of the most recent payment.
    #[schemars(extend("format" = "date"))]
    #[schemars(with = "String")]
    #[schemars(extend("x-tool-description" = "Most recent payment."))]
    pub last_date: Date,
    /// The day on which the awaited payment is due; before `asOf` when it is late. Absent when ENDED.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date"))]
    #[schemars(with = "String")]
    #[schemars(extend("x-tool-description" = "Due day, before asOf if late; absent if ENDED."))]
    pub next_expected_date: Option<Date>,
    /// Number of payments in the 25 months up to `asOf`.
    pub occurrence_count: u32,
    /// Number of payments missing since the first. The missing payment of an OVERDUE entry is included.
    #[schemars(extend("x-tool-description" = "Number of payments missing since the first."))]
    pub missed_count: u32,
    /// Confidence score, 0 to 1 with two decimals: the share of findings with this score that are right.
    #[schemars(extend("x-tool-description" = "Share of findings with this score that are right."))]
    pub confidence: Confidence,
    /// Evidence for the finding, in words.
    #[schemars(extend("x-tool-description" = "Evidence for the finding."))]
    pub reason: String,
    /// The account of the most recent payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub account_name: Option<Arc<str>>,
}

impl RecurringPayment {
    /// Returns the expected next amount as money.
    pub fn next_amount(&self) -> Money {
        Money::new(self.amount_cents, self.currency)
    }
}

/// A recurring payment with the identifiers of its transactions, which a tool leaves out.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[schemars(rename = "RecurringPayment")]
pub struct RecurringPaymentWithTransactions {
    /// The recurring payment.
    #[serde(flatten)]
    pub payment: RecurringPayment,
    /// Its transactions, the newest first; 12 at most.
    pub transaction_ids: Vec<Uuid>,
}

impl From<RecurringPaymentList> for RecurringPaymentList<RecurringPayment> {
    fn from(list: RecurringPaymentList) -> RecurringPaymentList<RecurringPayment> {
        RecurringPaymentList {
            as_of: list.as_of,
            monthly_total: list.monthly_total,
            monthly_income: list.monthly_income,
            total_count: list.total_count,
            recurring_payments: list.recurring_payments.into_iter().map(|listed| listed.payment).collect(),
            upcoming: list.upcoming,
            unconverted: list.unconverted,
        }
    }
}

/// A recurring payment together with its transactions and its value in the preferred currency.
#[derive(Clone, Debug)]
pub struct DetectedPayment {
    /// The recurring payment.
    pub payment: RecurringPayment,
    /// Identifiers of its transactions, the newest first; 12 at most.
    pub transaction_ids: Vec<Uuid>,
    /// `payment.amount_cents` in the preferred currency; none without a rate.
    pub converted_cents: Option<i64>,
    /// The cadence and the due days.
    pub(super) fit: CadenceFit,
}

impl DetectedPayment {
    /// Returns the due days from one day to another, both inclusive; none unless the payment is active.
    pub fn due_days(&self, from: Date, through: Date) -> impl Iterator<Item = Date> {
        let next = self.payment.next_expected_date.filter(|_| self.payment.status == RecurringStatus::Active);
        let due = std::iter::successors(next.map(day_number), |due| Some(self.fit.due_day_after(*due)));
        due.map(civil_date).take_while(move |due| *due <= through).filter(move |due| *due >= from)
    }
}

/// The expected payments of the days that `upcomingWithinDays` asks for: of every payment that the filters select, also beyond
/// `limit`, each as often as it is due. A payment that is late or overdue is not included.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Occurrences {
    /// The expected payments by day, at most 500.
    #[schemars(extend("x-tool-description" = "Expected payments by day, at most 60."))]
    pub occurrences: Vec<Occurrence>,
    /// Number of expected payments, also beyond the list.
    #[schemars(extend("x-tool-description" = "Number, also beyond the list."))]
    pub occurrence_count: usize,
    /// Total of all expected expenses in the preferred currency, also beyond the list.
    #[schemars(extend("x-tool-description" = "Total of all expected expenses."))]
    pub occurrences_total: Money,
    /// Total of all expected income, computed like `occurrencesTotal`.
    #[schemars(extend("x-tool-description" = "Total of all expected income."))]
    pub occurrences_income: Money,
    /// Amounts without a rate, missing from the two totals; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-tool-description" = "Not convertible, not in these totals."))]
    pub occurrences_unconverted: Vec<Unconverted>,
}

/// One expected payment.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Occurrence {
    /// The day on which the payment is due.
    #[schemars(extend("format" = "date"), with = "String")]
    pub date: Date,
    /// Expected amount, in the currency of the payment.
    pub amount: Money,
    /// Identifier of the recurring payment.
    pub recurring_payment_id: Uuid,
}

/// Returns the number of payments in a year with this cadence.
const fn payments_per_year(cadence: Cadence) -> i64 {
    match cadence {
        Cadence::Weekly => 52,
        Cadence::Biweekly => 26,
        Cadence::SemiMonthly => 24,
        Cadence::Monthly => 12,
        Cadence::Quarterly => 4,
        Cadence::SemiAnnually => 2,
        Cadence::Annually => 1,
    }
}

/// Converts the amount of one payment, in cents, to cents per month: payments per year divided by 12, rounded once.
fn cents_per_month(cents: i64, cadence: Cadence) -> Result<i64, Overflow> {
    let cents = divide(i128::from(cents) * i128::from(payments_per_year(cadence)), 12);
    i64::try_from(cents).map_err(|_| Overflow)
}

/// Returns the monthly total of the active payments of one type in the preferred currency, and the amounts per month that
/// have no exchange rate. Each payment is converted and rounded on its own, then added. Other types and statuses are
/// ignored.
///
/// # Errors
///
/// A sum is outside the range of 64 bits.
pub fn monthly_total<'a>(
    payments: impl IntoIterator<Item = &'a DetectedPayment>,
    transaction_type: TransactionType,
) -> Result<Tally, Overflow> {
    let mut total = Tally::default();
    for detected in payments {
        let DetectedPayment { payment, .. } = detected;
        if payment.r#type != transaction_type || payment.status != RecurringStatus::Active {
            continue;
        }
        total.add(&CurrencyTotal {
            currency: payment.currency,
            count: 1,
            amount_cents: cents_per_month(payment.amount_cents, payment.cadence)?,
            converted_cents: converted_per_month(detected)?,
        })?;
    }
    // The entries count recurring payments, not transactions, so the transaction count is removed.
    for entry in &mut total.unconverted {
        *entry = Unconverted { transaction_count: None, ..*entry };
    }
    Ok(total)
}

/// Returns the income that has not ended and is the largest per month in the preferred currency, the first of equal ones; none
/// if no amount can be converted. Payments below [`ConfidenceMin::DEFAULT`] do not count, because no list without parameters
/// has them.
///
/// # Errors
///
/// An amount per month is outside the range of 64 bits.
pub fn largest_income(found: &[DetectedPayment]) -> Result<Option<&RecurringPayment>, Overflow> {
    let mut largest: Option<(i64, &RecurringPayment)> = None;
    for detected in found {
        let payment = &detected.payment;
        let is_likely = ConfidenceMin::DEFAULT.admits(payment.confidence);
        if payment.r#type != TransactionType::Income || payment.status == RecurringStatus::Ended || !is_likely
        {
            continue;
        }
        let cents = converted_per_month(detected)?.unwrap_or(0);
        if cents > largest.map_or(0, |(most, _)| most) {
            largest = Some((cents, payment));
        }
    }
    Ok(largest.map(|(_, payment)| payment))
}

fn converted_per_month(detected: &DetectedPayment) -> Result<Option<i64>, Overflow> {
    detected.converted_cents.map(|cents| cents_per_month(cents, detected.payment.cadence)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cadence_is_converted_to_a_month() {
        for (cadence, cents, month) in [
            (Cadence::Weekly, 1_000, 4_333),
            (Cadence::Biweekly, 1_000, 2_167),
            (Cadence::SemiMonthly, 1_000, 2_000),
            (Cadence::Monthly, 1_599, 1_599),
            (Cadence::Quarterly, 5_508, 1_836),
            (Cadence::SemiAnnually, 9_600, 1_600),
            (Cadence::Annually, 6_290, 524),
            (Cadence::Annually, 6_294, 525),
        ] {
            assert_eq!(cents_per_month(cents, cadence), Ok(month), "{cadence}");
        }
        assert_eq!(cents_per_month(i64::MAX, Cadence::Weekly), Err(Overflow));
    }
}
