//! The recurring payments of the demo household.

use passbook_demo::USER_ID;
use tests::app::App;

#[tokio::test]
async fn demo_household_has_the_recurring_payments_of_its_tables() {
    let app = App::demo_household().await;
    let token = app.token(USER_ID).await;
    for (types, expected) in [("EXPENSE", &DEMO_EXPENSES[..]), ("INCOME", &DEMO_INCOME)] {
        let target = format!("/v1/recurring-payments?types={types}&status=ACTIVE,OVERDUE,ENDED");
        let answer = app.get(&target, &token).await.ok();
        let payments = answer["recurringPayments"].as_array().expect("a list");
        let mut found: Vec<String> = payments
            .iter()
            .map(|payment| {
                let word = |name: &str| payment[name].as_str().expect("text").to_owned();
                format!("{}: {} {}", word("merchant_name"), word("cadence"), word("status"))
            })
            .collect();
        found.sort();
        assert_eq!(found, expected, "{found:#?}");
    }
}

/// The bills and subscriptions of the demo household by merchant. Cash withdrawals, the yearly journey, and the bill
/// that is shared four times a year at irregular intervals are not recurring payments.
const DEMO_EXPENSES: [&str; 24] = [
    "1&1: MONTHLY ACTIVE",
    "ARD ZDF Beitragsservice: QUARTERLY ACTIVE",
    "Adobe: MONTHLY ACTIVE",
    "Allianz: MONTHLY ACTIVE",
    "Audible: MONTHLY ENDED",
    "BahnCard: ANNUALLY ACTIVE",
    "DAUERAUFTRAG MIETE WHG 3.OG LI HAUSVERWALTUNG KASTNER: MONTHLY ACTIVE",
    "Die Gemüsekiste: WEEKLY ACTIVE",
    "Die Zeit: MONTHLY ACTIVE",
    "FitnessLoft: MONTHLY ACTIVE",
    "GitHub: MONTHLY ACTIVE",
    "HUK-COBURG: ANNUALLY ACTIVE",
    "HUK-COBURG: ANNUALLY ACTIVE",
    "HVV: MONTHLY ACTIVE",
    "Hamburg Wasser: QUARTERLY ACTIVE",
    "KONTOFUEHRUNG QUARTAL: QUARTERLY ACTIVE",
    "Netflix: MONTHLY ACTIVE",
    "Putzfee Hamburg: BIWEEKLY ACTIVE",
    "Spotify: MONTHLY ACTIVE",
    "TSV Ottensen: SEMI_ANNUALLY ACTIVE",
    "Telekom: MONTHLY ACTIVE",
    "Vattenfall: MONTHLY ACTIVE",
    "Zahnärztin Dr. Çelik: SEMI_ANNUALLY ACTIVE",
    "Ärzte ohne Grenzen: MONTHLY ACTIVE",
];

/// The regular income of the demo household by merchant. Refunds, gifts and sales are not recurring. Two savings
/// accounts pay interest under the same title on the same days, until one of them is closed.
const DEMO_INCOME: [&str; 6] = [
    "Brightloom Studio: MONTHLY ACTIVE",
    "ERTRAEGNISGUTSCHRIFT AUSL. FONDS IE00B3RBWM25: QUARTERLY ACTIVE",
    "INTEREST PAYMENT: MONTHLY ACTIVE",
    "Nordlicht Software GmbH: MONTHLY ACTIVE",
    "ZINSGUTSCHRIFT QUARTALSABSCHLUSS: QUARTERLY ACTIVE",
    "ZINSGUTSCHRIFT QUARTALSABSCHLUSS: QUARTERLY ENDED",
];
