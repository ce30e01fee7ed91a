//! A job without HTTP: prints a weekly mail for everybody. A mail has the spending of the last seven days with its change,
//! the largest merchants, and the payments that are due in the next seven days. All figures of a mail come from one
//! snapshot, so they agree also if rows arrive meanwhile.
//!
//! `DATABASE_URL` is the URL of the database with the role `passbook_reader`, `WRITER_DATABASE_URL` the same with the role
//! `passbook_writer`, which lists the people. `JOB` is the identifier of the job's grant in `passbook_read.grants`. An
//! argument is a day that is used as today.

use std::error::Error;
use std::sync::Arc;

use passbook_domain::access::{Credential, GrantReference, SessionId};
use passbook_domain::period::GroupBy;
use passbook_domain::person::UserId;
use passbook_domain::ports::CountedQuery;
use passbook_domain::range::{DateRange, parse_date};
use passbook_operations::recurring_payments::{RecurringPayments, UpcomingDays};
use passbook_operations::spending_summary::SpendingSummary;
use passbook_operations::top_merchants::{Limit, TopMerchants};
use passbook_operations::{Service, recurring_payments, spending_summary, top_merchants};
use passbook_store::Store;
use tokio_postgres::{NoTls, Row, connect};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut config =
        passbook_store::StoreConfig::new(setting("DATABASE_URL")?.parse()?).with_connections_max(1);
    config.today = std::env::args().nth(1).map(|day| parse_date(&day)).transpose()?;
    let service = Service::new(Arc::new(Store::connect(config).await?));
    let grant = GrantReference::Host { id: SessionId::parse(&setting("JOB")?)? };
    for (user, email) in everybody(&setting("WRITER_DATABASE_URL")?).await? {
        let credential = Credential::new(user, grant.clone());
        match mail(&service, &credential).await {
            Ok(text) => print_line(&format!("To: {email}\n{text}")),
            Err(error) => print_line(&format!("No mail to {email}: {}\n", error.public())),
        }
    }
    Ok(())
}

/// Returns the text of one person's mail.
async fn mail(service: &Service, credential: &Credential) -> Result<String, passbook_operations::Error> {
    let snapshot = service.snapshot(credential).await?;
    let week = CountedQuery::new(DateRange::last_days(7, snapshot.report_settings().today));
    let params = spending_summary::Params::new(week.clone()).with_group_by(GroupBy::None);
    let spending = snapshot.call::<SpendingSummary>(params).await?;
    let params = top_merchants::Params::new(week).with_limit(Limit::constant::<3>());
    let merchants = snapshot.call::<TopMerchants>(params).await?;
    let params = recurring_payments::Params::default().upcoming_within(UpcomingDays::constant::<7>());
    let upcoming = snapshot.call::<RecurringPayments>(params).await?;

    let change = spending.previous_period.and_then(|previous| previous.change_percent);
    let change = change.map_or(String::new(), |percent| format!(" ({percent} % against the week before)"));
    let mut lines = vec![format!("Spent: {}{change}", spending.total_expense)];
    if !spending.unconverted.is_empty() {
        lines.push("Some spending has no exchange rate and is missing here.".to_owned());
    }
    for entry in merchants.merchants {
        lines.push(format!("  {}: {} ({} %)", entry.merchant, entry.total, entry.percent_of_total));
    }
    for upcoming in upcoming.recurring_payments {
        let payment = upcoming.payment;
        let day = payment.next_expected_date.map_or("soon".to_owned(), |day| day.to_string());
        lines.push(format!("Due {day}: {}, {}", payment.merchant_name, payment.next_amount()));
    }
    Ok(lines.join("\n") + "\n")
}

/// Returns everybody with the e-mail address. The reader's role sees one person at a time, so the list needs a connection
/// of the writer.
async fn everybody(url: &str) -> Result<Vec<(UserId, String)>, Box<dyn Error>> {
    let (client, connection) = connect(url, NoTls).await?;
    let connection = tokio::spawn(connection);
    let rows = client.query("select user_id, email from passbook.users order by user_id", &[]).await?;
    drop(client);
    connection.await??;
    Ok(rows.iter().map(person).collect::<Result<_, _>>()?)
}

#[expect(
    clippy::disallowed_methods,
    reason = "only the operator has the writer's connection, and the job acts for everybody"
)]
fn person(row: &Row) -> Result<(UserId, String), tokio_postgres::Error> {
    Ok((UserId::from_authenticated(row.try_get("user_id")?), row.try_get("email")?))
}

#[expect(clippy::disallowed_methods, reason = "a job reads its own settings")]
fn setting(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|_| format!("{name} must be set"))
}

#[expect(clippy::print_stdout, reason = "the job prints its mails")]
fn print_line(line: &str) {
    println!("{line}");
}
