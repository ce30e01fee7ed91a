//! Imports of files in the formats of banks, where a transcript cannot show them: random files, and the plan of a query.

mod properties;

use std::fmt::Write as _;

use jiff::civil::{Date, date};
use serde_json::Value;
use tests::admin::{Ended, admin, admin_with_input};
use tests::app::App;
use tests::database::{Database, execute};
use tests::temporary::Folder;

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
    folder: Folder,
}

impl Importer {
    async fn new() -> Importer {
        let importer = Importer { app: App::start().await, folder: Folder::create() };
        importer
            .admin(&["user", "create", "--email", EMAIL, "--currency", "EUR", "--time-zone", "UTC"])
            .done();
        admin_with_input(&importer.app.database, &["load", "-", "--user", EMAIL], &account_bundle()).done();
        importer
    }

    fn database(&self) -> &Database {
        &self.app.database
    }

    fn admin(&self, arguments: &[&str]) -> Ended {
        admin(self.database(), arguments)
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

/// A booking of the household.
#[derive(Clone, Debug)]
pub(super) struct Booking {
    pub(super) day: Date,
    pub(super) cents: i64,
    pub(super) party: String,
}

impl Booking {
    pub(super) fn new(month: i8, day: i8, cents: i64, party: &str) -> Booking {
        Booking { day: date(2025, month, day), cents, party: party.to_owned() }
    }
}

fn amount(cents: i64, decimal: char) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}{decimal}{:02}", cents.abs() / 100, cents.abs() % 100)
}

/// A CSV export of N26.
pub(super) fn csv(bookings: &[Booking]) -> String {
    let mut text = "\"Booking Date\",\"Value Date\",\"Partner Name\",\"Partner Iban\",Type,\"Payment Reference\",\
                    \"Account Name\",\"Amount (EUR)\",\"Original Amount\",\"Original Currency\",\"Exchange Rate\"\n"
        .to_owned();
    for booking in bookings {
        let (day, sum) = (booking.day, amount(booking.cents, '.'));
        writeln!(text, "{day},{day},\"{}\",,,,\"Main\",{sum},,,", booking.party).expect("text");
    }
    text
}

/// An OFX file whose window is that of the bookings. `opening` is the balance before them.
pub(super) fn ofx(bookings: &[Booking], opening: i64) -> String {
    let mut text = "OFXHEADER:100\nENCODING:UTF-8\n\n<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>37040044\
                    <ACCTID>532013000</BANKACCTFROM><BANKTRANLIST>\n"
        .to_owned();
    let mut balance = opening;
    for (number, booking) in bookings.iter().enumerate() {
        balance += booking.cents;
        let (day, sum) = (booking.day.strftime("%Y%m%d"), amount(booking.cents, '.'));
        let party = &booking.party;
        // The number of the line as identifier: banks do this.
        writeln!(text, "<STMTTRN><DTPOSTED>{day}<TRNAMT>{sum}<FITID>{number}<NAME>{party}</STMTTRN>")
            .expect("text");
    }
    let last = bookings.last().map_or(date(2025, 1, 1), |booking| booking.day).strftime("%Y%m%d");
    let sum = amount(balance, '.');
    write!(text, "</BANKTRANLIST><LEDGERBAL><BALAMT>{sum}<DTASOF>{last}</LEDGERBAL></STMTRS></OFX>")
        .expect("text");
    text
}

