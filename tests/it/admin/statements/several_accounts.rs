//! Files with several accounts: no account of a file is put into another one.

use serde_json::json;

use super::{EMAIL, IBAN, Importer};

const REGISTER: &str = "\"Account\",\"Flag\",\"Date\",\"Payee\",\"Category Group/Category\",\"Category Group\",\"Category\",\"Memo\",\"Outflow\",\"Inflow\",\"Cleared\"\n\
    Giro,,2025-01-03,Kiosk,,,,,5.00,0.00,Cleared\n\
    Visa,,2025-01-03,Kiosk,,,,,5.00,0.00,Cleared\n";

fn section(account: &str, currency: &str) -> String {
    format!(
        "<STMTRS><CURDEF>{currency}<BANKACCTFROM><BANKID>1<ACCTID>{account}</BANKACCTFROM><BANKTRANLIST><STMTTRN>\
         <DTPOSTED>20250103<TRNAMT>-5.00<FITID>1<NAME>Kiosk</STMTTRN></BANKTRANLIST></STMTRS>\n"
    )
}

fn ofx(sections: &[(&str, &str)]) -> String {
    let sections: String = sections.iter().map(|(account, currency)| section(account, currency)).collect();
    format!("OFXHEADER:100\nENCODING:UTF-8\n\n<OFX>{sections}</OFX>")
}

/// A list of changes whose accounts have identifiers that only the provider knows.
fn plaid() -> String {
    let account = |id: &str, name: &str| {
        let balances = json!({ "iso_currency_code": "EUR", "last_updated_datetime": "2025-01-07T08:00:00Z" });
        json!({ "account_id": id, "name": name, "type": "depository", "balances": balances })
    };
    let row = |id: &str, account: &str| json!({ "transaction_id": id, "account_id": account, "amount": 5, "date": "2025-01-03", "name": "Kiosk" });
    json!({
        "accounts": [account("x7Qa", "Giro"), account("b2Zk", "Visa")],
        "added": [row("1", "x7Qa"), row("2", "b2Zk")], "next_cursor": "c",
    })
    .to_string()
}

#[tokio::test]
async fn one_account_for_several_is_rejected_with_a_flag_for_each() {
    let importer = Importer::new().await;
    importer.add_account("visa", "Card", "EUR");
    importer.add_account("dollars", "Dollars", "USD");
    for (name, content, flags) in [
        ("register.csv", REGISTER.to_owned(), ["Giro", "Visa"]),
        ("changes.json", plaid(), ["Visa", "Giro"]),
        ("bank.ofx", ofx(&[("11", "EUR"), ("22", "EUR")]), ["1/11", "1/22"]),
        ("currencies.ofx", ofx(&[("11", "EUR"), ("11", "USD")]), ["1/11 EUR", "1/11 USD"]),
    ] {
        let file = importer.file(name, &content);
        let rejected = importer.admin(&["import", &file, "--user", EMAIL, "--account", IBAN]).failed(65);
        let expected = format!("--account '{}=ID' --account '{}=ID'", flags[0], flags[1]);
        assert!(rejected.contains(&expected), "{name}: {rejected}");
        assert!(importer.rows().await.is_empty(), "{name}");
        let second = if flags[1].ends_with("USD") { "dollars" } else { "visa" };
        let named = [format!("{}={IBAN}", flags[0]), format!("{}={second}", flags[1])];
        importer.import(std::slice::from_ref(&file), &["--account", &named[0], "--account", &named[1]]);
        let second = if second == "visa" { "Card" } else { "Dollars" };
        let mut rows = ["Checking", second].map(|account| format!("{account} 2025-01-03 -500 UNCATEGORIZED"));
        rows.sort_unstable();
        assert_eq!(importer.bookings().await, rows, "{name}");
        importer.json(&["undo", &file]);
    }
}

#[tokio::test]
async fn files_of_two_accounts_are_not_put_into_one() {
    let importer = Importer::new().await;
    let files = [("11", "one.ofx"), ("22", "two.ofx")]
        .map(|(account, name)| importer.file(name, &ofx(&[(account, "EUR")])));
    let rejected =
        importer.admin(&["import", &files[0], &files[1], "--user", EMAIL, "--account", IBAN]).failed(65);
    assert!(rejected.contains("--account '1/11=ID' --account '1/22=ID'"), "{rejected}");
    // The account of the file that no name fits.
    importer.add_account("second", "Second", "EUR");
    importer.import(&files, &["--account", IBAN, "--account", "1/22=second"]);
    assert_eq!(importer.rows().await.len(), 2);
    // Both accounts are known now.
    let again = importer.file("three.ofx", &ofx(&[("11", "EUR"), ("22", "EUR")]));
    importer.import(&[again], &[]);
    assert_eq!(importer.rows().await.len(), 2);
}

#[tokio::test]
async fn unknown_and_ambiguous_names_of_accounts_are_rejected() {
    let importer = Importer::new().await;
    let file = importer.file("currencies.ofx", &ofx(&[("11", "EUR"), ("11", "USD")]));
    for (value, expected) in [
        ("12=main", "must be the IBAN, the number or the name of an account in the files"),
        ("11=main", "must name one account of the files: 1/11 EUR or 1/11 USD"),
        ("11 EUR=main", "--account must be the id of an account of this user"),
    ] {
        let rejected = importer.admin(&["import", &file, "--user", EMAIL, "--account", value]);
        assert!(rejected.code == 65 && rejected.stderr.contains(expected), "{value}: {rejected:?}");
    }
    // Accounts of two currencies do not become one new account.
    let rejected = importer.admin(&["import", &file, "--user", EMAIL, "--create-accounts"]);
    assert!(rejected.stderr.contains("--account '1/11 EUR=ID' --account '1/11 USD=ID'"), "{rejected:?}");
    assert!(rejected.code == 65 && importer.rows().await.is_empty());
    let words = ["import", &file, "--user", EMAIL, "--account", "one", "--account", "two"];
    let rejected = importer.admin(&words).failed(65);
    assert!(rejected.contains("must be given once without the name of an account"), "{rejected}");
}
