//! Links refunds to purchases by the rule of `passbook_domain::refund`. The merchant is the fingerprint of its name.

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::refund::Purchases;
use uuid::Uuid;

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

/// Returns the refunds with their purchases, as indexes of rows.
pub fn refunds(rows: &[Purchase]) -> Vec<(u32, u32)> {
    let key = |row: &Purchase, cents: i64| (row.account, row.merchant, cents, row.currency);
    let outgoing = rows.iter().enumerate().filter(|(_, row)| row.cents < 0);
    let mut purchases = Purchases::new(outgoing.map(|(number, row)| (key(row, row.cents), row.day, number)));
    let mut incoming: Vec<&Purchase> = rows.iter().filter(|row| row.cents > 0).collect();
    incoming.sort_by_key(|row| (row.day, row.row));
    let found = |refund: &Purchase| {
        let purchase = purchases.take(&key(refund, -refund.cents), refund.day).ok()?;
        Some((refund.row, rows[purchase].row))
    };
    incoming.into_iter().filter_map(found).collect()
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
