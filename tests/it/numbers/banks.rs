//! The status of bank connections.

use jiff::Timestamp;
use passbook_domain::bank::BankStatus;
use passbook_records::record::{Bank, Record};
use serde_json::{Value, json};
use tests::app::App;
use tests::assets::Assets;
use tests::household::Household;
use uuid::Uuid;

fn moment(text: &str) -> Timestamp {
    text.parse().expect("a timestamp")
}

async fn status(app: &App, household: &Household) -> Value {
    let token = app.token(household.user.user_id).await;
    app.get("/v1/banks/status", &token).await.ok()
}

#[tokio::test]
async fn bank_status_contains_every_known_field() {
    let app = App::start().await;
    let household = Household::new();
    app.load(household.records().into_iter().take(1)).await;
    let bank_id = Uuid::new_v4();
    app.load([Record::Bank(Bank {
        user_id: household.user.user_id,
        bank_id,
        name: "First Platypus".to_owned(),
        status: BankStatus::NeedsUpdate,
        new_accounts_available: true,
        last_successful_update: Some(moment("2026-11-15T06:12:03.75Z")),
        last_failed_update: Some(moment("2026-11-20T06:12:01Z")),
        consent_expires_at: Some(moment("2026-12-01T00:00:00Z")),
        error_code: Some("LOGIN_REQUIRED".to_owned()),
    })])
    .await;
    assert_eq!(
        status(&app, &household).await,
        json!({"needsAttention": 1, "banks": [{
            "id": bank_id, "bank_name": "First Platypus", "status": "NEEDS_UPDATE", "needs_update": true,
            "new_accounts_available": true, "account_count": 0, "last_successful_update": "2026-11-15T06:12:03Z",
            "last_failed_update": "2026-11-20T06:12:01Z", "stale": true, "stale_days": 6,
            "consent_expires_at": "2026-12-01T00:00:00Z", "error_code": "LOGIN_REQUIRED",
        }]})
    );
}

#[tokio::test]
async fn banks_are_sorted_by_name_and_unknown_fields_are_absent() {
    let app = App::start().await;
    let household = Household::new();
    app.load(household.records().into_iter().take(1)).await;
    assert_eq!(status(&app, &household).await, json!({"needsAttention": 0, "banks": []}));
    let mut assets = Assets::new(household.user.user_id);
    assets.bank("Zebra", BankStatus::Connected);
    let platypus = assets.bank("Platypus", BankStatus::Manual);
    for record in &mut assets.records {
        if let Record::Bank(bank) = record {
            bank.last_successful_update = None;
        }
    }
    app.load(assets.records).await;
    let answer = status(&app, &household).await;
    assert_eq!(answer["needsAttention"], 1, "a bank that was never updated is stale, unless it is manual");
    assert_eq!(
        answer["banks"][0],
        json!({"id": platypus, "bank_name": "Platypus", "status": "MANUAL", "needs_update": false,
            "new_accounts_available": false, "account_count": 0, "stale": false})
    );
    assert_eq!(
        (&answer["banks"][1]["bank_name"], &answer["banks"][1]["stale"]),
        (&json!("Zebra"), &json!(true))
    );
}

#[tokio::test]
async fn stale_days_are_counted_in_the_time_zone_of_the_user() {
    // Today is 2026-11-21. In Kiritimati (UTC+14) the evening of 11-17 in UTC is already 11-18.
    for (zone, updated, days) in [
        ("UTC", "2026-11-17T20:00:00Z", 4),
        ("Pacific/Kiritimati", "2026-11-17T20:00:00Z", 3),
        ("Pacific/Pago_Pago", "2026-11-18T05:00:00Z", 4),
        ("UTC", "2026-11-21T23:59:59Z", 0),
        // An update in the future, by a clock that is ahead.
        ("UTC", "2026-11-23T00:00:00Z", 0),
    ] {
        let app = App::start().await;
        let mut household = Household::new();
        household.user.time_zone = zone.to_owned();
        app.load(household.records().into_iter().take(1)).await;
        let mut assets = Assets::new(household.user.user_id);
        assets.bank("Platypus", BankStatus::Connected);
        if let Some(Record::Bank(bank)) = assets.records.last_mut() {
            bank.last_successful_update = Some(moment(updated));
        }
        app.load(assets.records).await;
        let answer = status(&app, &household).await;
        assert_eq!(answer["banks"][0]["stale_days"], days, "{zone} {updated}");
        assert_eq!(answer["banks"][0]["stale"], days > 3, "{zone} {updated}");
        assert_eq!(answer["needsAttention"], i64::from(days > 3), "{zone} {updated}");
    }
}

#[tokio::test]
async fn closed_accounts_are_not_counted() {
    use passbook_domain::portfolio::AccountType::Depository;
    let app = App::start().await;
    let household = Household::new();
    app.load(household.records().into_iter().take(1)).await;
    let mut assets = Assets::new(household.user.user_id);
    let bank = assets.bank("Platypus", BankStatus::Connected);
    assets.account(bank, "open", Depository, 0, "EUR");
    for (name, closed_on) in
        [("yesterday", "2026-11-20"), ("today", "2026-11-21"), ("tomorrow", "2026-11-22")]
    {
        assets.account(bank, name, Depository, 0, "EUR");
        assets.closed_on(closed_on);
    }
    app.load(assets.records).await;
    assert_eq!(
        status(&app, &household).await["banks"][0]["account_count"],
        2,
        "only the open account and the account that closes tomorrow count"
    );
}
