//! Finds the purchase that a refund belongs to.
//!
//! A purchase is an expense row of the same account name and currency, on the day of the refund or earlier. It is
//! identified by a link that both transactions have; without one, by payee and amount, by the rule of
//! `passbook_domain::refund`. A refund whose purchase is not unique stays without a link. The result does not depend on the
//! order of the file: refunds are matched by date, and on one day by identifier.

use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;
use std::sync::Arc;

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::refund::{Purchases, Unlinked};
use uuid::Uuid;

use super::report::{Notes, UnlinkedRefund};
use passbook_records::Located;
use passbook_records::record::Record;

/// An expense or refund row under Expenses.
#[derive(Debug)]
pub(super) struct ExpenseRow<'a> {
    /// Position of the row in the list of records.
    pub(super) record: usize,
    pub(super) transaction_id: Uuid,
    pub(super) date: Date,
    pub(super) account: &'a str,
    pub(super) payee: Option<&'a str>,
    pub(super) links: &'a [Arc<str>],
    /// Amount without a sign, above 0.
    pub(super) amount_cents: i64,
    pub(super) currency: Currency,
}

/// The purchases and refunds of a ledger.
#[derive(Debug, Default)]
pub(super) struct Refunds<'a> {
    pub(super) purchases: Vec<ExpenseRow<'a>>,
    pub(super) refunds: Vec<ExpenseRow<'a>>,
}

fn reason(unlinked: Unlinked) -> &'static str {
    match unlinked {
        Unlinked::NoPurchase => "no earlier purchase matches",
        Unlinked::SeveralPurchases => "several earlier purchases match",
    }
}

impl Refunds<'_> {
    /// Links each refund among the records to its purchase, and adds the refunds without one to the report.
    pub(super) fn link(mut self, records: &mut [Located], notes: &mut Notes) {
        self.purchases.sort_by_key(|row| (row.date, row.transaction_id));
        self.refunds.sort_by_key(|row| (row.date, row.transaction_id));
        for (refund, found) in self.refunds.iter().zip(find(&self.purchases, &self.refunds)) {
            let Located { place, record: Record::Transaction(row) } = &mut records[refund.record] else {
                unreachable!("the record of a refund is a transaction");
            };
            match found {
                Ok(purchase) => {
                    row.linked_transaction_id = Some(self.purchases[purchase].transaction_id);
                    notes.report.linked_refunds += 1;
                }
                Err(unlinked) => notes.report.unlinked_refunds.push(UnlinkedRefund {
                    place: place.clone(),
                    account: refund.account.to_owned(),
                    amount_cents: refund.amount_cents,
                    currency: refund.currency,
                    reason: reason(unlinked),
                }),
            }
        }
    }
}

/// Returns the position of the purchase of each refund. Both lists must be sorted by date.
fn find<'a>(purchases: &'a [ExpenseRow<'a>], refunds: &[ExpenseRow<'a>]) -> Vec<Result<usize, Unlinked>> {
    let mut linked = Linked::new(purchases);
    let mut found: Vec<_> = refunds.iter().map(|refund| linked.take(refund)).collect();
    // Purchases with a payee of which nothing is refunded.
    let untouched =
        purchases.iter().enumerate().filter(|(position, row)| linked.left[*position] == row.amount_cents);
    let with_payee = untouched.filter_map(|(position, row)| Some((payee_key(row)?, row.date, position)));
    let mut alike = Purchases::new(with_payee);
    for (refund, found) in refunds.iter().zip(&mut found) {
        if *found == Err(Unlinked::NoPurchase)
            && let Some(key) = payee_key(refund)
        {
            *found = alike.take(&key, refund.date);
        }
    }
    found
}

/// A link, an account and a currency.
type LinkKey<'a> = (&'a str, &'a str, Currency);
/// A payee, an account, an amount in hundredths and a currency.
type PayeeKey<'a> = (&'a str, &'a str, i64, Currency);

fn payee_key<'a>(row: &ExpenseRow<'a>) -> Option<PayeeKey<'a>> {
    row.payee.map(|payee| (payee, row.account, row.amount_cents, row.currency))
}

/// Purchases in order of date. Those up to the day of a refund are admitted, and only admitted ones can be its purchase.
#[derive(Debug)]
struct Admission<Admitted> {
    waiting: std::vec::IntoIter<usize>,
    admitted: Admitted,
}

