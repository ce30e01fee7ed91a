//! Serves ledgers as of given days. Each person's ledgers are imported for each day without later entries, and served
//! with that day as today. `cargo lab oracle` starts this program and stops it by closing its standard input.
//!
//! Usage: `on_days PLAN`, a JSON file: `{"rates": FILE, "days": [DAY…], "people": [{"name": …, "currency": …,
//! "ledgers": [{"name": …, "file": …}]}]}`. Prints one line, a JSON array of `{"person", "day", "base", "token"}`.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::civil::Date;
use passbook_beancount::AccountMap;
use passbook_ingest::load::{Options, load};
use passbook_records::record::{Ledger, Record, User};
use serde_json::{Value, json};
use tests::app::App;
use tests::database::Database;
use tests::household::{Household, day, parse_currency};
use tokio_postgres::Client;

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stdout, reason = "the caller reads the addresses from standard output")]
async fn main() {
    let file = std::env::args().nth(1).expect("usage: on_days PLAN");
    let plan = std::fs::read_to_string(&file).expect("the plan can be read");
    let plan: Value = serde_json::from_str(&plan).expect("the plan is JSON");
    let database = Database::fresh().await;
    let mut writer = database.connect(passbook_schema::WRITER).await;
    let rates = File::open(text(&plan["rates"])).expect("the rates can be read");
    load(&mut writer, passbook_records::ecb_rates::read(rates), Options::default())
        .await
        .expect("the rates are valid");
    let mut served: BTreeMap<Date, App> = BTreeMap::new();
    let mut views = Vec::new();
    for today in list(&plan["days"]).iter().map(|date| day(text(date))) {
        let app = App::start_on_day(database.clone(), today).await;
        for person in list(&plan["people"]) {
            let user = imported(&mut writer, person, today).await;
            let token = app.token(user.user_id).await;
            views.push(
                json!({"person": person["name"], "day": today.to_string(), "base": app.base_url, "token": token}),
            );
        }
        served.insert(today, app);
    }
    println!("{}", Value::Array(views));
    let until_closed = || std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
    tokio::task::spawn_blocking(until_closed)
        .await
        .expect("reading ends")
        .expect("standard input can be read");
    for app in served.into_values() {
        app.stop().await;
    }
}

/// Stores a new person with the contents of their ledgers as of a day.
async fn imported(writer: &mut Client, person: &Value, today: Date) -> User {
    let mut user = Household::new().user;
    user.preferred_currency = parse_currency(text(&person["currency"]));
    let mut records = vec![located(Record::User(user.clone()))];
    for ledger in list(&person["ledgers"]) {
        let (name, file) = (text(&ledger["name"]), PathBuf::from(text(&ledger["file"])));
        records.push(located(Record::Ledger(Ledger {
            user_id: user.user_id,
            ledger: name.to_owned(),
            account_map: None,
            map_name: None,
            imported_at: Timestamp::UNIX_EPOCH,
        })));
        records.extend(read(&file, &user, name, today));
    }
    load(writer, records.into_iter().map(Ok), Options::default()).await.expect("the ledgers can be stored");
    user
}

fn read(file: &Path, user: &User, name: &str, today: Date) -> Vec<passbook_records::Located> {
    let import = passbook_beancount::import(file, user, name, today, &AccountMap::built_in(), &|_| {});
    import.unwrap_or_else(|faults| panic!("{}: {faults:?}", file.display())).records
}

fn located(record: Record) -> passbook_records::Located {
    passbook_records::Located { place: "on_days".to_owned(), record }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("expected text, found {value}"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("expected a list, found {value}"))
}
