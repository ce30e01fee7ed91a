//! A program without HTTP: prints the three merchants with the highest spending of a month, and the total.
//!
//! `DATABASE_URL` is the URL of the database with the role `passbook_reader`, `PASSBOOK_TOKEN` the user's token, and the
//! argument a day of the month.

use std::error::Error;
use std::sync::Arc;

use passbook_auth::Authenticator;
use passbook_domain::ports::CountedQuery;
use passbook_domain::range::{DateRange, parse_date};
use passbook_operations::Service;
use passbook_operations::top_merchants::{Limit, Params, TopMerchants};
use passbook_store::Store;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let day = parse_date(&std::env::args().nth(1).ok_or("name a day of the month")?)?;
    let config = passbook_store::StoreConfig::new(setting("DATABASE_URL")?.parse()?).with_connections_max(1);
    let store = Arc::new(Store::connect(config).await?);
    let authenticator = Authenticator::new(passbook_auth::AuthenticatorConfig::default(), store.clone());
    let credential =
        authenticator.credential(&setting("PASSBOOK_TOKEN")?).await.map_err(|error| error.public())?;

    let service = Service::new(store);
    let month = DateRange::new(Some(day.first_of_month()), Some(day.last_of_month()), None)?;
    let params = Params::new(CountedQuery::new(month)).with_limit(Limit::constant::<3>());
    let answer = service.call::<TopMerchants>(&credential, params).await.map_err(|error| error.public())?;

    for spent in &answer.merchants {
        print_line(&format!("{}: {} cents", spent.merchant, spent.total.amount_cents));
    }
    print_line(&format!(
        "all: {} cents of {}",
        answer.total_expense.amount_cents, answer.total_expense.currency
    ));
    if !answer.unconverted.is_empty() {
        print_line("Some spending has no exchange rate and is missing from these totals.");
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a host reads its own settings")]
fn setting(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|_| format!("{name} must be set"))
}

#[expect(clippy::print_stdout, reason = "the program prints its result")]
fn print_line(line: &str) {
    println!("{line}");
}
