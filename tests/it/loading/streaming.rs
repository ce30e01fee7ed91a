//! A file of any size: what is read and not yet stored stays within a bound.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ingest::load::{Options, load};
use serde_json::json;
use tests::database::Database;

use super::{example, loaded, of};

const ROWS: u64 = 50_000;

/// The most rows that may have been read and not been stored: one table's batch, the channel, and what the
/// reader's buffer holds.
const ROWS_IN_MEMORY_MAX: u64 = 4_000;

/// A bundle that is made while it is read, and says how far it was read.
struct Endless {
    user: String,
    made: Arc<AtomicU64>,
    next: u64,
    waiting: Vec<u8>,
}

impl Endless {
    fn more(&mut self) -> String {
        let row = self.next;
        self.next += 1;
        match row {
            0 => r#"{"format":"passbook-bundle","version":1,"transactions":["#.to_owned(),
            row if row <= ROWS => {
                self.made.store(row, Ordering::SeqCst);
                let transaction = json!({ "user": self.user, "id": format!("row {row}"), "account": "checking",
                    "date": "2026-11-20", "type": "EXPENSE", "category": "RENT", "amount_cents": row,
                    "currency": "EUR", "title": "a title of usual length" });
                format!("{transaction}{}", if row == ROWS { "]}" } else { "," })
            }
            _ => String::new(),
        }
    }
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.waiting.is_empty() {
            self.waiting = self.more().into_bytes();
        }
        let length = self.waiting.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.waiting[..length]);
        self.waiting.drain(..length);
        Ok(length)
    }
}

#[tokio::test]
async fn a_large_bundle_is_never_held_whole() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    loaded(&mut client, &example()).await;
    let user = example()["users"][0]["id"].as_str().expect("text").to_owned();
    let (made, held_most) = (Arc::new(AtomicU64::new(0)), AtomicU64::new(0));
    let progress = |stored: u64| {
        held_most.fetch_max(made.load(Ordering::SeqCst) - stored, Ordering::SeqCst);
    };
    let bundle = Endless { user, made: Arc::clone(&made), next: 0, waiting: Vec::new() };
    let options = Options { dry_run: false, progress: Some(&progress) };
    let summary = load(&mut client, ingest::bundle::read(bundle), options).await.expect("no fault");
    assert_eq!(of(&summary, "transactions"), (ROWS, 0, 0));
    let held_most = held_most.into_inner();
    assert!(held_most <= ROWS_IN_MEMORY_MAX, "{held_most} rows were held");
}
