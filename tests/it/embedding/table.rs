//! The example host that prints results as tables.

use super::program::{command, ledger_file};

const ROWS: &str = "ada|2026-11-03|EXPENSE|BOOKS|2150|EUR|posted|CARD BOOKS|Librairie\n\
                    ada|2026-11-04|EXPENSE|COFFEE|450|EUR|posted|CARD CAFE|Café\n";

fn run(person: &str, arguments: &[&str]) -> (bool, String, String) {
    let rows = ledger_file(ROWS);
    let path = rows.path().to_str().expect("UTF-8");
    let environment = [("LEDGER", path), ("PERSON", person)];
    let output = command("passbook-table-cli", &environment, arguments)
        .stderr(std::process::Stdio::piped())
        .output()
        .expect("the program starts and ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.success(), text(output.stdout), text(output.stderr))
}

#[test]
fn command_line_prints_a_result_as_a_table() {
    let arguments = ["top_merchants", "dateFrom=2026-11-01", "dateTo=2026-11-30"];
    let (success, printed, errors) = run("ada", &arguments);
    assert!(success, "{errors}");
    let expected = "dateFrom: 2026-11-01\n\
                    dateTo: 2026-11-30\n\
                    \n\
                    merchants\n\
                    merchant   percentOfTotal  total      transactionCount\n\
                    Librairie  82.69           21.50 EUR  1\n\
                    Café       17.31           4.50 EUR   1\n\
                    totalExpense: 26.00 EUR\n";
    assert_eq!(printed, expected);
}

#[test]
fn command_line_names_the_fault() {
    for (person, arguments, expected) in [
        ("ada", &["top_merchants", "limit=0"][..], "limit must be a whole number from 1 to 100; received 0"),
        ("ada", &["merchants"], "there is no operation"),
        ("eve", &["me"], "the ledger has no person"),
        ("ada", &[], "name an operation"),
    ] {
        let (success, _, errors) = run(person, arguments);
        assert!(!success && errors.contains(expected), "{arguments:?}: {errors}");
    }
}
