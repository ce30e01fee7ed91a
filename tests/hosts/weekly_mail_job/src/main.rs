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
use passbook_domain::ports::CountedQuery;
use passbook_domain::range::{DateRange, parse_date};
use passbook_operations::recurring_payments::{RecurringPayments, UpcomingDays};
use passbook_operations::spending_summary::SpendingSummary;
use passbook_operations::top_merchants::{Limit, TopMerchants};
use passbook_operations::{Service, recurring_payments, spending_summary, top_merchants};
use passbook_people::ListedPerson;
use passbook_people::tokio_postgres::{Client, NoTls, connect};
use passbook_store::Store;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut config = passbook_store::Config::new(setting("DATABASE_URL")?.parse()?).with_connections_max(1);
    config.today = std::env::args().nth(1).map(|day| parse_date(&day)).transpose()?;
    let service = Service::new(Arc::new(Store::connect(config).await?));
    let grant = GrantReference::Host { id: SessionId::parse(&setting("JOB")?)? };
    for person in everybody(&setting("WRITER_DATABASE_URL")?).await? {
        let credential = Credential::new(person.user, grant.clone());
        match mail(&service, &credential).await {
            Ok(text) => print_line(&format!("To: {}\n{text}", person.email)),
            Err(error) => print_line(&format!("No mail to {}: {}\n", person.email, error.public())),
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

async fn everybody(url: &str) -> Result<Vec<ListedPerson>, Box<dyn Error>> {
    let (client, connection) = connect(url, NoTls).await?;
    let connection = tokio::spawn(connection);
    let mut listed: Vec<ListedPerson> = Vec::new();
    loop {
        let page = passbook_people::list(&client, listed.last().map(|last| last.user)).await?;
        if page.is_empty() {
            break;
        }
        listed.extend(page);
    }
    drop::<Client>(client);
    connection.await??;
    Ok(listed)
}

#[expect(clippy::disallowed_methods, reason = "a job reads its own settings")]
fn setting(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|_| format!("{name} must be set"))
}

#[expect(clippy::print_stdout, reason = "the job prints its mails")]
fn print_line(line: &str) {
    println!("{line}");
}