/// The purchases with links.
struct Linked<'a> {
    purchases: &'a [ExpenseRow<'a>],
    /// Hundredths of each purchase that are not refunded yet.
    left: Vec<i64>,
    /// The purchases with a link, by the hundredths that are left of them.
    groups: HashMap<LinkKey<'a>, Admission<BTreeSet<(i64, usize)>>>,
}

impl<'a> Linked<'a> {
    fn new(purchases: &'a [ExpenseRow<'a>]) -> Linked<'a> {
        let mut positions: HashMap<_, Vec<usize>> = HashMap::new();
        for (position, row) in purchases.iter().enumerate() {
            for link in row.links {
                positions.entry((&**link, row.account, row.currency)).or_default().push(position);
            }
        }
        let group =
            |positions: Vec<usize>| Admission { waiting: positions.into_iter(), admitted: BTreeSet::new() };
        Linked {
            purchases,
            left: purchases.iter().map(|row| row.amount_cents).collect(),
            groups: positions.into_iter().map(|(key, positions)| (key, group(positions))).collect(),
        }
    }

    /// Takes the refunded amount from the only purchase that has a link of the refund and is large enough. If there are
    /// several, takes it from the only one of which exactly the refunded amount is left.
    fn take(&mut self, refund: &ExpenseRow<'a>) -> Result<usize, Unlinked> {
        let refunded = refund.amount_cents;
        for link in refund.links {
            if let Some(group) = self.groups.get_mut(&(&**link, refund.account, refund.currency)) {
                while let Some(&position) = group.waiting.as_slice().first()
                    && self.purchases[position].date <= refund.date
                {
                    group.waiting.next();
                    group.admitted.insert((self.left[position], position));
                }
            }
        }
        let large_enough = self.candidates(refund, (refunded, 0)..=(i64::MAX, usize::MAX));
        let position = match large_enough[..] {
            [] => return Err(Unlinked::NoPurchase),
            [only] => only,
            _ => match self.candidates(refund, (refunded, 0)..=(refunded, usize::MAX))[..] {
                [exact] => exact,
                _ => return Err(Unlinked::SeveralPurchases),
            },
        };
        self.reduce(position, refunded);
        Ok(position)
    }

    /// Returns the admitted purchases in a range. Two of each link suffice to know that there are several.
    fn candidates(&self, refund: &ExpenseRow<'a>, range: RangeInclusive<(i64, usize)>) -> Vec<usize> {
        let groups = refund
            .links
            .iter()
            .filter_map(|link| self.groups.get(&(&**link, refund.account, refund.currency)));
        let found = groups.flat_map(|group| group.admitted.range(range.clone()).take(2));
        let found: BTreeSet<usize> = found.map(|(_, position)| *position).collect();
        found.into_iter().collect()
    }

    fn reduce(&mut self, position: usize, refunded: i64) {
        let before = self.left[position];
        self.left[position] = before - refunded;
        let purchase = &self.purchases[position];
        for link in purchase.links {
            let group = self.groups.get_mut(&(&**link, purchase.account, purchase.currency));
            let admitted = &mut group.expect("every link of a purchase has a group").admitted;
            if admitted.remove(&(before, position)) {
                admitted.insert((before - refunded, position));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan as _;
    use passbook_domain::refund::REFUND_DAYS_MAX;

    use super::*;

    /// A row of one account and currency, on a day of January 2024.
    fn row<'a>(day: i8, payee: Option<&'a str>, links: &'a [Arc<str>], amount_cents: i64) -> ExpenseRow<'a> {
        ExpenseRow {
            record: 0,
            transaction_id: Uuid::nil(),
            date: Date::constant(2024, 1, day),
            account: "Expenses:Clothing",
            payee,
            links,
            amount_cents,
            currency: Currency::EUR,
        }
    }

    fn links<const COUNT: usize>(names: [&str; COUNT]) -> [Arc<str>; COUNT] {
        names.map(Arc::from)
    }

    #[test]
    fn link_to_an_unmatched_account_falls_back_to_payee_and_amount() {
        let (order, invoice) = (links(["order"]), links(["invoice"]));
        let purchases = [row(1, Some("Zalando"), &order, 500), row(2, Some("Zalando"), &[], 700)];
        let refunds = [row(3, Some("Zalando"), &invoice, 500), row(4, Some("Zalando"), &invoice, 600)];
        assert_eq!(find(&purchases, &refunds), [Ok(0), Err(Unlinked::NoPurchase)]);
    }

    #[test]
    fn ambiguous_link_does_not_fall_back_to_payee_and_amount() {
        let order = links(["order"]);
        let purchases =
            [row(1, Some("A"), &order, 900), row(1, Some("A"), &order, 800), row(2, Some("A"), &[], 500)];
        assert_eq!(find(&purchases, &[row(3, Some("A"), &order, 500)]), [Err(Unlinked::SeveralPurchases)]);
    }

    #[test]
    fn purchase_that_is_refunded_by_link_is_not_taken_by_payee() {
        let order = links(["order"]);
        let purchases = [row(1, Some("A"), &order, 900)];
        let refunds = [row(2, Some("A"), &[], 900), row(3, Some("A"), &order, 300)];
        // The link applies first, although its refund is later.
        assert_eq!(find(&purchases, &refunds), [Err(Unlinked::NoPurchase), Ok(0)]);
    }

    #[test]
    fn purchase_with_two_links_is_reduced_under_both() {
        let (both, left, right) = (links(["a", "b"]), links(["a"]), links(["b"]));
        let purchases = [row(1, None, &both, 100)];
        let refunds = [row(2, None, &left, 60), row(3, None, &right, 60), row(4, None, &right, 40)];
        assert_eq!(find(&purchases, &refunds), [Ok(0), Err(Unlinked::NoPurchase), Ok(0)]);
    }

    /// The same rules, by comparing each refund with each purchase.
    fn find_by_comparison(
        purchases: &[ExpenseRow<'_>],
        refunds: &[ExpenseRow<'_>],
    ) -> Vec<Result<usize, Unlinked>> {
        let mut left: Vec<i64> = purchases.iter().map(|row| row.amount_cents).collect();
        let only = |matching: Vec<usize>| match matching[..] {
            [] => Err(Unlinked::NoPurchase),
            [only] => Ok(only),
            _ => Err(Unlinked::SeveralPurchases),
        };
        let all = || 0..purchases.len();
        let mut found = Vec::new();
        for refund in refunds {
            let linked = |position: &usize| {
                let purchase = &purchases[*position];
                purchase.date <= refund.date && purchase.links.iter().any(|link| refund.links.contains(link))
            };
            let large: Vec<usize> =
                all().filter(linked).filter(|position| left[*position] >= refund.amount_cents).collect();
            let exact = large.iter().copied().filter(|position| left[*position] == refund.amount_cents);
            let taken = match only(large.clone()) {
                Err(Unlinked::SeveralPurchases) => {
                    only(exact.collect()).map_err(|_| Unlinked::SeveralPurchases)
                }
                taken => taken,
            };
            if let Ok(position) = taken {
                left[position] -= refund.amount_cents;
            }
            found.push(taken);
        }
        for (refund, found) in refunds.iter().zip(&mut found) {
            if *found == Err(Unlinked::NoPurchase) && refund.payee.is_some() {
                let alike = all().filter(|position| {
                    let purchase = &purchases[*position];
                    let untouched = left[*position] == purchase.amount_cents;
                    let same = (purchase.payee, purchase.amount_cents) == (refund.payee, refund.amount_cents);
                    let days = (refund.date - purchase.date).get_days();
                    untouched && same && (0..=REFUND_DAYS_MAX).contains(&days)
                });
                *found = only(alike.collect());
                if let Ok(position) = *found {
                    left[position] -= refund.amount_cents;
                }
            }
        }
        found
    }

    #[test]
    fn purchases_found_equal_those_found_by_comparing_each_pair() {
        let sets = [links(["a", "b"]).to_vec(), links(["a"]).to_vec(), links(["b"]).to_vec(), Vec::new()];
        let mut seed = 7_u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let (mut linked, mut rejected) = (0, 0);
        for _ in 0..400 {
            let mut rows = |count: usize| {
                let mut rows: Vec<ExpenseRow<'_>> = (0..count)
                    .map(|_| {
                        let payee = ["A", "B"].get(usize::try_from(random(3)).expect("small")).copied();
                        let set = &sets[usize::try_from(random(4)).expect("small")];
                        let amount = i64::try_from(random(5)).expect("small") + 1;
                        let mut row = row(1, payee, set, amount);
                        row.date += i64::try_from(40 * random(6)).expect("small").days();
                        row
                    })
                    .collect();
                rows.sort_by_key(|row| row.date);
                rows
            };
            let (purchases, refunds) = (rows(7), rows(5));
            let found = find(&purchases, &refunds);
            assert_eq!(found, find_by_comparison(&purchases, &refunds), "{purchases:#?} {refunds:#?}");
            linked += found.iter().flatten().count();
            rejected += found.iter().filter(|found| found.is_err()).count();
        }
        assert!(linked > 200 && rejected > 200, "{linked} linked, {rejected} rejected");
    }
}
