//! `explain`: the origin of a transaction, and the candidates that are not its other leg.

use super::{EMAIL, IBAN, Importer};

fn qif(rows: &[(&str, &str, &str)]) -> String {
    let row = |(day, sum, party): &(&str, &str, &str)| format!("D{day}\nT{sum}\nP{party}\n^\n");
    format!("!Type:Bank\n{}", rows.iter().map(row).collect::<String>())
}

#[tokio::test]
async fn rejected_candidates_of_a_transfer_are_shown_with_the_reason() {
    let importer = Importer::new().await;
    importer.add_account("savings", "Savings", "EUR");
    let out = [
        ("25/01/2025", "-50.00", "Ada"),
        ("20/03/2025", "-70.00", "Umbuchung"),
        ("13/04/2025", "-90.00", "Umbuchung"),
    ];
    let into = [
        ("26/01/2025", "50.00", "Deposit"),
        ("21/03/2025", "70.00", "First"),
        ("22/03/2025", "70.00", "Second"),
        ("14/04/2025", "90.00", "Third"),
        ("20/04/2025", "90.00", "Fourth"),
    ];
    let (out, into) = (importer.file("out.qif", &qif(&out)), importer.file("in.qif", &qif(&into)));
    importer.import(&[out], &["--account", IBAN]);
    importer.import(&[into], &["--account", "savings"]);
    for (title, reason) in [
        ("Deposit", "nothing marks either as a transfer"),
        ("First", "several transactions fit"),
        ("Fourth", "it is paired with another transaction"),
    ] {
        let id = importer.id_of(title).await.to_string();
        let explained = importer.json(&["explain", &id]);
        assert_eq!(explained["rejected"].as_array().map(Vec::len), Some(1), "{title}: {explained}");
        let rejected = &explained["rejected"][0];
        assert_eq!(
            (rejected["account"].as_str(), rejected["reason"].as_str()),
            (Some("Checking"), Some(reason))
        );
        let shown = importer.admin(&["explain", &id, "--user", EMAIL]).done();
        assert!(shown.contains("not linked") && shown.contains(reason), "{title}: {shown}");
    }
    // The paired leg rejects nothing but the later one.
    let third = importer.json(&["explain", &importer.id_of("Third").await.to_string()]);
    assert!(third["link"].is_string() && third["rejected"] == serde_json::json!([]), "{third}");
}

#[tokio::test]
async fn unknown_transaction_cannot_be_explained() {
    let importer = Importer::new().await;
    let words = ["explain", "00000000-0000-4000-8000-000000000000", "--user", EMAIL];
    let failed = importer.admin(&words).failed(65);
    assert!(failed.contains("must be the id of an imported transaction"), "{failed}");
}
