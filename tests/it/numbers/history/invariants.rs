//! Random portfolios: every point equals the model, and today's point equals the total of the portfolio.

use std::collections::{BTreeMap, BTreeSet};

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};
use passbook_domain::Currency;
use passbook_domain::bank::BankStatus;
use passbook_domain::portfolio::{AccountType, SecurityType};
use passbook_records::record::{ExchangeRate, Record};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use rust_decimal::Decimal;
use serde_json::Value;
use tests::app::{App, TODAY};
use tests::assets::Assets;
use tests::household::{Household, parse_currency};
use tests::model::Model;
use tests::valuation::{Valuation, ValuationModel};

use super::{cents, days};

/// Number of random portfolios, in an ordinary and in a thorough test run.
const CASES: (u32, u32) = (8, 24);
/// Maximum age of stored rows, in days.
const OLDEST_DAYS: i64 = 150;

/// A random portfolio without an owner. Days are counted back from today.
#[derive(Clone, Debug)]
struct Random {
    preferred: &'static str,
    accounts: Vec<RandomAccount>,
    contents: Vec<Content>,
    /// Units per euro in hundred-thousandths, by currency and day.
    rates: BTreeMap<(&'static str, i64), i64>,
    /// First day, number of days and interval of each request.
    ranges: Vec<(i64, i64, &'static str)>,
}

#[derive(Clone, Debug)]
struct RandomAccount {
    currency: &'static str,
    balance_cents: i64,
    closes: Option<i64>,
    snapshots: BTreeMap<i64, i64>,
}

#[derive(Clone, Debug)]
struct Content {
    wallet: usize,
    currency: &'static str,
    /// Quantities in hundred-millionths, by day.
    quantities: BTreeMap<i64, i64>,
    prices: BTreeMap<i64, i64>,
}

fn random() -> impl Strategy<Value = Random> {
    let currency = || prop::sample::select(vec!["EUR", "EUR", "USD", "JPY", "CHF"]);
    let day = || -4..OLDEST_DAYS;
    let cents = || -900_000_000_i64..900_000_000;
    let account = (
        currency(),
        cents(),
        prop::option::weighted(0.25, day()),
        prop::collection::btree_map(day(), cents(), 0..8),
    )
        .prop_map(|(currency, balance_cents, closes, snapshots)| RandomAccount {
            currency,
            balance_cents,
            closes,
            snapshots,
        });
    let quantity = prop_oneof![1 => Just(0_i64), 4 => 1_i64..90_000_000_000];
    let content = (
        0_usize..2,
        currency(),
        prop::collection::btree_map(day(), quantity, 0..5),
        prop::collection::btree_map(day(), 0_i64..9_000_000_000_000, 0..8),
    )
        .prop_map(|(wallet, currency, quantities, prices)| Content {
            wallet,
            currency,
            quantities,
            prices,
        });
    let rate = (prop::sample::select(vec!["USD", "JPY", "CHF"]), day());
    let interval = prop::sample::select(vec!["auto", "day", "week", "month"]);
    (
        prop::sample::select(vec!["EUR", "USD", "CHF"]),
        prop::collection::vec(account, 0..7),
        prop::collection::vec(content, 0..5),
        prop::collection::btree_map(rate, 1_i64..20_000_000, 0..20),
        prop::collection::vec((-6..OLDEST_DAYS + 10, 1_i64..140, interval), 3),
    )
        .prop_map(|(preferred, accounts, contents, rates, ranges)| Random {
            preferred,
            accounts,
            contents,
            rates,
            ranges,
        })
}

#[test]
fn every_point_equals_the_model() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let app = runtime.block_on(App::start());
    let cases = tests::cases(CASES.0, CASES.1);
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&random(), |random| runtime.block_on(check(&app, &random)));
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}

