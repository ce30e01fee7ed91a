//! Random portfolios: every total is the sum of the listed values, converted as in an independent model.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use passbook_domain::Currency;
use passbook_domain::bank::BankStatus;
use passbook_domain::portfolio::{AccountType, SecurityType};
use passbook_records::record::{ExchangeRate, Record};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use rust_decimal::{Decimal, RoundingStrategy};
use serde_json::Value;
use tests::app::{App, TODAY};
use tests::assets::Assets;
use tests::household::{Household, decimal, parse_currency};
use tests::model::Model;

/// Number of random portfolios, in an ordinary and in a thorough test run.
const CASES: (u32, u32) = (8, 24);

/// A random portfolio without an owner.
#[derive(Clone, Debug)]
struct Random {
    preferred: &'static str,
    accounts: Vec<RandomAccount>,
    contents: Vec<Content>,
    rates: Vec<Rate>,
}

/// Bank, cents, currency, and days until the account closes.
type RandomAccount = (usize, i64, &'static str, Option<i64>);

/// Wallet, quantity in hundred-millionths, currency, and the price in hundred-millionths with its age in days.
type Content = (usize, i64, &'static str, Option<(i64, i64)>);

/// Currency, age in days, and units per euro in hundred-thousandths.
type Rate = (&'static str, i64, i64);

fn random() -> impl Strategy<Value = Random> {
    let currency = || prop::sample::select(vec!["EUR", "EUR", "USD", "JPY", "CHF"]);
    let closes = prop::option::weighted(0.2, -3_i64..3);
    let account = (0_usize..3, -900_000_000_i64..900_000_000, currency(), closes);
    let price = prop::option::weighted(0.8, (1_i64..9_000_000_000_000, -2_i64..40));
    let content = (0_usize..3, 0_i64..90_000_000_000, currency(), price);
    let rate = (prop::sample::select(vec!["USD", "JPY", "CHF"]), -2_i64..40, 1_i64..20_000_000);
    (
        prop::sample::select(vec!["EUR", "USD", "CHF"]),
        prop::collection::vec(account, 0..12),
        prop::collection::vec(content, 0..8),
        prop::collection::vec(rate, 0..6),
    )
        .prop_map(|(preferred, accounts, contents, rates)| Random {
            preferred,
            accounts,
            contents,
            rates,
        })
}

/// The expected value of a total.
#[derive(Debug, Default, PartialEq)]
struct Expected {
    cents: i64,
    unconverted: BTreeMap<String, i64>,
    partial: bool,
}

impl Expected {
    fn add(&mut self, model: &Model<'_>, cents: i64, currency: &str) {
        match model.exchanged(cents, parse_currency(currency), TODAY) {
            Some(converted) => self.cents += converted,
            None => *self.unconverted.entry(currency.to_owned()).or_default() += cents,
        }
    }
}

#[test]
fn totals_are_the_sums_of_the_listed_values() {
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
    let mut assets = Assets::new(household.user.user_id);
    let items = accounts(&mut assets, random);
    let wallets = contents(&mut assets, random);
    let rates: BTreeMap<_, _> =
        random.rates.iter().map(|(code, ago, units)| ((*code, *ago), *units)).collect();
    let rates: Vec<ExchangeRate> = rates
        .into_iter()
        .map(|((code, ago), units)| ExchangeRate {
            currency: parse_currency(code),
            as_of: TODAY.checked_sub(ago.days()).expect("in range"),
            units_per_base: Decimal::new(units, 5),
        })
        .collect();
    // Rates are shared by all users, so the rates of the previous case are deleted.
    app.write("delete from passbook.exchange_rates").await;
    let person = household.records().into_iter().take(1);
    let quoted = rates.iter().cloned().map(Record::ExchangeRate);
    app.load(person.chain([Record::RateBase(Currency::EUR)]).chain(quoted).chain(assets.records)).await;
    let token = app.token(household.user.user_id).await;
    let answer = app.get("/v1/portfolio", &token).await.ok();

    let model = Model::new(&household, &rates);
    let mut portfolio = Expected::default();
    for (name, balances) in &items {
        let mut item = Expected::default();
        for (cents, currency) in balances {
            item.add(&model, *cents, currency);
            portfolio.add(&model, *cents, currency);
        }
        prop_assert_eq!(&total_of(named(&answer["items"], "bank_name", name)), &item, "{}", name);
    }
    for (name, values) in &wallets {
        let mut wallet = Expected::default();
        for value in values {
            match value {
                Some((cents, currency)) => {
                    wallet.add(&model, *cents, currency);
                    portfolio.add(&model, *cents, currency);
                }
                None => (wallet.partial, portfolio.partial) = (true, true),
            }
        }
        prop_assert_eq!(&total_of(named(&answer["wallets"], "name", name)), &wallet, "{}", name);
    }
    prop_assert_eq!(&total_of(&answer), &portfolio, "portfolio");
    let total = |list: &str| -> i64 {
        answer[list]
            .as_array()
            .expect("a list")
            .iter()
            .map(|of| of["total"]["amount_cents"].as_i64().expect("cents"))
            .sum()
    };
    prop_assert_eq!(total("items") + total("wallets"), portfolio.cents, "the shown totals must add up");
    for list in ["items", "wallets"] {
        let totals: Vec<i64> = answer[list]
            .as_array()
            .expect("a list")
            .iter()
            .map(|of| of["total"]["amount_cents"].as_i64().expect("cents"))
            .collect();
        prop_assert!(
            totals.is_sorted_by(|above, below| above >= below),
            "{} must be sorted by total: {:?}",
            list,
            totals
        );
    }
    Ok(())
}

/// Adds the accounts. Returns the balances of the open accounts by bank.
fn accounts(assets: &mut Assets, random: &Random) -> BTreeMap<String, Vec<(i64, &'static str)>> {
    let banks: Vec<_> = (0..3).map(|at| assets.bank(&format!("Bank {at}"), BankStatus::Manual)).collect();
    let mut open: BTreeMap<String, Vec<_>> = (0..3).map(|at| (format!("Bank {at}"), Vec::new())).collect();
    for (at, (bank, cents, currency, closes)) in random.accounts.iter().enumerate() {
        assets.account(banks[*bank], &format!("Account {at}"), AccountType::Other, *cents, currency);
        if let Some(days) = closes {
            assets.closed_on(&TODAY.checked_add(days.days()).expect("in range").to_string());
        }
        if closes.is_none_or(|days| days > 0) {
            open.entry(format!("Bank {bank}")).or_default().push((*cents, *currency));
        }
    }
    open
}

/// Adds the wallets. Returns value and currency of each holding by wallet. The value is None without a price today.
fn contents(assets: &mut Assets, random: &Random) -> BTreeMap<String, Vec<Option<(i64, &'static str)>>> {
    let wallets: Vec<_> = (0..3).map(|at| assets.wallet(&format!("Wallet {at}"))).collect();
    let mut values: BTreeMap<String, Vec<_>> =
        (0..3).map(|at| (format!("Wallet {at}"), Vec::new())).collect();
    for (at, (wallet, quantity, currency, price)) in random.contents.iter().enumerate() {
        let security = assets.security(&format!("COIN{at}"), SecurityType::Cryptocurrency, currency);
        let quantity = Decimal::new(*quantity, 8);
        assets.wallet_holding(wallets[*wallet], security, "2026-01-01", &quantity.to_string());
        let mut value = None;
        if let Some((price, ago)) = price {
            let price = Decimal::new(*price, 8);
            let date = TODAY.checked_sub(ago.days()).expect("in range");
            assets.price(security, &date.to_string(), &price.to_string());
            if *ago >= 0 {
                let exact = quantity * price * decimal("100");
                let cents = exact.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
                value = Some((i64::try_from(cents).expect("the amount fits into 64 bits"), *currency));
            }
        }
        if !quantity.is_zero() {
            values.entry(format!("Wallet {wallet}")).or_default().push(value);
        }
    }
    values
}

fn named<'a>(list: &'a Value, field: &str, name: &str) -> &'a Value {
    let found = list.as_array().and_then(|list| list.iter().find(|of| of[field] == name));
    found.unwrap_or_else(|| panic!("{name} must be listed"))
}

/// The total of an object, with its flags.
fn total_of(object: &Value) -> Expected {
    let unconverted = object.get("unconverted").and_then(Value::as_array).cloned().unwrap_or_default();
    Expected {
        cents: object["total"]["amount_cents"].as_i64().expect("cents"),
        unconverted: unconverted
            .iter()
            .map(|entry| {
                assert!(
                    entry.get("transactionCount").is_none(),
                    "a portfolio entry has no transaction count"
                );
                (
                    entry["currency"].as_str().expect("a code").to_owned(),
                    entry["amount_cents"].as_i64().expect("cents"),
                )
            })
            .collect(),
        partial: object.get("partial").is_some_and(|partial| partial == true),
    }
}
