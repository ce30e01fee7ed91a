//! Property tests: random rows, written in every format, are read back alike. Also completes a proposed profile.

use std::fmt::Write as _;

use jiff::civil::{Date, date};
use passbook_statements::csv::Profile;
use passbook_statements::{DateOrder, Entry, Format, ReadOptions, Statement, read};
use proptest::prelude::*;

/// A random row: day, signed cents and text.
type Row = (Date, i64, String);

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let row = (0_i64..1_500, -9_000_000_000_000_000_i64..=9_000_000_000_000_000, "[a-zA-Z0-9 é&<>'.-]{0,30}");
    proptest::collection::vec(row, 1..30).prop_map(|rows| {
        let start = date(2024, 1, 1);
        let day = |days| start.saturating_add(jiff::Span::new().days(days));
        rows.into_iter().map(|(days, cents, text)| (day(days), cents, text)).collect()
    })
}

/// Writes signed cents with a separator of the decimals.
fn amount(cents: i64, decimal: char) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}{decimal}{:02}", cents.abs() / 100, cents.abs() % 100)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn ofx(rows: &[Row]) -> String {
    let mut text = "OFXHEADER:100\nENCODING:UTF-8\n\n<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>".to_owned();
    for (day, cents, words) in rows {
        let (day, sum) = (day.strftime("%Y%m%d"), amount(*cents, '.'));
        writeln!(text, "<STMTTRN><DTPOSTED>{day}<TRNAMT>{sum}<MEMO>{}</STMTTRN>", escaped(words))
            .expect("memory does not fail");
    }
    text + "</BANKTRANLIST></STMTRS></OFX>"
}

fn camt(rows: &[Row]) -> String {
    let mut text =
        "<Document><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><Othr><Id>1</Id></Othr></Id></Acct>".to_owned();
    for (day, cents, words) in rows {
        let (direction, sum) = (if *cents < 0 { "DBIT" } else { "CRDT" }, amount(cents.abs(), '.'));
        let words = escaped(words);
        write!(text, "<Ntry><Amt Ccy=\"EUR\">{sum}</Amt><CdtDbtInd>{direction}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>{day}</Dt></BookgDt><AddtlNtryInf>{words}</AddtlNtryInf></Ntry>").expect("memory does not fail");
    }
    text + "</Stmt></BkToCstmrStmt></Document>"
}

fn mt940(rows: &[Row]) -> String {
    let mut text = ":20:X\n:25:1\n:60F:C240101EUR0,\n".to_owned();
    for (day, cents, words) in rows {
        let (direction, sum) = (if *cents < 0 { "D" } else { "C" }, amount(cents.abs(), ','));
        let (value, entry) = (day.strftime("%y%m%d"), day.strftime("%m%d"));
        writeln!(text, ":61:{value}{entry}{direction}{sum}NMSC\n:86:x{words}").expect("memory does not fail");
    }
    text + ":62F:C241231EUR0,\n"
}

fn qif(rows: &[Row]) -> String {
    let mut text = "!Type:Bank\n".to_owned();
    for (day, cents, words) in rows {
        writeln!(text, "D{}\nT{}\nM{words}\n^", day.strftime("%d/%m/%Y"), amount(*cents, '.'))
            .expect("memory does not fail");
    }
    text
}

fn plaid(rows: &[Row]) -> String {
    let row = |(index, (day, cents, words)): (usize, &Row)| {
        let words = serde_json::Value::String(words.clone());
        format!(
            "{{\"transaction_id\":\"{index}\",\"account_id\":\"1\",\"amount\":{},\"date\":\"{day}\",\"name\":{words}}}",
            amount(-cents, '.')
        )
    };
    let rows: Vec<String> = rows.iter().enumerate().map(row).collect();
    format!("{{\"accounts\":[],\"added\":[{}],\"next_cursor\":\"\"}}", rows.join(",\n"))
}

fn hledger(rows: &[Row]) -> String {
    let mut text = "\"txnidx\",\"date\",\"date2\",\"status\",\"code\",\"description\",\"comment\",\"account\",\"amount\",\"commodity\",\"credit\",\"debit\",\"posting-status\",\"posting-comment\"\n".to_owned();
    for (day, cents, words) in rows {
        writeln!(text, "\"1\",\"{day}\",\"\",\"\",\"\",\"{words}\",\"\",\"assets:bank\",\"{}\",\"EUR\",\"\",\"\",\"\",\"\"", amount(*cents, '.')).expect("memory does not fail");
        writeln!(text, "\"1\",\"{day}\",\"\",\"\",\"\",\"{words}\",\"\",\"expenses:x\",\"{}\",\"EUR\",\"\",\"\",\"\",\"\"", amount(-cents, '.')).expect("memory does not fail");
    }
    text
}

proptest! {
    #[test]
    fn entries_are_read_alike_from_every_format(rows in rows()) {
        let texts = [
            (Format::Ofx, ofx(&rows)),
            (Format::Camt, camt(&rows)),
            (Format::Mt940, mt940(&rows)),
            (Format::Qif, qif(&rows)),
            (Format::Plaid, plaid(&rows)),
            (Format::Csv, hledger(&rows)),
        ];
        let options = ReadOptions {
            date_order: Some(DateOrder::DayMonthYear),
            as_of: Some(date(2026, 1, 1).at(0, 0, 0, 0)),
            ..ReadOptions::default()
        };
        for (format, text) in texts {
            let statements: Vec<Statement> = read(text.as_bytes(), &options).map_err(|error| {
                TestCaseError::fail(format!("{format}: {error:?}"))
            })?;
            let [statement] = &statements[..] else { panic!("{format}: {} statements", statements.len()) };
            prop_assert_eq!(statement.format, format);
            prop_assert_eq!(statement.entries.len(), rows.len());
            for (entry, (day, cents, words)) in statement.entries.iter().zip(&rows) {
                prop_assert_eq!((entry.booked, entry.cents), (*day, *cents), "{}", format);
                let written = if format == Format::Mt940 { format!("x{words}") } else { words.clone() };
                let folded = written.split_whitespace().collect::<Vec<_>>().join(" ");
                prop_assert_eq!(&entry.text, &folded, "{}", format);
            }
        }
    }
}

