//! Loads of bundles with cases in files: the changes of tables, or the faults. After faults, and after a dry run, nothing
//! may be stored. A load that changes nothing may rewrite no row.
//!
//! Each section `load` is one load, all into the same database: of the example bundle, of the example without its
//! deletions (`stored`), or of an empty bundle. Each line is a change of the bundle, in which `example` is the example,
//! or a transaction as [`row`] reads it. The line `{everything}` stands for the lines of the section `everything`. A case
//! without such a section loads the example with the changes of its text.
//!
//! Section `first` is a load before, `sql` has statements that run after it, and `database` names a database that several
//! cases share.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use jiff::ToSpan as _;
use passbook_domain::category::ExpenseCategory;
use passbook_domain::transaction::TransactionType;
use passbook_ingest::load::{LoadError, Options, Summary, credential_rules, load};
use passbook_records::record::{Record, Transaction};
use passbook_records::{FAULTS_LISTED_MAX, Located};
use passbook_test_cases::{Case, change};
use serde_json::{Value, json};
use tests::app::load_records;
use tests::database::{Database, execute};
use tests::household::Household;
use tokio_postgres::{Client, Statement};

use super::{
    content, counts, counts_of, example, lines, load_bundle, loaded, physical_dump, refused,
    removed_and_absent,
};

/// The user of the example, and another one.
const USERS: [(&str, &str); 2] =
    [("{user}", "6f9f3c1e-6d6a-4c0e-9d2c-0a4f8f1f2b11"), ("{other}", "0b8a4a52-2f0e-4f5c-9d0a-6f1f8f0f7a01")];

/// Of this number of cases, an ordinary test run plans one first.
const DRY_RUN_STEP: usize = 3;

#[test]
fn cases_of_loads() {
    let runtime = tests::runtime();
    let mut shared: HashMap<String, Stored> = HashMap::new();
    let mut number = 0;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("it/imports/loading/cases");
    passbook_test_cases::check(&folder, &["load", "first", "sql", "everything", "database"], |case| {
        number += 1;
        let is_planned = number % tests::cases(DRY_RUN_STEP, 1) == 0;
        runtime.block_on(async {
            let Some(name) = case.value("database") else {
                return outcome(case, is_planned, &mut started(case).await).await;
            };
            if !shared.contains_key(name) {
                shared.insert(name.to_owned(), started(case).await);
            }
            outcome(case, is_planned, shared.get_mut(name).expect("it was inserted")).await
        })
    });
}

/// Sessions of a database, and its content unless that has changed since it was read.
struct Stored {
    _database: Database,
    writer: Client,
    superuser: Client,
    dump: Statement,
    content: Option<Vec<String>>,
}

/// Creates a database with the rows of the section `first`.
async fn started(case: &Case) -> Stored {
    let database = Database::fresh().await;
    let mut writer = database.connect("passbook_writer").await;
    for (base, changes) in case.sections("first") {
        loaded(&mut writer, &bundle(base, changes)).await;
    }
    for (_, statements) in case.sections("sql") {
        execute(&writer, statements).await;
    }
    let superuser = database.connect("postgres").await;
    let dump = physical_dump(&superuser).await;
    Stored { _database: database, writer, superuser, dump, content: None }
}

/// Loads the bundles of a case, each after a dry run if `is_planned`.
async fn outcome(
    case: &Case,
    is_planned: bool,
    Stored { writer, superuser, dump, content: known, .. }: &mut Stored,
) -> String {
    let changes = case.text();
    let mut loads: Vec<(&str, &str)> = case.sections("load").collect();
    if loads.is_empty() {
        loads.push(("example", &changes));
    } else {
        assert_eq!(changes, "", "the changes of a case with loads are in the loads");
    }
    let mut text = String::new();
    for (index, (base, changes)) in loads.iter().enumerate() {
        let number = if loads.len() > 1 { format!("load {}: ", index + 1) } else { String::new() };
        let before = match known.take() {
            Some(before) => before,
            None => lines(superuser, dump).await,
        };
        let everything = case.section("everything").unwrap_or_default();
        let bundle = bundle(base, &changes.replace("{everything}\n", everything));
        let mut planned = None;
        if is_planned {
            let dry_run = Options { dry_run: true, ..Options::default() };
            planned = Some(load_bundle(writer, &bundle, dry_run).await);
            assert_eq!(lines(superuser, dump).await, before, "a dry run stores nothing: {changes}");
        }
        match (load_bundle(writer, &bundle, Options::default()).await, planned.transpose()) {
            (Ok(summary), Ok(planned)) => {
                assert!(planned.is_none_or(|planned| planned == summary), "{changes}: {summary:?}");
                let after = lines(superuser, dump).await;
                let (inserted, updated, _) = counts(&summary);
                let is_changed = inserted + updated + removed_and_absent(&summary).0 > 0;
                assert_eq!(after != before, is_changed, "{changes}");
                *known = Some(after);
                text += &format!("{number}stored: {}\n", counts_text(&summary));
            }
            (Err(LoadError::Faults(faults)), Ok(None) | Err(_)) => {
                assert_eq!(lines(superuser, dump).await, before, "nothing may be stored: {changes}");
                *known = Some(before);
                text.extend(faults.iter().map(|fault| format!("{number}{fault}\n")));
            }
            other => panic!("{other:?}"),
        }
    }
    text
}

