//! Links refunds to purchases.

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;
use passbook_domain::Currency;
use uuid::Uuid;

/// Maximum number of days from a purchase to its refund.
pub const REFUND_DAYS_MAX: i32 = 90;

/// A row that may be a purchase or a refund. Transfers are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Purchase {
    /// Index of the row.
    pub row: u32,
    /// The account.
    pub account: Uuid,
    /// The booking day.
    pub day: Date,
    /// Signed hundredths: negative for a purchase.
    pub cents: i64,
    /// Currency of the amount.
    pub currency: Currency,
    /// Fingerprint of the merchant's name.
    pub merchant: u64,
}

/// Returns the refunds with their purchases, as indexes of rows. A refund is linked if exactly one purchase that no
/// earlier refund has taken fits it: same account, merchant and amount, at most [`REFUND_DAYS_MAX`] days earlier.
pub fn refunds(rows: &[Purchase]) -> Vec<(u32, u32)> {
    let mut purchases: HashMap<(Uuid, u64, i64, Currency), Vec<&Purchase>> = HashMap::new();
    for row in rows.iter().filter(|row| row.cents < 0) {
        purchases.entry((row.account, row.merchant, row.cents, row.currency)).or_default().push(row);
    }
    purchases.values_mut().for_each(|purchases| purchases.sort_by_key(|row| (row.day, row.row)));
    let mut incoming: Vec<&Purchase> = rows.iter().filter(|row| row.cents > 0).collect();
    incoming.sort_by_key(|row| (row.day, row.row));
    let mut taken = HashSet::new();
    let mut links = Vec::new();
    for refund in incoming {
        let key = (refund.account, refund.merchant, -refund.cents, refund.currency);
        let known = purchases.get(&key).map_or(&[][..], Vec::as_slice);
        let first = known.partition_point(|row| (refund.day - row.day).get_days() > REFUND_DAYS_MAX);
        let end = known.partition_point(|row| row.day <= refund.day);
        let mut fitting = known[first.min(end)..end].iter().filter(|row| !taken.contains(&row.row));
        if let (Some(purchase), None) = (fitting.next(), fitting.next()) {
            taken.insert(purchase.row);
            links.push((refund.row, purchase.row));
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn row(row: u32, day: i8, cents: i64) -> Purchase {
        let day = date(2026, 1, day);
        Purchase { row, account: Uuid::nil(), day, cents, currency: Currency::EUR, merchant: 7 }
    }

    #[test]
    fn refund_links_to_its_only_purchase() {
        assert_eq!(refunds(&[row(0, 1, -500), row(1, 9, 500)]), [(1, 0)]);
        assert_eq!(refunds(&[row(0, 10, -500), row(1, 9, 500)]), []);
        assert_eq!(refunds(&[row(0, 1, -500), row(1, 2, -500), row(2, 9, 500)]), []);
        assert_eq!(refunds(&[row(0, 1, -500), row(1, 9, 500), row(2, 10, 500)]), [(1, 0)]);
        let late = Purchase { day: date(2026, 4, 2), ..row(1, 1, 500) };
        assert_eq!(refunds(&[row(0, 1, -500), late]), []);
        let other = Purchase { merchant: 8, ..row(1, 9, 500) };
        assert_eq!(refunds(&[row(0, 1, -500), other]), []);
    }
}
