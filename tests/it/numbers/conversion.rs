//! Currency conversion by PostgreSQL: rounding once, half away from zero, and the largest amount.

use passbook_domain::{Currency, Money};
use passbook_ledger_kit::Rates;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tests::app::TODAY;
use tests::database::{Database, one};
use tests::household::parse_currency;

/// The conversion of the ledger in memory. Rates are in hundred-thousandths.
fn reference(amount: i64, from: i64, to: i64) -> Option<i64> {
    let units = |rate: i64| format!("{}.{:05}", rate / 100_000, rate % 100_000);
    let (usd, chf) = (parse_currency("USD"), parse_currency("CHF"));
    let mut rates = Rates::new(Currency::EUR);
    for (currency, rate) in [(usd, from), (chf, to)] {
        rates.insert(currency, TODAY, &units(rate)).expect("a positive number");
    }
    rates.convert(Money::new(amount, usd), chf, TODAY)
}

#[test]
fn random_amounts_are_converted_exactly() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let client = runtime.block_on(async { Database::fresh().await.connect("passbook_reader").await });
    let statement = "select passbook_read.convert_cents($1, ($2::bigint / 100000.0)::numeric, ($3::bigint / 100000.0)::numeric)";
    let amounts = -9_000_000_000_000_i64..9_000_000_000_000;
    let near_half =
        (1_i64..2_000_000, 1_i64..400).prop_map(|(amount, rate)| (amount, rate * 200_000, rate * 100_000));
    let anything = (amounts, 1_i64..20_000_000, 1_i64..20_000_000);
    let mut runner = TestRunner::new(Config { cases: 512, failure_persistence: None, ..Config::default() });
    runner
        .run(&prop_oneof![anything, near_half], |(amount, from, to)| {
            let row = runtime
                .block_on(client.query_one(statement, &[&amount, &from, &to]))
                .expect("the conversion succeeds");
            prop_assert_eq!(row.get::<_, Option<i64>>(0), reference(amount, from, to));
            Ok(())
        })
        .expect("every amount must be converted exactly");
}

#[tokio::test]
async fn conversion_rounds_half_away_from_zero_once_and_has_no_result_beyond_the_largest_amount() {
    let client = Database::fresh().await.connect("passbook_reader").await;
    for (amount, from, to, expected) in [
        (1_i64, "2", "1", Some(1_i64)),
        (-1, "2", "1", Some(-1)),
        (3, "2", "1", Some(2)),
        (5, "4", "1", Some(1)),
        // Slightly less than one half. Dividing with limited precision first would give exactly one half.
        (1, "2.0000000000000000000000001", "1", Some(0)),
        (9_000_000_000_000_000, "3", "1", Some(3_000_000_000_000_000)),
        (8_999_999_999_999_999, "2", "1", Some(4_500_000_000_000_000)),
        (100, "1.1", "157.61", Some(14_328)),
        (4_500_000_000_000_000, "1", "2", Some(9_000_000_000_000_000)),
        (-4_500_000_000_000_000, "1", "2", Some(-9_000_000_000_000_000)),
        (4_500_000_000_000_001, "1", "2", None),
        (-4_500_000_000_000_001, "1", "2", None),
        (9_000_000_000_000_000, "0.000000001", "1000000000", None),
    ] {
        let query = format!("select passbook_read.convert_cents({amount}, {from}, {to})");
        assert_eq!(one::<Option<i64>>(&client, &query).await, expected, "{amount} × {to} / {from}");
    }
}
