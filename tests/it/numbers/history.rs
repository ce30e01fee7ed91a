//! Portfolio history: days and intervals, known and unknown values, change, and agreement with an independent model
//! and with the portfolio.

mod accounts;
mod change;
mod days;
mod invariants;
mod wallets;

use passbook_domain::Currency;
use passbook_domain::bank::BankStatus;
use passbook_domain::portfolio::AccountType;
use passbook_records::record::Record;
use serde_json::Value;
use tests::app::App;
use tests::assets::Assets;
use tests::household::Household;
use tests::http::Reply;
use uuid::Uuid;

/// Requests the history of a person with these assets and the preferred currency euro, on 2026-11-21, a Saturday.
pub(crate) async fn request(query: &str, assets: impl FnOnce(&mut Assets)) -> Reply {
    let app = App::start().await;
    let household = Household::new();
    let mut built = Assets::new(household.user.user_id);
    assets(&mut built);
    let person = household.records().into_iter().take(1);
    app.load(person.chain([Record::RateBase(Currency::EUR)]).chain(built.records)).await;
    let token = app.token(household.user.user_id).await;
    app.get(&format!("/v1/portfolio/history{query}"), &token).await
}

/// The payload of a history request that must succeed.
async fn history(query: &str, assets: impl FnOnce(&mut Assets)) -> Value {
    request(query, assets).await.ok()
}

/// Adds an account at a bank with a current balance and earlier balance snapshots.
pub(crate) fn account(
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

/// The points as text: day, cents in euro, `partial`, and amounts that are not converted.
fn lines(answer: &Value) -> Vec<String> {
    let points = answer["points"].as_array().unwrap_or_else(|| panic!("expected points, found {answer}"));
    points.iter().map(line).collect()
}

fn line(point: &Value) -> String {
    let mut words =
        vec![point["date"].as_str().expect("a day").to_owned(), cents(&point["total"]).to_string()];
    if let Some(partial) = point.get("partial") {
        assert_eq!(partial, true, "partial must be absent unless it is true");
        words.push("partial".to_owned());
    }
    if let Some(unconverted) = point.get("unconverted") {
        let entries = unconverted.as_array().expect("a list");
        assert!(!entries.is_empty(), "unconverted must be absent if it is empty");
        for entry in entries {
            assert!(entry.get("transactionCount").is_none(), "a history entry has no transaction count");
            words.push(format!("{}:{}", entry["currency"].as_str().expect("a code"), cents(entry)));
        }
    }
    words.join(" ")
}

fn cents(money: &Value) -> i64 {
    money["amount_cents"].as_i64().unwrap_or_else(|| panic!("expected cents, found {money}"))
}

/// The days of the points.
fn days(answer: &Value) -> Vec<String> {
    let points = answer["points"].as_array().unwrap_or_else(|| panic!("expected points, found {answer}"));
    points.iter().map(|point| point["date"].as_str().expect("a day").to_owned()).collect()
}
