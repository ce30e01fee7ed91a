//! Memory use: the number of rows that are read but not yet stored is bounded for any size of bundle.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use passbook_ingest::load::{Options, credential_rules, load};
use serde_json::json;
use tests::database::Database;

use super::{counts_of, example, loaded};

const ROWS: u64 = 50_000;

/// Maximum number of rows that may be read and not yet stored: the batch of one table, the channel, and the buffer of
/// the reader.
const ROWS_IN_MEMORY_MAX: u64 = 4_000;

/// Duration for which the database is paused, so that an unbounded reader would run ahead.
const PAUSE: Duration = Duration::from_secs(1);

/// A bundle that is generated while it is read, and reports when it is read too far ahead of the stored rows.
struct Endless {
    user: String,
    stored: Arc<AtomicU64>,
    too_far: Sender<u64>,
    made: u64,
    waiting: Vec<u8>,
}

impl Endless {
    fn transaction(&mut self) -> String {
        self.made += 1;
        let ahead = self.made - self.stored.load(Ordering::SeqCst);
        if ahead > ROWS_IN_MEMORY_MAX {
            self.too_far.send(ahead).expect("the test receives reports");
        }
        json!({ "user": self.user, "id": format!("row {}", self.made), "account": "checking",
            "date": "2026-11-20", "type": "EXPENSE", "category": "RENT", "amount_cents": self.made,
            "currency": "EUR", "title": "a title of usual length" })
        .to_string()
    }

    fn more(&mut self) -> String {
        match self.made {
            0 => {
                format!(r#"{{"format":"passbook-bundle","version":1,"transactions":[{}"#, self.transaction())
            }
            made if made < ROWS => format!(",{}", self.transaction()),
            made if made == ROWS => {
                self.made += 1;
                "]}".to_owned()
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
async fn rows_of_a_large_bundle_are_stored_while_it_is_read() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    loaded(&mut client, &example()).await;
    let user = example()["users"][0]["id"].as_str().expect("text").to_owned();
    let stored = Arc::new(AtomicU64::new(0));
    let (too_far, listening): (Sender<u64>, Receiver<u64>) = channel();
    let bundle = Endless { user, stored: Arc::clone(&stored), too_far, made: 0, waiting: Vec::new() };
    let listening = std::sync::Mutex::new(listening);
    let progress = |now: u64| {
        if stored.swap(now, Ordering::SeqCst) == 0 {
            let ran_ahead = listening.lock().expect("the mutex is not poisoned").recv_timeout(PAUSE);
            assert!(ran_ahead.is_err(), "{ran_ahead:?} rows were read and not stored");
        }
    };
    let options = Options { dry_run: false, progress: Some(&progress), ..Options::default() };
    let summary = load(&mut client, passbook_records::bundle::read(bundle, credential_rules()), options)
        .await
        .expect("the bundle has no faults");
    assert_eq!(counts_of(&summary, "transactions"), (ROWS, 0, 0));
    let ran_ahead = listening.into_inner().expect("the mutex is not poisoned").try_recv();
    assert!(ran_ahead.is_err(), "{ran_ahead:?} rows were read and not stored");
}
