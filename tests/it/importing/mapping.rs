//! The account map: default categories, a user's own map, and faults of a map.

use passbook_formats::beancount::AccountMap;

use super::{import_files, rows};

/// The category of a posting of one euro to an account.
fn category(map: &AccountMap, account: &str) -> String {
    let amount = if account.starts_with("Income") { -1 } else { 1 };
    let text = format!(
        "2024-01-01 open Assets:Giro\n2024-01-01 open {account}\n\
         2024-02-01 * \"x\"\n  {account}  {amount} EUR\n  Assets:Giro\n"
    );
    let import = import_files(&[("main.beancount", &text)], map).expect("the ledger has no faults");
    let row = rows(&import).remove(0);
    row.split(' ').nth(3).expect("a category").to_owned()
}

#[test]
fn default_map_covers_common_account_names() {
    let map = AccountMap::built_in();
    for (account, expected) in [
        ("Expenses:Home:Rent", "RENT"),
        ("Expenses:Home:Electricity", "ENERGY"),
        ("Expenses:Home:Internet", "INTERNET"),
        ("Expenses:Home:Phone", "PHONE"),
        ("Expenses:Food:Groceries", "GROCERIES"),
        ("Expenses:Food:Restaurant", "RESTAURANT"),
        ("Expenses:Food:Alcohol", "ALCOHOL"),
        ("Expenses:Food:Coffee", "COFFEE"),
        ("Expenses:Transport:Tram", "PUBLIC_TRANSPORT"),
        ("Expenses:Vacation", "VACATION"),
        ("Expenses:Taxes:Y2024:US:SocSec", "TAXES"),
        ("Expenses:Health:Dental:Insurance", "INSURANCE"),
        ("Expenses:Health:Life:GroupTermLife", "INSURANCE"),
        ("Expenses:Health:Doctor", "DOCTOR"),
        ("Expenses:Financial:Fees", "BANK_FEES"),
        ("Expenses:Financial:Commissions", "BANK_FEES"),
        ("Expenses:Car:Gas", "FUEL"),
        ("Expenses:Utilities:Gas", "ENERGY"),
        ("Expenses:public-transport", "PUBLIC_TRANSPORT"),
        ("Income:US:Hooli:Salary", "SALARY"),
        ("Income:US:Hooli:Match401k", "BENEFITS"),
        ("Income:US:ETrade:VEA:Dividend", "DIVIDEND"),
        ("Income:US:ETrade:PnL", "INVESTMENT"),
        ("Income:Bank:Interest", "INTEREST"),
    ] {
        // Beancount requires account components to start with a capital letter.
        let account = account.replace(":public", ":Public");
        assert_eq!(category(&map, &account), expected, "{account}");
    }
}

#[test]
fn unmapped_account_is_uncategorized_and_reported() {
    let text = "2024-01-01 open Assets:Giro\n2024-01-01 open Expenses:Zzz\n2024-01-01 open Income:Qqq\n\
        2024-02-01 * \"x\"\n  Expenses:Zzz  1 EUR\n  Income:Qqq  -3 EUR\n  Assets:Giro\n";
    let import =
        import_files(&[("main.beancount", text)], &AccountMap::built_in()).expect("the ledger has no faults");
    let expected =
        ["2024-02-01 Giro EXPENSE UNCATEGORIZED 100 EUR", "2024-02-01 Giro INCOME OTHER_INCOME 300 EUR"];
    assert_eq!(rows(&import), expected);
    assert_eq!(import.report.unmapped_accounts, ["Expenses:Zzz", "Income:Qqq"]);
}

#[test]
fn most_specific_pattern_applies_and_own_pattern_replaces_default() {
    let own = r#"
[expense]
"Groceries" = "SHOPPING"
"Holiday:Groceries" = "VACATION"
"Income:Broker:PnL" = "GAMBLING"

[assets]
"Giro" = "depository/everyday"
"#;
    let map = AccountMap::from_toml(own, "own.toml").expect("the map has no faults");
    assert_eq!(category(&map, "Expenses:Food:Groceries"), "SHOPPING");
    assert_eq!(category(&map, "Expenses:Holiday:Groceries"), "VACATION");
    assert_eq!(category(&map, "Expenses:Holiday:Restaurant"), "RESTAURANT");
    let text = "2024-01-01 open Assets:Giro\n2024-01-01 open Income:Broker:PnL\n\
        2024-02-01 * \"Loss\"\n  Income:Broker:PnL  1 EUR\n  Assets:Giro\n";
    let import = import_files(&[("main.beancount", text)], &map).expect("the ledger has no faults");
    assert_eq!(rows(&import), ["2024-02-01 Giro EXPENSE GAMBLING 100 EUR"]);
    assert_eq!(super::account(&import, "Giro").subtype, "everyday");
}

