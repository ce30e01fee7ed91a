//! Tests of the CSV reader that no file of cases can contain: random rows, and the completion of a proposed profile.

use jiff::civil::date;
use proptest::prelude::*;

use super::super::{Choice, Entry, ReadOptions, Unreadable, read};
use super::Profile;

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
    let profile = Some(Profile::parse(profile, "test").unwrap());
    let statements = read(bytes, &ReadOptions { profile, ..ReadOptions::default() });
    statements.unwrap().into_iter().flat_map(|statement| statement.entries).collect()
}

#[test]
fn proposed_profile_can_be_completed() {
    let text = "Exported by X\n\nWhen;What;How much;Left\n1.2.2026;a;1,00;2,00\n2.2.2026;b;1,00;3,00\n";
    let proposed = read(text.as_bytes(), &ReadOptions::default());
    let Err(Unreadable::Choice(Choice::UnknownProfile { skeleton })) = proposed else {
        panic!("{proposed:?}")
    };
    let completed = skeleton
        .replace("booked = \"\"", "booked = \"When\"")
        .replace("amount = \"\"", "amount = \"How much\"")
        .replace("# decimal", "decimal")
        .replace("party = \"\"\ntext = [\"\"]", "text = \"What\"");
    assert_eq!(entries(&completed, text.as_bytes()).len(), 2);
}

proptest! {
    /// Any rows survive writing as CSV and reading.
    #[test]
    fn written_rows_are_read_back(rows in proptest::collection::vec((0_i16..366, -9_000_000_000_000_000_i64..=9_000_000_000_000_000, "[ -~äé\n\"]{0,20}"), 0..20)) {
        let mut writer = ::csv::Writer::from_writer(Vec::new());
        writer.write_record(["Date", "Text", "Amount", "Balance"]).unwrap();
        let start = date(2024, 1, 1);
        for (day, cents, text) in &rows {
            let day = start.saturating_add(jiff::Span::new().days(i64::from(*day)));
            let sign = if *cents < 0 { "-" } else { "" };
            let amount = format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100);
            writer.write_record([day.to_string(), text.clone(), amount, String::new()]).unwrap();
        }
        let read = entries(PROFILE, &writer.into_inner().unwrap());
        prop_assert_eq!(read.len(), rows.len());
        for (entry, (day, cents, text)) in read.iter().zip(&rows) {
            prop_assert_eq!(entry.cents, *cents);
            prop_assert_eq!(entry.booked, start.saturating_add(jiff::Span::new().days(i64::from(*day))));
            prop_assert_eq!(&entry.text, &text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
}
