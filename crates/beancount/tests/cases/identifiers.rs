//! Identifiers of the records of a ledger: they do not depend on the order of the file, and ledgers do not share them.

use passbook_beancount::{AccountMap, Import, import};
use passbook_records::record::Record;
use uuid::Uuid;

use crate::{TODAY, transactions, user};

const ACCOUNTS: &str = "2024-01-01 open Assets:Checking\n2024-01-01 open Expenses:Clothing\n";

fn imported(name: &str, text: &str) -> Import {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("main.beancount");
    std::fs::write(&file, format!("{ACCOUNTS}{text}")).expect("a file");
    import(&file, &user(), name, TODAY, &AccountMap::built_in(), &|_| {}).expect("the ledger has no faults")
}

/// An entry: the day of January, payee and title with links, and the amount.
fn entry(day: &str, words: &str, amount: &str) -> String {
    format!("2024-01-{day} * {words}\n  Expenses:Clothing  {amount} EUR\n  Assets:Checking\n")
}

/// Identifier, title and link of every row, in the order of the import.
fn rows(text: &str) -> Vec<(Uuid, String, Option<Uuid>)> {
    let import = imported("main", text);
    let rows = transactions(&import).into_iter();
    rows.map(|row| (row.transaction_id, row.title.clone(), row.linked_transaction_id)).collect()
}

fn ids(text: &str) -> Vec<Uuid> {
    rows(text).into_iter().map(|(id, ..)| id).collect()
}

#[test]
fn transaction_identifiers_are_stable_and_differ_between_equal_rows() {
    let (coffee, other) = (entry("20", "\"Cafe\" \"Espresso\"", "3"), entry("15", "\"Cafe\" \"Tea\"", "3"));
    let two = ids(&format!("{coffee}{coffee}"));
    assert_ne!(two[0], two[1]);
    let three = ids(&format!("{coffee}{other}{coffee}"));
    assert_eq!(three[1..], two[..]);
}

#[test]
fn two_ledgers_of_one_person_have_distinct_identifiers() {
    let text = "2024-01-01 open Assets:Broker\n2024-02-01 * \"Buy\"\n  Assets:Broker  2 ITOT {100.00 EUR}\n  \
                Assets:Checking\n2024-03-01 * \"Coat\"\n  Expenses:Clothing  3.00 EUR\n  Assets:Checking\n";
    let identifiers = |import: &Import| -> Vec<Uuid> {
        let identifiers = import.records.iter().filter_map(|located| match &located.record {
            Record::Bank(bank) => Some(bank.bank_id),
            Record::Account(account) => Some(account.account_id),
            Record::Transaction(transaction) => Some(transaction.transaction_id),
            Record::Security(security) => Some(security.security_id),
            _ => None,
        });
        identifiers.collect()
    };
    let (main, shared) = (imported("main", text), imported("shared", text));
    let of_main = identifiers(&main);
    assert!(identifiers(&shared).iter().all(|identifier| !of_main.contains(identifier)));
    let source = |located: &passbook_records::Located| match &located.record {
        Record::Account(account) => account.source.clone(),
        _ => None,
    };
    let sources: Vec<String> = shared.records.iter().filter_map(source).collect();
    assert_eq!(sources, ["beancount:shared"; 2]);
}

#[test]
fn links_of_refunds_do_not_depend_on_the_order_of_the_file() {
    let mut entries = [
        entry("01", "\"A\" \"p1\" ^a", "50.00"),
        entry("01", "\"A\" \"p2\" ^a ^b", "30.00"),
        entry("02", "\"A\" \"p3\"", "9.00"),
        entry("03", "\"A\" \"r1\" ^a", "-30.00"),
        entry("03", "\"A\" \"r2\" ^a", "-25.00"),
        entry("03", "\"A\" \"r3\" ^b", "-5.00"),
        entry("03", "\"A\" \"r4\"", "-9.00"),
        entry("03", "\"A\" \"r5\"", "-9.00"),
        entry("04", "\"A\" \"p4\"", "9.00"),
        entry("05", "\"A\" \"r6\"", "-9.00"),
    ];
    let stored = |entries: &[String]| {
        let mut rows = rows(&entries.concat());
        rows.sort();
        rows
    };
    let written = stored(&entries);
    assert!(written.iter().filter(|(.., link)| link.is_some()).count() >= 4, "{written:?}");
    for _ in 0..entries.len() {
        entries.rotate_left(1);
        assert_eq!(stored(&entries), written);
        let mut reversed = entries.clone();
        reversed.reverse();
        assert_eq!(stored(&reversed), written);
    }
}

#[test]
fn link_does_not_change_the_identifier_of_a_row() {
    let ledger = |link: &str| {
        let purchase = entry("10", &format!("\"A\" \"buy\"{link}"), "9.00");
        purchase + &entry("11", &format!("\"A\" \"back\"{link}"), "-9.00")
    };
    assert_eq!(ids(&ledger(" ^a")), ids(&ledger("")));
}
