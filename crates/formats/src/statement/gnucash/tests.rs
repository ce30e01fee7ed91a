//! Tests of the reader of `GnuCash` books.

use std::io::Write;

use jiff::civil::date;

use super::super::{BalanceKind, ReadOptions, Statement, Unreadable, read as read_file};

fn account(id: &str, name: &str, kind: &str, parent: &str) -> String {
    format!(
        "<gnc:account version=\"2.0.0\"><act:name>{name}</act:name><act:id type=\"guid\">{id}</act:id><act:type>{kind}</act:type><act:commodity><cmdty:space>CURRENCY</cmdty:space><cmdty:id>EUR</cmdty:id></act:commodity><act:parent type=\"guid\">{parent}</act:parent></gnc:account>\n"
    )
}

/// The mark of the account of opening balances.
const OPENING: &str = "<act:slots><slot><slot:key>color</slot:key><slot:value type=\"string\">Not Set</slot:value></slot><slot><slot:key>equity-type</slot:key><slot:value type=\"string\">opening-balance</slot:value></slot></act:slots></gnc:account>";

fn transaction(day: &str, splits: &[(&str, &str)]) -> String {
    let splits: String = splits.iter().map(|(account, quantity)| format!("<trn:split><split:id type=\"guid\">{account}-{day}</split:id><split:value>{quantity}</split:value><split:quantity>{quantity}</split:quantity><split:account type=\"guid\">{account}</split:account></trn:split>")).collect();
    format!(
        "<gnc:transaction version=\"2.0.0\"><trn:id type=\"guid\">t</trn:id><trn:date-posted><ts:date>{day} 00:00:00 +0000</ts:date></trn:date-posted><trn:description>Shop &amp; Co</trn:description><trn:splits>{splits}</trn:splits></gnc:transaction>\n"
    )
}

fn book(transactions: &str) -> String {
    let accounts = account("root", "Root", "ROOT", "")
        + &account("giro", "Giro", "BANK", "root")
        + &account("card", "Card", "CREDIT", "root")
        + &account("exp", "Expenses", "EXPENSE", "root")
        + &account("food", "Food", "EXPENSE", "exp")
        + &account("eq", "Anfangsbestand", "EQUITY", "root").replace("</gnc:account>", OPENING)
        + &account("old", "Opening Balances", "EQUITY", "root")
        + &account("own", "Owner", "EQUITY", "root");
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\" ?>\n<gnc-v2 xmlns:gnc=\"g\" xmlns:act=\"a\" xmlns:trn=\"t\" xmlns:split=\"s\" xmlns:ts=\"ts\" xmlns:cmdty=\"c\"><gnc:book version=\"2.0.0\">{accounts}{transactions}</gnc:book></gnc-v2>\n"
    )
}

fn read(bytes: &[u8]) -> Result<Vec<Statement>, Unreadable> {
    read_file(bytes, &ReadOptions::default())
}

#[test]
fn splits_of_own_accounts_become_entries() {
    let text = book(
        &(transaction("2026-01-01", &[("giro", "10000/100"), ("eq", "-10000/100")])
            + &transaction("2026-01-05", &[("giro", "-1250/100"), ("food", "1250/100")])
            + &transaction("2026-01-06", &[("giro", "-70/10"), ("card", "7/1")])),
    );
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    for bytes in [text.as_bytes(), &gzip.finish().unwrap()] {
        let statements = read(bytes).unwrap();
        let giro = &statements[0];
        assert_eq!(giro.account.name.as_deref(), Some("Giro"));
        assert_eq!((giro.balances[0].kind, giro.balances[0].cents), (BalanceKind::Opening, 10_000));
        assert_eq!((giro.entries[0].booked, giro.entries[0].cents), (date(2026, 1, 5), -1_250));
        assert_eq!(giro.entries[0].category.as_deref(), Some("Expenses:Food"));
        assert_eq!(giro.entries[0].text, "Shop & Co");
        assert_eq!(giro.entries[1].transfer_with.as_deref(), Some("card"));
        assert_eq!(statements[1].entries[0].cents, 700);
    }
}

#[test]
fn only_postings_against_opening_balances_are_no_bookings() {
    let text = book(
        &(transaction("2026-01-01", &[("giro", "10000/100"), ("eq", "-10000/100")])
            + &transaction("2026-01-02", &[("giro", "500/100"), ("old", "-500/100")])
            + &transaction("2026-01-05", &[("giro", "2000/100"), ("own", "-2000/100")])
            + &transaction("2026-01-06", &[("giro", "-300/100"), ("own", "100/100"), ("eq", "200/100")])),
    );
    let giro = read(text.as_bytes()).unwrap().remove(0);
    let balances: Vec<_> = giro.balances.iter().map(|one| (one.kind, one.day, one.cents)).collect();
    assert_eq!(balances, [(BalanceKind::Opening, date(2026, 1, 1), 10_500)]);
    assert_eq!(giro.skipped[0].count, 2);
    let entries: Vec<_> = giro.entries.iter().map(|one| (one.cents, one.category.as_deref())).collect();
    assert_eq!(entries, [(2_000, Some("Owner")), (-300, None)]);
}

#[test]
fn faults_name_line_and_element() {
    let text = book(
        &(transaction("2026-02-30", &[("giro", "1/1000")]) + &transaction("2026-02-01", &[("x", "1/1")])),
    );
    let faults: Vec<String> = match read(text.as_bytes()) {
        Err(Unreadable::Faults(faults)) => faults.into_iter().map(|fault| fault.to_string()).collect(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        faults,
        [
            "line 10, trn:date-posted: must be a calendar day; received \"2026-02-30 00:00:00 +0000\"",
            "line 10, split:quantity: must be an amount with at most two decimals; received \"1/1000\"",
            "line 11, split:account: must be an account of the book; received \"x\"",
        ]
    );
}
