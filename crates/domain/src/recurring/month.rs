//! What streams cost in a month.

use super::answer::Found;
use super::{Cadence, RecurringStatus};
use crate::rounding::divide;
use crate::tally::{Overflow, Sum, Tally, Unconverted};
use crate::transaction::TransactionType;

/// Payments in a year.
const fn payments_a_year(cadence: Cadence) -> i64 {
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

/// An amount that is due in a cadence, as a month: × 52/12, × 26/12, × 2, × 1, /3, /6, /12, rounded once.
fn a_month(cents: i64, cadence: Cadence) -> Result<i64, Overflow> {
    let cents = divide(i128::from(cents) * i128::from(payments_a_year(cadence)), 12);
    i64::try_from(cents).map_err(|_| Overflow)
}

/// The sum of what active expense streams cost in a month, each converted and rounded first, and what has no rate.
pub fn monthly_total<'a>(found: impl IntoIterator<Item = &'a Found>) -> Result<Tally, Overflow> {
    let mut total = Tally::default();
    for Found { payment, converted_cents } in found {
        if payment.r#type != TransactionType::Expense || payment.status != RecurringStatus::Active {
            continue;
        }
        total.add(&Sum {
            currency: payment.currency,
            count: 1,
            amount_cents: a_month(payment.amount_cents, payment.cadence)?,
            converted_cents: converted_cents.map(|cents| a_month(cents, payment.cadence)).transpose()?,
        })?;
    }
    // No transactions are counted here.
    for entry in &mut total.unconverted {
        *entry = Unconverted { transaction_count: None, ..*entry };
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cadence_is_taken_to_the_month() {
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
            assert_eq!(a_month(cents, cadence), Ok(month), "{cadence}");
        }
        assert_eq!(a_month(i64::MAX, Cadence::Weekly), Err(Overflow));
    }
}
