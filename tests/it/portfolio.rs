//! What a person has now: every rule of the snapshot by name, and that it adds up on random portfolios.

mod invariants;
mod items;
mod paper;
mod wallets;

use domain::Currency;
use formats::record::Record;
use serde_json::Value;
use tests::app::App;
use tests::assets::Assets;
use tests::household::{Household, rate};

/// Asks for the portfolio of a person with these assets, who counts in euro. A dollar of the 20th is half a euro; a
/// pound has no rate.
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
    let list = list.as_array().unwrap_or_else(|| panic!("a list, not {list}"));
    list.iter().map(|element| element[field].clone()).collect()
}
