//! Property test: the same random bookings, written in every format, are read back alike.

use std::fmt::Write as _;

use jiff::civil::{Date, date};
use proptest::prelude::*;

use super::{DateOrder, Format, ReadOptions, Statement, read};

/// A random booking: day, signed cents and text.
type Booking = (Date, i64, String);

fn bookings() -> impl Strategy<Value = Vec<Booking>> {
    let booking =
        (0_i64..1_500, -9_000_000_000_000_000_i64..=9_000_000_000_000_000, "[a-zA-Z0-9 é&<>'.-]{0,30}");
    proptest::collection::vec(booking, 1..30).prop_map(|rows| {
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

fn ofx(bookings: &[Booking]) -> String {
    let mut text = "OFXHEADER:100\nENCODING:UTF-8\n\n<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>".to_owned();
    for (day, cents, words) in bookings {
        let (day, sum) = (day.strftime("%Y%m%d"), amount(*cents, '.'));
        writeln!(text, "<STMTTRN><DTPOSTED>{day}<TRNAMT>{sum}<MEMO>{}</STMTTRN>", escaped(words)).unwrap();
    }
    text + "</BANKTRANLIST></STMTRS></OFX>"
}

fn camt(bookings: &[Booking]) -> String {
    let mut text =
        "<Document><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><Othr><Id>1</Id></Othr></Id></Acct>".to_owned();
    for (day, cents, words) in bookings {
        let (direction, sum) = (if *cents < 0 { "DBIT" } else { "CRDT" }, amount(cents.abs(), '.'));
        let words = escaped(words);
        write!(text, "<Ntry><Amt Ccy=\"EUR\">{sum}</Amt><CdtDbtInd>{direction}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>{day}</Dt></BookgDt><AddtlNtryInf>{words}</AddtlNtryInf></Ntry>").unwrap();
    }
    text + "</Stmt></BkToCstmrStmt></Document>"
}

fn mt940(bookings: &[Booking]) -> String {
    let mut text = ":20:X\n:25:1\n:60F:C240101EUR0,\n".to_owned();
    for (day, cents, words) in bookings {
        let (direction, sum) = (if *cents < 0 { "D" } else { "C" }, amount(cents.abs(), ','));
        let (value, entry) = (day.strftime("%y%m%d"), day.strftime("%m%d"));
        writeln!(text, ":61:{value}{entry}{direction}{sum}NMSC\n:86:x{words}").unwrap();
    }
    text
}

fn qif(bookings: &[Booking]) -> String {
    let mut text = "!Type:Bank\n".to_owned();
    for (day, cents, words) in bookings {
        writeln!(text, "D{}\nT{}\nM{words}\n^", day.strftime("%d/%m/%Y"), amount(*cents, '.')).unwrap();
    }
    text
}

fn plaid(bookings: &[Booking]) -> String {
    let row = |(index, (day, cents, words)): (usize, &Booking)| {
        let words = serde_json::Value::String(words.clone());
        format!(
            "{{\"transaction_id\":\"{index}\",\"account_id\":\"1\",\"amount\":{},\"date\":\"{day}\",\"name\":{words}}}",
            amount(-cents, '.')
        )
    };
    let rows: Vec<String> = bookings.iter().enumerate().map(row).collect();
    format!("{{\"accounts\":[],\"added\":[{}],\"next_cursor\":\"\"}}", rows.join(",\n"))
}

fn hledger(bookings: &[Booking]) -> String {
    let mut text = "\"txnidx\",\"date\",\"date2\",\"status\",\"code\",\"description\",\"comment\",\"account\",\"amount\",\"commodity\",\"credit\",\"debit\",\"posting-status\",\"posting-comment\"\n".to_owned();
    for (day, cents, words) in bookings {
        writeln!(text, "\"1\",\"{day}\",\"\",\"\",\"\",\"{words}\",\"\",\"assets:bank\",\"{}\",\"EUR\",\"\",\"\",\"\",\"\"", amount(*cents, '.')).unwrap();
        writeln!(text, "\"1\",\"{day}\",\"\",\"\",\"\",\"{words}\",\"\",\"expenses:x\",\"{}\",\"EUR\",\"\",\"\",\"\",\"\"", amount(-cents, '.')).unwrap();
    }
    text
}

proptest! {
    #[test]
    fn bookings_are_read_alike_from_every_format(bookings in bookings()) {
        let texts = [
            (Format::Ofx, ofx(&bookings)),
            (Format::Camt, camt(&bookings)),
            (Format::Mt940, mt940(&bookings)),
            (Format::Qif, qif(&bookings)),
            (Format::Plaid, plaid(&bookings)),
            (Format::Csv, hledger(&bookings)),
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
            prop_assert_eq!(statement.entries.len(), bookings.len());
            for (entry, (day, cents, words)) in statement.entries.iter().zip(&bookings) {
                prop_assert_eq!((entry.booked, entry.cents), (*day, *cents), "{}", format);
                let written = if format == Format::Mt940 { format!("x{words}") } else { words.clone() };
                let folded = written.split_whitespace().collect::<Vec<_>>().join(" ");
                prop_assert_eq!(&entry.text, &folded, "{}", format);
            }
        }
    }
}