/// A CAMT.053 statement with its balances.
pub(super) fn camt(bookings: &[Booking], opening: i64) -> String {
    let first = bookings.first().map_or(date(2025, 1, 1), |booking| booking.day);
    let last = bookings.last().map_or(first, |booking| booking.day);
    let closing = opening + bookings.iter().map(|booking| booking.cents).sum::<i64>();
    let balance = |code: &str, cents: i64, day: Date| {
        let direction = if cents < 0 { "DBIT" } else { "CRDT" };
        format!(
            "<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy=\"EUR\">{}</Amt><CdtDbtInd>{direction}\
             </CdtDbtInd><Dt><Dt>{day}</Dt></Dt></Bal>",
            amount(cents.abs(), '.')
        )
    };
    let mut text = format!(
        "<Document><BkToCstmrStmt><Stmt><Id>S1</Id><ElctrncSeqNb>1</ElctrncSeqNb><Acct><Id><IBAN>{IBAN}\
         </IBAN></Id><Ccy>EUR</Ccy></Acct>{}{}",
        balance("OPBD", opening, first),
        balance("CLBD", closing, last)
    );
    for booking in bookings {
        let (direction, side) = if booking.cents < 0 { ("DBIT", "Cdtr") } else { ("CRDT", "Dbtr") };
        let (sum, day, party) = (amount(booking.cents.abs(), '.'), booking.day, &booking.party);
        writeln!(
            text,
            "<Ntry><Amt Ccy=\"EUR\">{sum}</Amt><CdtDbtInd>{direction}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>{day}</Dt>\
             </BookgDt><NtryDtls><TxDtls><RltdPties><{side}><Nm>{party}</Nm></{side}></RltdPties></TxDtls></NtryDtls>\
             </Ntry>"
        )
        .expect("text");
    }
    text + "</Stmt></BkToCstmrStmt></Document>"
}

/// An MT940 statement with its balances.
pub(super) fn mt940(bookings: &[Booking], opening: i64) -> String {
    let side = |cents: i64| if cents < 0 { 'D' } else { 'C' };
    let first = bookings.first().map_or(date(2025, 1, 1), |booking| booking.day);
    let last = bookings.last().map_or(first, |booking| booking.day);
    let balance = |tag: &str, cents: i64, day: Date| {
        let (day, sum) = (day.strftime("%y%m%d").to_string(), amount(cents.abs(), ','));
        format!(":{tag}:{}{day}EUR{sum}\n", side(cents))
    };
    let mut text = format!(":20:X\n:25:{IBAN}\n:28C:1/1\n{}", balance("60F", opening, first));
    for booking in bookings {
        let (value, entry) = (booking.day.strftime("%y%m%d"), booking.day.strftime("%m%d"));
        let (sum, party) = (amount(booking.cents.abs(), ','), &booking.party);
        let direction = side(booking.cents);
        write!(text, ":61:{value}{entry}{direction}{sum}NMSC\n:86:166?00SEPA?32{party}\n").expect("text");
    }
    let closing = opening + bookings.iter().map(|booking| booking.cents).sum::<i64>();
    text + &balance("62F", closing, last) + "-\n"
}

/// A QIF file.
pub(super) fn qif(bookings: &[Booking]) -> String {
    let mut text = "!Type:Bank\n".to_owned();
    for booking in bookings {
        let (day, sum) = (booking.day.strftime("%d/%m/%Y"), amount(booking.cents, '.'));
        writeln!(text, "D{day}\nT{sum}\nP{}\n^", booking.party).expect("text");
    }
    text
}

#[tokio::test]
async fn line_of_a_transaction_is_found_by_its_whole_key_without_statistics_of_the_person() {
    const CREATE: &str = include_str!("../../../crates/ingest/sql/import_create_computed.sql");
    const STORE: &str = include_str!("../../../crates/ingest/sql/import_store.sql");
    let importer = Importer::new().await;
    importer.import(&[importer.folder.write("year.csv", &csv(&year()))], &["--account", IBAN]);
    let superuser = importer.database().connect("postgres").await;
    execute(&superuser, "vacuum analyze passbook.import_lines").await;
    // A person of whom the statistics have no line, as after a first large import.
    let given = "insert into pg_temp.computed_transactions select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 0, \
                 number, '2026-01-01', 'EXPENSE', 'PETS', 1, 'EUR', false, null, null, false \
                 from generate_series(1, 100) as number; analyze pg_temp.computed_transactions; set local enable_seqscan = off";
    execute(&superuser, &format!("begin; {CREATE}; {given}")).await;
    let explain =
        format!("prepare store (uuid) as {STORE}; explain execute store ('{}')", uuid::Uuid::from_u128(1));
    let plan: Vec<String> = superuser
        .simple_query(&explain)
        .await
        .expect("the plan is shown")
        .into_iter()
        .filter_map(|message| match message {
            tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        })
        .collect();
    let condition = "Index Cond: ((user_id = '00000000-0000-0000-0000-000000000001'::uuid) AND (file_id = computed.file_id) \
                     AND (statement = computed.statement) AND (\"position\" = computed.\"position\"))";
    assert!(plan.iter().any(|line| line.trim() == condition), "{plan:#?}");
}
