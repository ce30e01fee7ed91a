//! The monthly totals: the cost of all active recurring expenses and the active recurring income, converted to one month.

use super::cadence::Cadence;
use super::recurring_payment::DetectedPayment;
use super::status::RecurringStatus;
use crate::rounding::divide;
use crate::tally::{CurrencyTotal, Overflow, Tally, Unconverted};
use crate::transaction::TransactionType;

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
    for DetectedPayment { payment, converted_cents, .. } in payments {
        if payment.r#type != transaction_type || payment.status != RecurringStatus::Active {
            continue;
        }
        total.add(&CurrencyTotal {
            currency: payment.currency,
            count: 1,
            amount_cents: cents_per_month(payment.amount_cents, payment.cadence)?,
            converted_cents: converted_cents
                .map(|cents| cents_per_month(cents, payment.cadence))
                .transpose()?,
        })?;
    }
    // The entries count recurring payments, not transactions, so the transaction count is removed.
    for entry in &mut total.unconverted {
        *entry = Unconverted { transaction_count: None, ..*entry };
    }
    Ok(total)
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
