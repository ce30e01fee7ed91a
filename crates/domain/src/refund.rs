//! The rule by which a refund without a stated link belongs to a purchase: the only purchase of the same merchant, account,
//! amount and currency on the day of the refund or at most [`REFUND_DAYS_MAX`] days earlier, which no earlier refund has taken.
//! Files of banks and ledgers share it. A link that the source states needs no such rule, and has no limit of days.

use std::collections::HashMap;
use std::hash::Hash;

use jiff::ToSpan as _;
use jiff::civil::Date;

/// Maximum number of days from a purchase to its refund.
pub const REFUND_DAYS_MAX: i32 = 90;

/// The reason why no purchase belongs to a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unlinked {
    /// No purchase matches.
    NoPurchase,
    /// Several purchases match.
    SeveralPurchases,
}

/// Purchases that no refund has taken, by a key: everything in which a refund must equal its purchase.
#[derive(Debug)]
pub struct Purchases<K> {
    /// The day and the number of each purchase, by day.
    by_key: HashMap<K, Vec<(Date, usize)>>,
}

impl<K: Eq + Hash> Purchases<K> {
    /// Creates the index of purchases, each with its key, its day and a number of the caller.
    pub fn new(purchases: impl IntoIterator<Item = (K, Date, usize)>) -> Purchases<K> {
        let mut by_key: HashMap<K, Vec<(Date, usize)>> = HashMap::new();
        for (key, day, number) in purchases {
            by_key.entry(key).or_default().push((day, number));
        }
        by_key.values_mut().for_each(|purchases| purchases.sort_unstable());
        Purchases { by_key }
    }

    /// Takes the purchase of a refund, and returns its number. Refunds must come in the order of their days.
    ///
    /// # Errors
    /// No purchase, or more than one, matches.
    pub fn take(&mut self, key: &K, refund: Date) -> Result<usize, Unlinked> {
        let purchases = self.by_key.get_mut(key).ok_or(Unlinked::NoPurchase)?;
        let oldest = refund.saturating_sub(REFUND_DAYS_MAX.days());
        let first = purchases.partition_point(|(day, _)| *day < oldest);
        let end = purchases.partition_point(|(day, _)| *day <= refund);
        match end - first {
            0 => Err(Unlinked::NoPurchase),
            1 => Ok(purchases.remove(first).1),
            _ => Err(Unlinked::SeveralPurchases),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn only_purchase_of_ninety_days_is_taken_once() {
        let mut purchases = Purchases::new([
            ("a", date(2026, 1, 1), 0),
            ("b", date(2026, 1, 1), 1),
            ("b", date(2026, 1, 2), 2),
        ]);
        assert_eq!(purchases.take(&"a", date(2025, 12, 31)), Err(Unlinked::NoPurchase));
        assert_eq!(purchases.take(&"b", date(2026, 1, 9)), Err(Unlinked::SeveralPurchases));
        assert_eq!(purchases.take(&"c", date(2026, 1, 9)), Err(Unlinked::NoPurchase));
        // The first of both is too old on the ninety-first day.
        assert_eq!(purchases.take(&"b", date(2026, 4, 2)), Ok(2));
        assert_eq!(purchases.take(&"a", date(2026, 4, 2)), Err(Unlinked::NoPurchase));
        assert_eq!(purchases.take(&"a", date(2026, 4, 1)), Ok(0));
        assert_eq!(purchases.take(&"a", date(2026, 4, 1)), Err(Unlinked::NoPurchase));
    }
}
