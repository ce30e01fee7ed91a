//! The example host without HTTP.

use std::process::{Output, Stdio};

use passbook_domain::category::ExpenseCategory;
use passbook_domain::scope::Scope;
use tests::app::App;
use tests::household::Household;

use super::program::command;

fn run(app: &App, token: &str, arguments: &[&str]) -> Output {
    let url = app.database.url("passbook_reader");
    let mut host =
        command("passbook-direct-host", &[("DATABASE_URL", &url), ("PASSBOOK_TOKEN", token)], arguments);
    host.stderr(Stdio::piped()).output().expect("the host starts and ends")
}

#[tokio::test]
async fn direct_host_prints_its_report_or_the_error() {
    let app = App::start().await;
    let mut household = Household::new();
    for (day, cents, currency, merchant) in [
        ("2026-11-01", 2_150, "EUR", Some("Librairie")),
        ("2026-11-02", 999, "EUR", None),
        ("2026-11-30", 4_000, "EUR", Some("Marché")),
        ("2026-11-03", 450, "USD", Some("Coffee & Co")),
        ("2026-11-04", 100, "EUR", Some("librairie")),
        ("2026-12-01", 77_777, "EUR", Some("Later")),
    ] {
        let row = household.expense(day, ExpenseCategory::Books, cents, currency);
        row.merchant_name = merchant.map(str::to_owned);
    }
    app.load(household.records()).await;
    // The token has no surface for tools: a process that holds the token itself uses no surface.
    let (token, id) = app.token_with(household.user.user_id, &[Scope::SpendingRead], true, false).await;
    let output = run(&app, &token, &["2026-11-15"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let expected = "Marché: 4000 cents\nlibrairie: 2250 cents\nCoffee & Co: 0 cents\nall: 7249 cents of EUR\n\
        Some spending has no exchange rate and is missing from these totals.\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);

    let (without, _) = app.token_with(household.user.user_id, &[Scope::CashflowRead], true, true).await;
    app.write(&format!(
        "update passbook.personal_access_tokens set revoked_at = now() where token_id = '{id}'"
    ))
    .await;
    for (token, arguments, cause) in [
        (without.as_str(), &["2026-11-15"][..], "spending:read"),
        (&token, &["2026-11-15"], "The access token is missing or invalid."),
        ("pbk_nothing", &["2026-11-15"], "The access token is missing or invalid."),
        (&token, &["2026-11-31"], "must be a calendar day"),
        (&token, &[], "name a day of the month"),
    ] {
        let failed = run(&app, token, arguments);
        let stderr = String::from_utf8_lossy(&failed.stderr);
        assert_eq!((failed.status.code(), &failed.stdout[..]), (Some(1), &b""[..]), "{stderr}");
        assert!(stderr.contains(cause), "{cause}: {stderr}");
    }
}
