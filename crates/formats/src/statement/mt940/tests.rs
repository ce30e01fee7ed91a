//! Tests of the MT940 reader.

use jiff::civil::date;

use super::super::{BalanceKind, ReadOptions, Statement, StatementKind, Unreadable, read as read_file};

fn message(lines: &str) -> String {
    format!(
        ":20:STARTUMS\r\n:25:37040044/0532013000EUR\r\n:28C:00012/001\r\n:60F:C251231EUR100,00\r\n{lines}\r\n:62F:C260131EUR98,50\r\n:64:C260131EUR198,50\r\n-\r\n"
    )
}

fn read(text: &str) -> Result<Vec<Statement>, Unreadable> {
    read_file(text.as_bytes(), &ReadOptions::default())
}

#[test]
fn statement_with_german_information_is_read() {
    let text = message(
        ":61:2512300102DR1,50NDDTNONREF//BANK1\r\nmore\r\n:86:105?00LASTSCHRIFT?20EREF+E1?21SVWZ+Rechnung 12?22 Jan?30COBADEFF?31DE89370400440532013000?32Stadt?33werke",
    );
    let statement = read(&text).unwrap().remove(0);
    assert_eq!(statement.kind, StatementKind::Chain);
    assert_eq!(statement.account.bank.as_deref(), Some("37040044"));
    assert_eq!(statement.account.number.as_deref(), Some("0532013000"));
    assert_eq!(statement.account.currency.unwrap().as_str(), "EUR");
    assert_eq!(statement.number.as_deref(), Some("00012/001"));
    let balances: Vec<_> = statement.balances.iter().map(|b| (b.kind, b.cents)).collect();
    let expected =
        [(BalanceKind::Opening, 10_000), (BalanceKind::Closing, 9_850), (BalanceKind::Available, 19_850)];
    assert_eq!(balances, expected);
    let entry = &statement.entries[0];
    assert_eq!((entry.line, entry.cents), (5, -150));
    assert_eq!((entry.value_day, entry.booked), (Some(date(2025, 12, 30)), date(2026, 1, 2)));
    assert_eq!(entry.party.as_deref(), Some("Stadtwerke"));
    assert_eq!(entry.party_account.as_deref(), Some("DE89370400440532013000"));
    assert_eq!((entry.text.as_str(), entry.reference.as_deref()), ("Rechnung 12 Jan", Some("E1")));
    assert_eq!(entry.code.as_deref(), Some("105"));
    assert_eq!(entry.id.as_ref().unwrap().text, "BANK1");
    assert!(entry.raw.starts_with(":61:") && entry.raw.ends_with("werke"), "{}", entry.raw);
}

#[test]
fn lines_may_end_with_a_carriage_return_only() {
    let text = message(":61:260115D1,50NMSCX//Y\r\n:86:Shop");
    let old = text.replace("\r\n", "\r");
    let cents =
        |text: &str| read(text).unwrap()[0].entries.iter().map(|entry| entry.cents).collect::<Vec<_>>();
    assert_eq!(cents(&text), [-150]);
    assert_eq!(cents(&old), [-150]);
}

#[test]
fn direction_amount_and_days_of_lines() {
    for (line, booked, cents) in [
        ("260115C5,", date(2026, 1, 15), 500),
        ("2601150114D5,00NMSC", date(2026, 1, 14), -500),
        ("260115RC5,00NMSCX//Y", date(2026, 1, 15), -500),
        ("260115RD5,00NMSC", date(2026, 1, 15), 500),
        ("2601011231CR12,3N195", date(2025, 12, 31), 1_230),
        // Banks that count thirty days to each month.
        ("260230D1,00NINT", date(2026, 2, 28), -100),
    ] {
        let entry = read(&message(&format!(":61:{line}"))).unwrap()[0].entries[0].clone();
        assert_eq!((entry.booked, entry.cents), (booked, cents), "{line}");
    }
}

#[test]
fn named_and_free_information_is_read() {
    let named =
        message(":61:260115D1,00NTRF\n:86:/TRTP/SEPA/IBAN/NL91ABNA0417164300/NAME/Shop/REMI/a/b\n/EREF/X1");
    let entry = read(&named).unwrap()[0].entries[0].clone();
    assert_eq!(entry.party.as_deref(), Some("Shop"));
    assert_eq!((entry.text.as_str(), entry.reference.as_deref()), ("a/b", Some("X1")));
    let free = message(":61:260115D1,00NTRF\n:86:Coffee\nBerlin");
    assert_eq!(read(&free).unwrap()[0].entries[0].text, "Coffee Berlin");
}

#[test]
fn faults_name_line_and_field() {
    let text = message(":61:xx\n:61:260115X5,\n:61:260115D1,234NMSC").replace(":62F:C260131", ":62F:C261331");
    let faults: Vec<String> = match read(&text) {
        Err(Unreadable::Faults(faults)) => faults.into_iter().map(|fault| fault.to_string()).collect(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        faults,
        [
            "line 5, :61:: must begin with a value day YYMMDD; received \"xx\"",
            "line 6, :61:: must have a direction: C, D, RC or RD; received \"260115X5,\"",
            "line 7, :61:: must be an amount with at most two decimals; received \"260115D1,234NMSC\"",
            "line 8, :62F:: must be a balance, such as C260131EUR1234,56; received \"C261331EUR98,50\"",
        ]
    );
}

#[test]
fn interim_report_is_rejected() {
    let outcome = read(":20:X\n:25:1\n:34F:EURD0,00\n:61:260115D1,00NMSC\n");
    assert!(format!("{outcome:?}").contains("MT942"), "{outcome:?}");
}

#[test]
fn text_of_booking_with_tag_of_account_is_no_account() {
    let text = message(
        ":61:260115D1,50NMSC//Y\r\n:25:166?00GUTSCHRIFT?20EREF+E1?21SVWZ+Rechnung 12?31DE89370400440532013000?32Stadtwerke",
    );
    let statement = read(&text).unwrap().remove(0);
    assert_eq!(statement.account.bank.as_deref(), Some("37040044"));
    assert_eq!(statement.account.number.as_deref(), Some("0532013000"));
    assert_eq!(statement.account.currency.unwrap().as_str(), "EUR");
    assert_eq!(statement.entries.len(), 1);
}

#[test]
fn second_account_of_message_is_rejected() {
    let text = message(":61:260115D1,50NMSC//Y");
    let second = format!("{text}:25:37040044/0532013001EUR\r\n:61:260115D2,50NMSC//Z\r\n");
    let faults: Vec<String> = match read(&second) {
        Err(Unreadable::Faults(faults)) => faults.into_iter().map(|fault| fault.to_string()).collect(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        faults,
        [
            "line 9, :25:: must be the only account of a message, which begins with :20:; received \"37040044/0532013001EUR\""
        ]
    );
    let repeated = format!("{text}:25:37040044/0532013000EUR\r\n:61:260115D2,50NMSC//Z\r\n");
    assert_eq!(read(&repeated).unwrap()[0].entries.len(), 2);
}