fn bundle(base: &str, changes: &str) -> Value {
    let mut bundle = match base {
        "example" | "stored" => example(),
        "" => json!({ "format": "passbook-bundle", "version": 1 }),
        other => panic!("a bundle must be example, stored or empty: {other}"),
    };
    let members = bundle.as_object_mut().expect("an object");
    if base == "stored" {
        members.remove("deleted");
    }
    members.insert("example".to_owned(), example());
    let changes = USERS.iter().fold(changes.to_owned(), |text, (name, id)| text.replace(name, id));
    for line in changes.lines() {
        match line.strip_prefix("row ") {
            Some(words) => add(&mut bundle, row(words)),
            None => change(&mut bundle, line),
        }
    }
    bundle.as_object_mut().expect("an object").remove("example");
    bundle
}

fn add(bundle: &mut Value, row: Value) {
    if bundle["transactions"].is_null() {
        bundle["transactions"] = json!([]);
    }
    bundle["transactions"].as_array_mut().expect("an array").push(row);
}

/// Reads a transaction: `id account TYPE CATEGORY`, or `in` or `out` and a provider category; then `-> id` for a link,
/// `pending`, and `outside` for a transfer whose counterpart is outside of Passbook.
fn row(words: &str) -> Value {
    let words: Vec<&str> = words.split(' ').collect();
    let [id, account, kind, category, more @ ..] = &words[..] else { panic!("{words:?}: not a row") };
    let mut row = json!({ "user": USERS[0].1, "id": id, "account": account, "date": "2026-11-18",
        "amount_cents": 100, "currency": "EUR", "title": id });
    let names =
        if ["in", "out"].contains(kind) { ["direction", "provider_category"] } else { ["type", "category"] };
    (row[names[0]], row[names[1]]) = (json!(kind), json!(category));
    let mut more = more.iter();
    while let Some(word) = more.next() {
        match *word {
            "->" => row["linked_transaction"] = json!(more.next().expect("a linked row")),
            "pending" => row["pending"] = json!(true),
            "outside" => row["counterpart_outside"] = json!(true),
            other => panic!("{words:?}: {other}"),
        }
    }
    row
}

/// Prints the rows of each table that a load changed, and the number of all others.
fn counts_text(summary: &Summary) -> String {
    let mut parts = Vec::new();
    let mut unchanged = 0;
    for table in &summary.tables {
        unchanged += table.unchanged;
        let counts = [
            (table.inserted, "new"),
            (table.updated, "changed"),
            (table.removed, "removed"),
            (table.absent, "already absent"),
        ];
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        parts.extend(counts.map(|(count, name)| format!("{} {count} {name}", table.table)));
    }
    parts.push(format!("{unchanged} unchanged"));
    parts.join(", ")
}

#[tokio::test]
async fn faults_beyond_the_limit_are_counted() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    // Faults that are found in the database, and as many that are found while the bundle is read.
    for user in [USERS[1].1, "x"] {
        let mut bundle = example();
        let days = jiff::civil::date(2020, 1, 1).series(1.day()).take(FAULTS_LISTED_MAX + 500);
        let snapshot = |day| json!({ "user": user, "account": "x", "as_of": day, "balance_cents": 1 });
        bundle["balance_snapshots"] = days.map(snapshot).collect();
        let faults = refused(&mut client, &bundle).await;
        assert_eq!(faults.len(), FAULTS_LISTED_MAX + 1, "{user}");
        let last = faults[FAULTS_LISTED_MAX].to_string();
        assert_eq!(last, "and more: 500 further faults are not listed", "{user}");
    }
}

#[tokio::test]
async fn row_rejected_by_the_database_is_reported_with_its_constraint() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let mut household = Household::new();
    load_records(&mut client, household.records()).await;
    let before = content(&database).await;
    let good = household.expense("2026-01-01", ExpenseCategory::Rent, 1, "EUR").clone();
    let with = |change: fn(&mut Transaction)| {
        let mut changed = good.clone();
        change(&mut changed);
        changed
    };
    for (transaction, place, rule) in [
        (with(|row| row.amount_cents = -1), "table transactions", "transactions_amount_cents_check"),
        (with(|row| row.transaction_type = TransactionType::Income), "table transactions", "fkey"),
        (with(|row| row.title = "a\0b".to_owned()), "transactions", "must be storable"),
        (with(|row| row.linked_transaction_id = Some(row.transaction_id)), "table transactions", "check"),
    ] {
        let located = Located { place: "by hand".to_owned(), record: Record::Transaction(transaction) };
        // Enough rows that PostgreSQL reports the error before all rows are sent.
        let records = std::iter::repeat_n(located, 1_500).map(Ok);
        let error = load(&mut client, records, Options::default()).await;
        let Err(LoadError::Faults(faults)) = error else {
            panic!("{rule}: expected faults, found {error:?}")
        };
        assert_eq!((faults.len(), faults[0].place.as_str()), (1, place), "{faults:?}");
        assert!(faults[0].rule.contains(rule), "{faults:?}");
        assert_eq!(content(&database).await, before);
    }
}

const ROWS: u64 = 50_000;
/// Maximum number of rows that may be read and not yet stored: the batch of one table, the 16 batches in the channel, the
/// batch at each of its ends, and the row that is being read.
const ROWS_IN_MEMORY_MAX: u64 = 2_000 + (16 + 2) * 128 + 1;
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