async fn check(app: &App, random: &Random) -> Result<(), TestCaseError> {
    let mut household = Household::new();
    household.user.preferred_currency = parse_currency(random.preferred);
    let records = assets(household.user.user_id, random);
    let rates: Vec<ExchangeRate> = random
        .rates
        .iter()
        .map(|((code, ago), units)| ExchangeRate {
            currency: parse_currency(code),
            as_of: before_today(*ago),
            units_per_base: Decimal::new(*units, 5),
        })
        .collect();
    // Rates are shared by all users, so the rates of the previous case are deleted.
    app.write("delete from passbook.exchange_rates").await;
    let person = household.records().into_iter().take(1);
    let quoted = rates.iter().cloned().map(Record::ExchangeRate);
    app.load(person.chain([Record::RateBase(Currency::EUR)]).chain(quoted).chain(records.clone())).await;
    let token = app.token(household.user.user_id).await;
    let model = Model::new(&household, &rates);
    let model = ValuationModel { model: &model, records: &records, today: TODAY };

    for (ago, length, interval) in &random.ranges {
        let first = before_today(*ago);
        let last = first.checked_add((length - 1).days()).expect("in range");
        let query = format!("dateFrom={first}&dateTo={last}&interval={interval}");
        let answer = app.get(&format!("/v1/portfolio/history?{query}"), &token).await.ok();
        check_history(&answer, &model, (first, last), interval)?;
        for by in ["account", "type"] {
            let with_series = app.get(&format!("/v1/portfolio/history?{query}&by={by}"), &token).await.ok();
            check_series(&with_series, &answer, &model, by)?;
        }
    }
    let everything = app.get("/v1/portfolio/history?timeRange=all&interval=day", &token).await.ok();
    let first = model.first_known().unwrap_or(TODAY).min(TODAY);
    check_history(&everything, &model, (first, TODAY), "day")?;
    let portfolio = app.get("/v1/portfolio", &token).await.ok();
    let today = everything["points"].as_array().and_then(|points| points.last()).expect("a point");
    for field in ["total", "partial", "unconverted"] {
        prop_assert_eq!(today.get(field), portfolio.get(field), "{} today", field);
    }
    Ok(())
}

fn check_history(
    answer: &Value,
    model: &ValuationModel<'_>,
    (first, last): (Date, Date),
    requested: &str,
) -> Result<(), TestCaseError> {
    let length = (last - first).get_days() + 1;
    let interval = match requested {
        "auto" if length <= 92 => "day",
        "auto" => "week",
        requested => requested,
    };
    let bounds = [&answer["dateFrom"], &answer["dateTo"], &answer["interval"]];
    prop_assert_eq!(bounds, [&first.to_string(), &last.to_string(), interval]);
    let grid: Vec<Date> = first
        .series(1.day())
        .take_while(|day| *day <= last)
        .filter(|day| is_point(*day, last, interval))
        .collect();
    prop_assert_eq!(days(answer), grid.iter().map(ToString::to_string).collect::<Vec<_>>());
    for (point, day) in answer["points"].as_array().expect("a list").iter().zip(&grid) {
        prop_assert_eq!(&valuation_of(point), &model.on(*day), "{}", day);
    }
    let complete_from = model.complete_from(before_today(OLDEST_DAYS + 1));
    let expected = complete_from.filter(|day| *day > first).map(|day| day.to_string());
    prop_assert_eq!(answer.get("completeFrom").and_then(Value::as_str), expected.as_deref());
    let (start, end) = (model.on(first), model.on(last));
    let whole = |valuation: &Valuation| !valuation.partial && valuation.unconverted.is_empty();
    let change = (whole(&start) && whole(&end)).then(|| end.cents - start.cents);
    prop_assert_eq!(answer.get("change").map(|change| cents(&change["amount"])), change);
    let percent = answer["change"]["percent"].as_f64();
    prop_assert_eq!(percent.is_some(), change.is_some() && start.cents > 0);
    if let (Some(percent), Some(change)) = (percent, change) {
        let exact = Decimal::from(change * 100) / Decimal::from(start.cents);
        let two = exact.round_dp_with_strategy(2, rust_decimal::RoundingStrategy::MidpointAwayFromZero);
        prop_assert_eq!(Decimal::try_from(percent).expect("a small number"), two.normalize());
    }
    Ok(())
}

