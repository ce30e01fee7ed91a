//! Files that cannot be read: every fault is listed, and nothing is stored.

use super::writers::{camt, csv};
use super::{EMAIL, IBAN, Importer, year};

#[tokio::test]
async fn file_with_faults_stores_nothing_of_any_file() {
    let importer = Importer::new().await;
    let good = importer.file("good.csv", &csv(&year()));
    let xml = camt(1, &year(), 0);
    let day = csv(&year()).replace("2025-03-07", "2025-02-30");
    let doctype = format!("<!DOCTYPE x [<!ENTITY a \"b\">]>{xml}");
    for (name, content, expected) in [
        ("truncated.xml", &xml[..xml.len() / 2], "truncated.xml: "),
        ("doctype.xml", doctype.as_str(), "doctype.xml: "),
        ("day.csv", day.as_str(), "day.csv: line "),
        ("page.html", "<html><body>Sign in</body></html>", "page.html: "),
        ("empty.csv", "", "empty.csv: file: must not be empty"),
    ] {
        let bad = importer.file(name, content);
        let failed = importer.admin(&["import", &good, &bad, "--user", EMAIL, "--account", IBAN]).failed(65);
        assert!(failed.contains(expected), "{name}: {failed}");
        assert!(failed.lines().count() <= 21, "{name}: {failed}");
        assert!(importer.rows().await.is_empty(), "{name}");
    }
}

#[tokio::test]
async fn ambiguous_order_of_dates_needs_a_flag() {
    let importer = Importer::new().await;
    let file = importer.file("old.qif", "!Type:Bank\nD02/03/2025\nT-5.00\nPKiosk\n^\n");
    let rejected = importer.admin(&["import", &file, "--user", EMAIL, "--account", IBAN]).failed(65);
    assert!(rejected.contains("dmy or mdy") && rejected.contains("--date-order"), "{rejected}");
    importer.import(&[file], &["--account", IBAN, "--date-order", "mdy"]);
    assert!(importer.rows().await[0].contains("2025-02-03"));
}

#[tokio::test]
async fn rules_with_faults_store_nothing() {
    let importer = Importer::new().await;
    let file = importer.file("year.csv", &csv(&year()));
    let rules = importer.file("rules.toml", "[[rule]]\ntext = '('\ncategory = 'FOOD'\n");
    let words = ["import", &file, "--user", EMAIL, "--account", IBAN, "--rules", &rules];
    let failed = importer.admin(&words).failed(65);
    assert!(failed.starts_with("rules.toml:1, text: must be a regular expression"), "{failed}");
    assert!(importer.rows().await.is_empty());
}
