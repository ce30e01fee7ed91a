//! The groups of expenses by own category, tag or account, with the expenses that have none.

use std::cmp::Reverse;

use passbook_domain::label::{GroupLabel, LabelSpending};
use passbook_domain::percent::Percent;
use passbook_domain::ports::LabelTotals;
use passbook_domain::tally::{Overflow, Tally, Unconverted};
use passbook_domain::{Currency, Money};

use crate::totals::tallies;

/// Returns the groups, largest first, then by name, and the amount by which they exceed `total` together, if they do.
pub(crate) fn label_groups(
    totals: &LabelTotals,
    total: &Tally,
    currency: Currency,
) -> Result<(Vec<LabelSpending>, Option<Money>), Overflow> {
    let mut groups = tallies(totals.groups.iter().map(|(label, sum)| (Some(label), *sum)))?;
    let rest = rest(total, &Tally::from_totals(&totals.labelled)?);
    if rest != Tally::default() {
        groups.push((None, rest));
    }
    let name = |label: Option<&GroupLabel>| label.map(|label| (label.label.name.clone(), label.label.id));
    groups.sort_by_cached_key(|(label, tally)| (Reverse(tally.cents), name(*label)));
    let mut sum = 0_i64;
    for (_, tally) in &groups {
        sum = sum.checked_add(tally.cents).ok_or(Overflow)?;
    }
    let overlap = sum.checked_sub(total.cents).ok_or(Overflow)?;
    let groups = groups.into_iter().map(|(label, tally)| LabelSpending {
        id: label.map(|label| label.label.id),
        name: label.map(|label| label.label.name.clone()),
        category: label.and_then(|label| label.category),
        parent_id: label.and_then(|label| label.parent_id),
        total: Money::new(tally.cents, currency),
        percent_of_total: Percent::ratio(tally.cents, total.cents),
        transaction_count: tally.count,
        unconverted: tally.unconverted,
    });
    Ok((groups.collect(), (overlap != 0).then(|| Money::new(overlap, currency))))
}

/// Returns the total without the expenses that have a label.
fn rest(total: &Tally, labelled: &Tally) -> Tally {
    let unconverted = total.unconverted.iter().map(|all| {
        let some = labelled.unconverted.iter().find(|some| some.currency == all.currency);
        let count = some.and_then(|some| some.transaction_count).unwrap_or(0);
        Unconverted {
            amount_cents: all.amount_cents - some.map_or(0, |some| some.amount_cents),
            transaction_count: all.transaction_count.map(|all| all - count),
            ..*all
        }
    });
    Tally {
        cents: total.cents - labelled.cents,
        count: total.count - labelled.count,
        unconverted: unconverted.filter(|rest| rest.transaction_count != Some(0)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use passbook_domain::tally::CurrencyTotal;

    use super::*;

    #[test]
    fn rest_has_the_unconverted_amounts_without_a_label() {
        let tally = |cents: &[i64]| {
            let total = |cents: &i64| CurrencyTotal::new(Money::new(*cents, Currency::EUR), 1, None);
            Tally::from_totals(&cents.iter().map(total).collect::<Vec<_>>()).expect("the amounts are small")
        };
        assert_eq!(rest(&tally(&[100, 250]), &tally(&[100])), tally(&[250]));
    }
}