/// Checks that each series equals the model, and that the series add up to the total at every point.
fn check_series(
    answer: &Value,
    without_series: &Value,
    model: &ValuationModel<'_>,
    by: &str,
) -> Result<(), TestCaseError> {
    prop_assert_eq!(&answer["points"], &without_series["points"]);
    prop_assert_eq!(answer.get("change"), without_series.get("change"));
    let points = answer["points"].as_array().expect("a list");
    let series = answer["series"].as_array().expect("series");
    let key = if by == "account" { "id" } else { "type" };
    let mut known = BTreeSet::new();
    for (at, point) in points.iter().enumerate() {
        let day: Date = point["date"].as_str().expect("a day").parse().expect("a day");
        let parts = if by == "account" { model.accounts_on(day) } else { model.types_on(day) };
        let mut sum = Valuation::default();
        for series in series {
            let point = &series["points"][at];
            prop_assert_eq!(&point["date"], &day.to_string());
            let found = valuation_of(point);
            let name = series[key].as_str().expect("a key");
            prop_assert_eq!(&found, &parts.get(name).cloned().unwrap_or_default(), "{} {}", name, day);
            sum.cents += found.cents;
            sum.partial |= found.partial;
            for (currency, cents) in found.unconverted {
                *sum.unconverted.entry(currency).or_default() += cents;
            }
        }
        prop_assert_eq!(sum, valuation_of(point));
        known.extend(parts.into_keys());
    }
    let named: BTreeSet<String> =
        series.iter().map(|series| series[key].as_str().expect("a key").to_owned()).collect();
    prop_assert_eq!(named, known);
    let lasts: Vec<i64> = series
        .iter()
        .filter_map(|series| Some(cents(&series["points"].as_array()?.last()?["total"])))
        .collect();
    prop_assert!(lasts.is_sorted_by(|one, next| one >= next));
    Ok(())
}

fn is_point(day: Date, last: Date, interval: &str) -> bool {
    day == last
        || match interval {
            "day" => true,
            "week" => day.weekday() == Weekday::Sunday,
            _ => day.tomorrow().expect("in range").day() == 1,
        }
}

fn before_today(days: i64) -> Date {
    TODAY.checked_sub(days.days()).expect("in range")
}

fn assets(user: uuid::Uuid, random: &Random) -> Vec<Record> {
    let mut assets = Assets::new(user);
    let bank = assets.bank("Bank", BankStatus::Manual);
    for (at, account) in random.accounts.iter().enumerate() {
        let name = format!("Account {at}");
        let types = [AccountType::Depository, AccountType::Credit, AccountType::Other];
        let account_type = types[at % types.len()];
        let id = assets.account(bank, &name, account_type, account.balance_cents, account.currency);
        if let Some(ago) = account.closes {
            assets.closed_on(&before_today(ago).to_string());
        }
        for (ago, cents) in &account.snapshots {
            assets.snapshot(id, &before_today(*ago).to_string(), *cents);
        }
    }
    let wallets: Vec<_> = (0..2).map(|at| assets.wallet(&format!("Wallet {at}"))).collect();
    for (at, content) in random.contents.iter().enumerate() {
        let security = assets.security(&format!("COIN{at}"), SecurityType::Cryptocurrency, content.currency);
        for (ago, price) in &content.prices {
            assets.price(security, &before_today(*ago).to_string(), &Decimal::new(*price, 8).to_string());
        }
        for (ago, quantity) in &content.quantities {
            let quantity = Decimal::new(*quantity, 8).to_string();
            assets.wallet_holding(
                wallets[content.wallet],
                security,
                &before_today(*ago).to_string(),
                &quantity,
            );
        }
    }
    assets.records
}

/// The total of a point.
fn valuation_of(point: &Value) -> Valuation {
    let unconverted = point.get("unconverted").and_then(Value::as_array).cloned().unwrap_or_default();
    Valuation {
        cents: cents(&point["total"]),
        unconverted: unconverted
            .iter()
            .map(|entry| (entry["currency"].as_str().expect("a code").to_owned(), cents(entry)))
            .collect(),
        partial: point.get("partial").is_some_and(|partial| partial == true),
    }
}
