//! The example job that prints a weekly mail for everybody.

use std::process::Stdio;

use passbook_domain::category::ExpenseCategory;
use tests::app::App;
use tests::household::Household;

use super::program::command;

/// Grants a job to everybody, as `docs/grants.md` describes for sessions and jobs of a host.
async fn grant_job(app: &App, job: &str, scopes: &str) {
    let superuser = app.database.connect("postgres").await;
    let view = format!(
        "create or replace view passbook_read.grants as \
         select stored.user_id, stored.credential, stored.reference, stored.owner_user_id, stored.scopes, \
           stored.rest, stored.mcp, stored.revoked, stored.expired \
         from passbook.stored_grants as stored \
         union all \
         select users.user_id, 'host', '{job}', users.user_id, '{scopes}'::text[], true, false, false, false \
         from passbook.users as users"
    );
    superuser.batch_execute(&view).await.expect("the view is redefined");
}

fn household(email: &str) -> Household {
    let mut household = Household::new();
    household.user.email = email.to_owned();
    household
}

#[tokio::test]
async fn job_prints_a_mail_for_everybody_from_one_snapshot() {
    let app = App::start().await;
    let mut ada = household("ada@example.org");
    for (day, cents, currency, merchant) in [
        ("2026-11-21", 2_150, "EUR", "Librairie"),
        ("2026-11-15", 1_000, "EUR", "Zoo"),
        ("2026-11-18", 500, "USD", "Diner"),
        ("2026-11-14", 4_200, "EUR", "Librairie"),
    ] {
        let row = ada.expense(day, ExpenseCategory::Books, cents, currency);
        row.merchant_name = Some(merchant.to_owned());
    }
    for month in ["2026-06", "2026-07", "2026-08", "2026-09", "2026-10"] {
        let row = ada.expense(&format!("{month}-25"), ExpenseCategory::Subscriptions, 1_599, "EUR");
        row.merchant_name = Some("Netflix".to_owned());
    }
    let bob = household("bob@example.org");
    app.load(ada.records()).await;
    app.load(bob.records()).await;
    grant_job(&app, "weekly-mail", "{spending:read,recurring-payments:read}").await;
    let (reader, writer) =
        (app.database.url(passbook_schema::READER), app.database.url(passbook_schema::WRITER));
    let run = |job: &str, lister: &str| {
        let environment = [("DATABASE_URL", reader.as_str()), ("WRITER_DATABASE_URL", lister), ("JOB", job)];
        let mut program = command("passbook-weekly-mail-job", &environment, &["2026-11-21"]);
        let output = program.stderr(Stdio::piped()).output().expect("the job starts and ends");
        (
            String::from_utf8(output.stdout).expect("UTF-8"),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };

    let (mails, log) = run("weekly-mail", &writer);
    let expected = "To: ada@example.org\n\
        Spent: 31.50 EUR (-25.00 % against the week before)\n\
        Some spending has no exchange rate and is missing here.\n  \
        Librairie: 21.50 EUR (68.25 %)\n  \
        Zoo: 10.00 EUR (31.75 %)\n  \
        Diner: 0.00 EUR (0.00 %)\n\
        Due 2026-11-25: Netflix, 15.99 EUR\n";
    let none = "To: bob@example.org\nSpent: 0.00 EUR\n";
    assert!(mails.contains(expected) && mails.contains(none), "{mails}{log}");
    let (mails, _) = run("unknown-job", &writer);
    let refused = "No mail to bob@example.org: The access token is missing or invalid.\n";
    assert!(mails.contains(refused) && !mails.contains("Spent"), "{mails}");
    let (mails, log) = run("weekly-mail", &reader);
    assert!(mails.is_empty() && log.contains("permission denied"), "{mails}{log}");
}
