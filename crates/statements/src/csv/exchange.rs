//! Exchanges of currencies between two accounts of one file: each row states what the other account got or paid.

use std::collections::HashMap;

use passbook_domain::Currency;

use super::super::Original;
use super::columns::Columns;
use super::money::Money;
use super::records::Body;

/// The amounts of the transfers of a file by the time of the row, as written. Two of one time are an exchange if their
/// directions and their currencies differ.
#[derive(Debug, Default)]
pub(super) struct Exchanges(HashMap<String, Vec<(i64, Currency)>>);

impl Exchanges {
    /// Finds the transfers of a file that state a time.
    pub(super) fn find(columns: &Columns, body: &Body<'_>) -> Exchanges {
        let mut found = Exchanges::default();
        if columns.transfers.is_empty() {
            return found;
        }
        body.for_each_record(|record, line, _| {
            let is_left_out = columns.skip.iter().any(|test| test.is_met(record));
            let money = Money { profile: body.profile, columns, record, line };
            let Some(time) = time(&money).filter(|_| !is_left_out) else { return };
            let amount = money.amount().ok().zip(money.currency(&columns.at.currency).ok().flatten());
            if columns.transfers.iter().any(|test| test.is_met(record)) {
                found.0.entry(time.to_owned()).or_default().extend(amount);
            }
        });
        found
    }

    /// Returns the amount of the other side of an exchange, with the sign of this row.
    pub(super) fn other_side(&self, money: &Money<'_>, cents: i64) -> Option<Original> {
        let [one, other] = self.0.get(time(money)?)?[..] else { return None };
        let (received, currency) = if one.0 == cents { other } else { one };
        let is_exchange = one.1 != other.1 && (one.0 < 0) != (other.0 < 0);
        is_exchange.then_some(Original { cents: -received, currency, rate: None })
    }
}

/// Returns the booking day of a row as written, if the cell has a time too.
fn time<'a>(money: &'a Money<'_>) -> Option<&'a str> {
    money.cell(&money.columns.at.booked).filter(|cell| cell.contains(':'))
}
