//! Bounds of rates, quantities and prices, so that no stored number makes a total exceed the range of the service.
//!
//! The value of a quantity at a price has a bound too: `check` compares quantities with prices.

use passbook_input::{Fault, Faults};
use passbook_records::Located;
use passbook_records::record::Record;
use rust_decimal::Decimal;

use super::check::{NUMBER_MAX, inside};

/// Smallest accepted number of units of a currency for one unit of the base.
const RATE_MIN: Decimal = Decimal::from_parts(1, 0, 0, false, 9);
/// Largest accepted number of units of a currency for one unit of the base.
const RATE_MAX: Decimal = Decimal::from_parts(1_000_000_000, 0, 0, false, 0);
/// Adds a fault for each number of the record that is out of bounds.
pub(super) fn check(located: &Located, faults: &mut Faults) {
    let (rate, numbers) = match &located.record {
        Record::ExchangeRate(rate) => (Some(rate.units_per_base), [None, None]),
        Record::SecurityPrice(price) => (None, [Some(("price", price.price)), None]),
        Record::Holding(holding) => (None, [Some(("quantity", holding.quantity)), None]),
        Record::WalletHolding(holding) => (None, [Some(("quantity", holding.quantity)), None]),
        Record::PaperPosition(position) => {
            let price = ("average_entry_price", position.average_entry_price);
            (None, [Some(("quantity", position.quantity)), Some(price)])
        }
        _ => return,
    };
    if let Some(rate) = rate.filter(|rate| !(RATE_MIN..=RATE_MAX).contains(rate)) {
        let rule = format!("must be a rate from {RATE_MIN} to {RATE_MAX}");
        faults.push(Fault::new(inside(&located.place, "units_per_base"), rule).received(rate.to_string()));
    }
    for (field, number) in numbers.into_iter().flatten() {
        if number.abs() > Decimal::from(NUMBER_MAX) {
            let rule = format!("must be a number from -{NUMBER_MAX} to {NUMBER_MAX}");
            faults.push(Fault::new(inside(&located.place, field), rule).received(number.to_string()));
        }
    }
}

#[cfg(test)]
mod tests {
    use passbook_domain::Currency;
    use passbook_records::record::{ExchangeRate, SecurityPrice};
    use uuid::Uuid;

    use super::*;

    fn faults(record: Record) -> Vec<String> {
        let mut faults = Faults::unlimited();
        check(&Located { place: "records[0]".to_owned(), record }, &mut faults);
        faults.into_iter().map(|fault| fault.to_string()).collect()
    }

    #[test]
    fn rate_that_makes_totals_overflow_is_rejected() {
        let rate = |text: &str| {
            let currency = Currency::parse("USD").expect("a currency");
            let units_per_base = text.parse().expect("a number");
            faults(Record::ExchangeRate(ExchangeRate {
                currency,
                as_of: "2026-01-02".parse().expect("a day"),
                units_per_base,
            }))
        };
        assert_eq!(rate("0.000000001"), [""; 0]);
        assert_eq!(rate("1000000000"), [""; 0]);
        for text in ["0.0000000009", "1000000000.1"] {
            let rule = "must be a rate from 0.000000001 to 1000000000";
            assert_eq!(rate(text), [format!("records[0].units_per_base: {rule}; received {text}")]);
        }
    }

    #[test]
    fn price_above_the_largest_amount_is_rejected() {
        let price = |price: i64| {
            faults(Record::SecurityPrice(SecurityPrice {
                user_id: Uuid::nil(),
                security_id: Uuid::nil(),
                as_of: "2026-01-02".parse().expect("a day"),
                price: price.into(),
            }))
        };
        assert_eq!(price(NUMBER_MAX), [""; 0]);
        assert_eq!(price(NUMBER_MAX + 1).len(), 1);
    }
}