#[test]
fn invalid_map_is_rejected_with_all_faults() {
    let text = r#"
[expense]
"Food" = "FODD"
"Pay" = "SALARY"
"A::B" = "RENT"
"Number" = 3

[assets]
"Giro" = "checking"

[categories]
"Food" = "RENT"
"#;
    let faults = AccountMap::from_toml(text, "own.toml").expect_err("the map has faults").into_list();
    let mut places: Vec<_> = faults.iter().map(|fault| fault.place.as_str()).collect();
    places.sort_unstable();
    let expected = [
        "own.toml, assets.\"Giro\"",
        "own.toml, categories.\"Food\"",
        "own.toml, expense.\"A::B\"",
        "own.toml, expense.\"Food\"",
        "own.toml, expense.\"Number\"",
        "own.toml, expense.\"Pay\"",
    ];
    assert_eq!(places, expected);
    let syntax = AccountMap::from_toml("[expense]\n\"Food\" RENT\n", "own.toml")
        .expect_err("the map has a fault")
        .into_list();
    assert_eq!(syntax[0].place, "own.toml:2");
}

#[test]
fn loss_without_a_category_is_uncategorized_and_reported() {
    let text = "2024-01-01 open Assets:Giro\n2024-01-01 open Income:Odd\n\
        2024-02-01 * \"x\"\n  Income:Odd  7.00 EUR\n  Assets:Giro\n";
    let import =
        import_files(&[("main.beancount", text)], &AccountMap::built_in()).expect("the ledger has no faults");
    assert_eq!(rows(&import), ["2024-02-01 Giro EXPENSE UNCATEGORIZED 700 EUR"]);
    assert_eq!(import.report.unmapped_accounts, ["Income:Odd"]);
}

#[test]
fn changed_map_lists_each_account_with_its_former_and_new_value_and_its_rows() {
    let text = "2024-01-01 open Assets:Giro\n2024-01-01 open Liabilities:Visa\n2024-01-01 open Expenses:Zzz\n\
        2024-01-01 open Expenses:Rent\n2024-01-01 open Income:Qqq\n\
        2024-02-01 * \"x\"\n  Expenses:Zzz  1 EUR\n  Income:Qqq  -3 EUR\n  Assets:Giro\n\
        2024-02-02 * \"x\"\n  Expenses:Zzz  1 EUR\n  Expenses:Rent  3 EUR\n  Liabilities:Visa\n\
        2024-02-03 * \"x\"\n  Expenses:Zzz  -1 EUR\n  Liabilities:Visa\n\
        2024-02-04 * \"x\"\n  Income:Qqq  2 EUR\n  Assets:Giro\n";
    let built_in = AccountMap::built_in();
    let own = "[expense]\n\"Zzz\" = \"HOBBY\"\n\"Qqq\" = \"GAMBLING\"\n[income]\n\"Qqq\" = \"GIFT\"\n\
        [assets]\n\"Giro\" = \"depository/everyday\"\n[liabilities]\n\"Visa\" = \"loan/loan\"\n";
    let own = AccountMap::from_toml(own, "own.toml").expect("the map has no faults");
    let import = import_files(&[("main.beancount", text)], &built_in).expect("the ledger has no faults");
    let changes = |from, to| -> Vec<String> {
        import.mapped.changes(from, to).iter().map(ToString::to_string).collect()
    };
    // A refund keeps its category, so it does not count under Expenses:Zzz.
    let expected = [
        "Assets:Giro: depository/checking -> depository/everyday (rows: 3)",
        "Expenses:Zzz: UNCATEGORIZED -> HOBBY (rows: 2)",
        "Income:Qqq: UNCATEGORIZED -> GAMBLING (rows: 1)",
        "Income:Qqq: OTHER_INCOME -> GIFT (rows: 1)",
        "Liabilities:Visa: credit/credit card -> loan/loan (rows: 3)",
    ];
    assert_eq!(changes(&built_in, &own), expected);
    assert_eq!(changes(&built_in, &built_in), [""; 0]);
    assert_eq!(changes(&own, &built_in).len(), expected.len());
}
