//! `import FILE…`, `preview`, `undo`, `explain`, `categorize` and `reconcile`.

mod changes;
mod journey;
mod overlap;
mod properties;
mod rewritten;
mod same_household;
mod writers;

use serde_json::Value;
use tempfile::TempDir;
use tests::app::App;
use tests::database::Database;

use tests::admin::{Ended, admin, admin_with_input};
use writers::Booking;

const EMAIL: &str = "you@example.org";
/// Identifier of the account in the bundle: the IBAN that the files name.
const IBAN: &str = "DE89370400440532013000";

/// A bundle with the user's bank and account.
fn account_bundle() -> String {
    let user = passbook_records::id::user(EMAIL);
    format!(
        r#"{{"format": "passbook-bundle", "version": 1,
        "banks": [{{"user": "{user}", "id": "bank", "name": "Bank", "status": "MANUAL"}}],
        "accounts": [{{"user": "{user}", "id": "{IBAN}", "bank": "bank", "name": "Checking", "type": "depository",
        "subtype": "checking", "currency": "EUR", "balance_cents": 0, "balance_updated_at": "2020-01-01T00:00:00Z"}}]}}"#
    )
}

/// A user with one account, and a folder for files.
struct Importer {
    app: App,
    folder: TempDir,
}

impl Importer {
    async fn new() -> Importer {
        let importer = Importer { app: App::start().await, folder: tests::temporary::folder() };
        importer
            .admin(&["user", "create", "--email", EMAIL, "--currency", "EUR", "--time-zone", "UTC"])
            .done();
        admin_with_input(&importer.app.database, &["load", "-", "--user", EMAIL], &account_bundle()).done();
        importer
    }

    /// Adds an account of the bank.
    fn add_account(&self, id: &str, name: &str, currency: &str) {
        let user = passbook_records::id::user(EMAIL);
        let bundle = format!(
            r#"{{"format": "passbook-bundle", "version": 1,
            "accounts": [{{"user": "{user}", "id": "{id}", "bank": "bank", "name": "{name}", "type": "depository",
            "subtype": "savings", "currency": "{currency}", "balance_cents": 0,
            "balance_updated_at": "2020-01-01T00:00:00Z"}}]}}"#
        );
        admin_with_input(self.database(), &["load", "-", "--user", EMAIL], &bundle).done();
    }

    fn database(&self) -> &Database {
        &self.app.database
    }

    fn admin(&self, arguments: &[&str]) -> Ended {
        admin(self.database(), arguments)
    }

    /// Writes a file and returns its path.
    fn file(&self, name: &str, content: &str) -> String {
        tests::admin::file(self.folder.path(), name, content)
    }

    /// Imports files for the user, with further flags. Returns the printed JSON.
    fn import(&self, files: &[String], flags: &[&str]) -> Value {
        let mut arguments = vec!["import"];
        arguments.extend(files.iter().map(String::as_str));
        arguments.extend(["--user", EMAIL, "--output", "json"]);
        arguments.extend(flags);
        serde_json::from_str(&self.admin(&arguments).done()).expect("JSON")
    }

    /// Runs a command of the user with JSON output.
    fn json(&self, words: &[&str]) -> Value {
        let arguments = [words, &["--user", EMAIL, "--output", "json"]].concat();
        serde_json::from_str(&self.admin(&arguments).done()).expect("JSON")
    }

    async fn get(&self, target: &str) -> Value {
        let token = self.app.token(passbook_records::id::user(EMAIL)).await;
        self.app.get(target, &token).await.json()
    }

    /// All stored transactions as texts, in order.
    async fn rows(&self) -> Vec<String> {
        let writer = self.database().connect("passbook_writer").await;
        let query = "select concat_ws(' ', transaction_id, date, category_kind, amount_cents, currency, title, merchant_name, \
                     type, category, pending, linked_transaction_id) from passbook.transactions order by 1";
        let rows = writer.query(query, &[]).await.expect("the rows are read");
        rows.iter().map(|row| row.get(0)).collect()
    }

    /// The stored transactions as account, day, signed hundredths and category, in order.
    async fn bookings(&self) -> Vec<String> {
        let writer = self.database().connect("passbook_writer").await;
        let query = "select concat_ws(' ', a.name, t.date, case t.category_kind when 'income' then '' else '-' end || t.amount_cents, \
                     t.category) from passbook.transactions as t join passbook.accounts as a using (user_id, account_id) \
                     order by 1";
        let rows = writer.query(query, &[]).await.expect("the rows are read");
        rows.iter().map(|row| row.get(0)).collect()
    }
}

/// A year of a household: salary, rent, a subscription and groceries, with equal bookings.
fn year() -> Vec<Booking> {
    let mut bookings = Vec::new();
    for month in 1..=12_i8 {
        let mut add = |day, cents, party| bookings.push(Booking::new(month, day, cents, party));
        add(1, -90_000, "Hausverwaltung Miete");
        add(12, -1_299, "Netflix");
        add(25, 250_000, "Acme Gehalt");
        for day in [3, 7, 7, 11, 15, 19, 23, 27] {
            add(day, -2_000 - i64::from(month) * 10 - i64::from(day % 2), "REWE");
        }
    }
    bookings.sort_by_key(|booking| booking.day);
    bookings
}