const PROFILE: &str = r#"
name = "test"
bank = "Bank"
headers = ["Date,Text,Amount,Balance"]
dates = ["%Y-%m-%d"]
currency = "EUR"
[columns]
booked = "Date"
text = "Text"
amount = "Amount"
balance = "Balance"
"#;

fn entries(profile: &str, bytes: &[u8]) -> Vec<Entry> {
    let profile = Some(Profile::parse(profile, "test").expect("a profile"));
    let statements = read(bytes, &ReadOptions { profile, ..ReadOptions::default() });
    statements.expect("statements").into_iter().flat_map(|statement| statement.entries).collect()
}

proptest! {
    /// Any rows survive writing as CSV and reading.
    #[test]
    fn written_rows_are_read_back(rows in proptest::collection::vec((0_i16..366, -9_000_000_000_000_000_i64..=9_000_000_000_000_000, "[ -~äé\n\"]{0,20}"), 0..20)) {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["Date", "Text", "Amount", "Balance"]).expect("memory does not fail");
        let start = date(2024, 1, 1);
        for (day, cents, text) in &rows {
            let day = start.saturating_add(jiff::Span::new().days(i64::from(*day)));
            let sign = if *cents < 0 { "-" } else { "" };
            let amount = format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100);
            writer.write_record([day.to_string(), text.clone(), amount, String::new()]).expect("memory does not fail");
        }
        let read = entries(PROFILE, &writer.into_inner().expect("memory does not fail"));
        prop_assert_eq!(read.len(), rows.len());
        for (entry, (day, cents, text)) in read.iter().zip(&rows) {
            prop_assert_eq!(entry.cents, *cents);
            prop_assert_eq!(entry.booked, start.saturating_add(jiff::Span::new().days(i64::from(*day))));
            prop_assert_eq!(&entry.text, &text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
}

/// Files of several formats without characters of several bytes. Each one is complete.
const COMPLETE: [&str; 5] = [
    ":20:A\r\n:25:37040044/0532013000EUR\r\n:28C:1/1\r\n:60F:C260101EUR100,00\r\n:61:2601150115D12,34NDDT//B\r\n:86:Shop\r\n:61:2601160116C5,NMSC\r\n:62F:C260131EUR92,66\r\n:64:C260131EUR192,66\r\n-\r\n",
    "{1:F01BANKDEFFXXXX0000000000}{2:I940BANKDEFFXXXXN}{4:\n:20:A\n:25:1/2EUR\n:60F:C260101EUR100,00\n:61:260115D12,34NDDT//B\n:62F:C260131EUR87,66\n-}",
    "!Account\nNGiro\n^\n!Type:Bank\nD31/1/2026\nT-12.34\nPShop\n^\n!Type:CCard\nD30/1/2026\nT5.00\n^\n",
    "Date,Text,Amount,Balance\n2026-01-15,Shop,-12.34,87.66\n2026-01-16,Salary,5.00,92.66\n",
    "Date,Balance,Amount,Text\n2026-01-15,87.66,-12.34,Shop\n2026-01-16,92.66,5.00,\"Salary, January\"\n",
];

/// Returns the entries and the booked balances of a file.
fn content(bytes: &[u8]) -> Option<(Vec<Entry>, Vec<passbook_statements::Balance>)> {
    let profile = |text: &str| Profile::parse(text, "test").expect("a profile");
    let is_csv = bytes.starts_with(b"D");
    let profile = is_csv.then(|| profile(&PROFILE.replace("Date,Text,Amount,Balance\"", "Date,…\"")));
    let options =
        ReadOptions { profile, date_order: Some(DateOrder::DayMonthYear), ..ReadOptions::default() };
    let statements = read(bytes, &options).ok()?;
    let balances = statements.iter().flat_map(|statement| statement.balances.clone());
    let balances =
        balances.filter(|balance| balance.kind != passbook_statements::BalanceKind::Available).collect();
    Some((statements.into_iter().flat_map(|statement| statement.entries).collect(), balances))
}

/// A cut is visible unless it is between two lines.
#[test]
fn file_cut_in_a_line_is_rejected_or_read_without_a_wrong_value() {
    for text in COMPLETE {
        let (entries, balances) = content(text.as_bytes()).expect(text);
        for end in 1..text.len() {
            let cut = &text[..end];
            let Some((read_entries, read_balances)) = content(cut.as_bytes()) else { continue };
            let is_mt940 = !text.starts_with(['!', 'D']);
            let whole_lines = text[end..].starts_with(['\r', '\n']) || cut.ends_with(['\r', '\n', '^', '"']);
            assert!(is_mt940 || whole_lines, "{cut:?}");
            let values = |entries: &[Entry]| {
                entries.iter().map(|e| (e.cents, e.balance_after, e.text.clone())).collect::<Vec<_>>()
            };
            assert!(values(&entries).starts_with(&values(&read_entries)), "{cut:?}");
            assert!(
                !is_mt940 || (read_entries.len(), read_balances) == (entries.len(), balances.clone()),
                "{cut:?}"
            );
        }
    }
}
