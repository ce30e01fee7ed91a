//! What everything was worth over time: the days, what is known of them and what is not, and change; and that it all
//! agrees with an independent model and with the portfolio.

mod accounts;
mod change;
mod days;
mod invariants;
mod wallets;
mod walls;

use domain::Currency;
use domain::bank::BankStatus;
use domain::portfolio::AccountType;
use formats::record::Record;
use serde_json::Value;
use tests::app::App;
use tests::assets::Assets;
use tests::household::Household;
use tests::http::Reply;
use uuid::Uuid;

/// Asks for the history of a person with these assets, who counts in euro, on 2026-11-21, a Saturday.
async fn asked(query: &str, assets: impl FnOnce(&mut Assets)) -> Reply {
    let app = App::start().await;
    let household = Household::new();
    let mut built = Assets::new(household.user.user_id);
    assets(&mut built);
    let person = household.records().into_iter().take(1);
    app.load(person.chain([Record::RateBase(Currency::EUR)]).chain(built.records)).await;
    let token = app.token(household.user.user_id).await;
    app.get(&format!("/v1/portfolio/history{query}"), &token).await
}

/// The same, answered.
async fn history(query: &str, assets: impl FnOnce(&mut Assets)) -> Value {
    asked(query, assets).await.ok()
}

/// An account of an only bank, with the balance it has now and earlier ones.
fn account(
    assets: &mut Assets,
    name: &str,
    currency: &str,
    balance_cents: i64,
    snapshots: &[(&str, i64)],
) -> Uuid {
    let bank = assets.bank("Seaside Bank", BankStatus::Manual);
    let account = assets.account(bank, name, AccountType::Depository, balance_cents, currency);
    for (date, cents) in snapshots {
        assets.snapshot(account, date, *cents);
    }
    account
}

/// The points as lines: day, cents in euro, `partial`, and what is not converted.
fn lines(answer: &Value) -> Vec<String> {
    let points = answer["points"].as_array().unwrap_or_else(|| panic!("points, not {answer}"));
    points.iter().map(line).collect()
}

fn line(point: &Value) -> String {
    let mut words =
        vec![point["date"].as_str().expect("a day").to_owned(), cents(&point["total"]).to_string()];
    if let Some(partial) = point.get("partial") {
        assert_eq!(partial, true, "absent when it is not true");
        words.push("partial".to_owned());
    }
    if let Some(unconverted) = point.get("unconverted") {
        let entries = unconverted.as_array().expect("a list");
        assert!(!entries.is_empty(), "absent when there are none");
        for entry in entries {
            assert!(entry.get("transactionCount").is_none(), "no transactions are counted");
            words.push(format!("{}:{}", entry["currency"].as_str().expect("a code"), cents(entry)));
        }
    }
    words.join(" ")
}

fn cents(money: &Value) -> i64 {
    money["amount_cents"].as_i64().unwrap_or_else(|| panic!("cents, not {money}"))
}

/// The days of the points.
fn days(answer: &Value) -> Vec<String> {
    let points = answer["points"].as_array().unwrap_or_else(|| panic!("points, not {answer}"));
    points.iter().map(|point| point["date"].as_str().expect("a day").to_owned()).collect()
}
