//! `docs/figures.md`: the response of the example is the response of a server with the described accounts.

use crate::numbers::history::{account, request};
use crate::rest::contract::json::Json;

#[tokio::test]
async fn response_of_the_history_is_as_shown() {
    let blocks = tests::documents::blocks_of("docs/figures.md");
    let [response] = blocks[..] else { panic!("{} blocks", blocks.len()) };
    assert_eq!(response.language, "json");
    let reply = request("?dateFrom=2026-11-17&dateTo=2026-11-20", |assets| {
        account(assets, "Checking", "EUR", 100, &[("2026-11-01", 100)]);
        account(assets, "Savings", "EUR", 500, &[("2026-11-19", 500)]);
    })
    .await;
    reply.ok();
    let shown: Json = serde_json::from_slice(&reply.body).expect("JSON");
    response.assert_shows(&shown.pretty());
}
