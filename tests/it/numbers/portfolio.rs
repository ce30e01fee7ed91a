//! The portfolio snapshot: each rule by name, and totals of random portfolios.

mod invariants;
mod items;
mod paper;
mod wallets;

use passbook_domain::Currency;
use passbook_records::record::Record;
use serde_json::Value;
use tests::app::App;
use tests::assets::Assets;
use tests::household::{Household, rate};

/// Requests the portfolio of a person with these assets and the preferred currency euro. On 2026-11-20 two dollars are
/// one euro; a pound has no rate.
async fn portfolio(assets: impl FnOnce(&mut Assets)) -> Value {
    let app = App::start().await;
    let household = Household::new();
    let mut built = Assets::new(household.user.user_id);
    assets(&mut built);
    let person = household.records().into_iter().take(1);
    let rates = [Record::RateBase(Currency::EUR), rate("2026-11-20", "USD", "2")];
    app.load(person.chain(rates).chain(built.records)).await;
    let token = app.token(household.user.user_id).await;
    app.get("/v1/portfolio", &token).await.ok()
}

/// The values of one field of every element of a list.
fn column(list: &Value, field: &str) -> Vec<Value> {
    let list = list.as_array().unwrap_or_else(|| panic!("expected a list, found {list}"));
    list.iter().map(|element| element[field].clone()).collect()
}
