//! Reads all pages of transactions and adds them up. `docs/clients.md` shows this program without these lines.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a client reads its environment and prints"
)]

use std::collections::BTreeMap;
use std::error::Error;
use std::time::Duration;

use reqwest::{Client, Url};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Page {
    transactions: Vec<Transaction>,
    pagination: Pagination,
}

#[derive(Deserialize)]
struct Transaction {
    currency: String,
    amount_cents: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Pagination {
    has_more: bool,
    next_cursor: Option<Value>,
}

/// Reads one page of transactions: the first page if there is no cursor.
async fn page(
    client: &Client,
    filters: &[(&str, &str)],
    cursor: Option<&Value>,
) -> Result<Page, Box<dyn Error>> {
    let mut address = Url::parse(&format!("{}/v1/transactions", std::env::var("BASE")?))?;
    address.query_pairs_mut().extend_pairs(filters);
    if let Some(cursor) = cursor {
        address.query_pairs_mut().append_pair("cursor", &cursor.to_string());
    }
    let response = client.get(address).bearer_auth(std::env::var("TOKEN")?).send().await?;
    let is_success = response.status().is_success();
    let body = response.text().await?;
    if is_success { Ok(serde_json::from_str(&body)?) } else { Err(body.into()) }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let client = Client::builder().timeout(Duration::from_secs(30)).build()?;
    let filters = [
        ("categories", "GROCERIES,RESTAURANT"),
        ("dateFrom", "2026-10-01"),
        ("dateTo", "2026-10-31"),
        ("pageSize", "5"),
    ];
    let mut totals = BTreeMap::<String, (u64, u64)>::new();
    let mut cursor = None;
    loop {
        let page = page(&client, &filters, cursor.as_ref()).await?;
        for row in page.transactions {
            let (count, cents) = totals.entry(row.currency).or_default();
            *count += 1;
            *cents += row.amount_cents;
        }
        cursor = page.pagination.next_cursor;
        if !page.pagination.has_more {
            break;
        }
    }
    for (currency, (count, cents)) in totals {
        println!("{count} transactions, {}.{:02} {currency}", cents / 100, cents % 100);
    }
    Ok(())
}
