//! Generates every record of the demo household, and loads the household into a database, replacing an earlier one.

use std::collections::BTreeMap;

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_ingest::load::{self, LoadError, Options};
use passbook_records::record::BalanceSnapshot;
use passbook_records::{Located, Record};
use tokio_postgres::{Client, Error, Transaction};

use crate::accounts::{self, EMAIL, Institution, OwnAccount, TIME_ZONE, USER_ID, person};
use crate::calendar::Window;
use crate::ledger::{Ledger, signed};
use crate::securities::{self, LISTINGS};
use crate::{income, portfolio, recurring, spending};

/// Generates the household whose last day is `today`. A record comes after the records that it refers to.
pub fn household(today: Date) -> Vec<Located> {
    let window = Window::ending(today);
    let ledger = write_ledger(window);

    let mut records = vec![Record::User(person()), Record::RateBase(Currency::EUR)];
    records.extend(securities::exchange_rates(window).map(Record::ExchangeRate));
    records.extend(Institution::ALL.map(|institution| Record::Bank(institution.record(today))));
    for account in OwnAccount::ALL {
        let snapshots = snapshots(&ledger, account);
        let balance_cents = snapshots.last().map_or(0, |last| last.balance_cents);
        records.push(Record::Account(account.record(window, balance_cents)));
        records.extend(snapshots.into_iter().map(Record::BalanceSnapshot));
    }
    for listing in LISTINGS {
        records.push(Record::Security(listing.record()));
        records.extend(listing.prices(window).map(Record::SecurityPrice));
    }
    records.extend(portfolio::holdings(window).map(Record::Holding));
    records.extend(portfolio::wallets(today).map(Record::Wallet));
    records.extend(portfolio::wallet_holdings(window).map(Record::WalletHolding));
    records.push(Record::PaperAccount(portfolio::paper_account(today)));
    records.extend(portfolio::paper_positions().map(Record::PaperPosition));
    records.extend(accounts::budgets().map(Record::Budget));
    records.extend(ledger.into_rows().into_iter().map(Record::Transaction));

    let place = |number: usize| format!("demo household, record {}", number + 1);
    records.into_iter().enumerate().map(|(number, record)| Located { place: place(number), record }).collect()
}

fn write_ledger(window: Window) -> Ledger {
    let mut ledger = Ledger::new(window);
    recurring::write(&mut ledger);
    income::write_income(&mut ledger);
    spending::write_everyday(&mut ledger);
    spending::write_purchases(&mut ledger);
    spending::write_journeys(&mut ledger);
    // A card payment depends on the balance owed, so transfers come after all spending.
    income::write_transfers(&mut ledger);
    spending::write_pending(&mut ledger);
    ledger
}

/// Returns the snapshots of an account, oldest first. The first is always the opening balance on the day before the
/// window.
pub(super) fn snapshots(ledger: &Ledger, account: OwnAccount) -> Vec<BalanceSnapshot> {
    let balances = match account {
        OwnAccount::Brokerage => portfolio::brokerage_values(ledger),
        _ => running(ledger, account),
    };
    let mut snapshots: Vec<BalanceSnapshot> = Vec::new();
    for (as_of, balance_cents) in balances {
        if snapshots.last().is_none_or(|last| last.balance_cents != balance_cents) {
            snapshots.push(BalanceSnapshot {
                user_id: USER_ID,
                account_id: account.account_id(),
                as_of,
                balance_cents,
            });
        }
    }
    snapshots
}

fn running(ledger: &Ledger, account: OwnAccount) -> Vec<(Date, i64)> {
    let mut moved: BTreeMap<Date, i64> = BTreeMap::new();
    for row in ledger.posted(account) {
        *moved.entry(row.date).or_insert(0) += signed(row);
    }
    let mut balance = account.facts().opening_cents;
    let mut balances = vec![(ledger.window.eve(), balance)];
    for (day, cents) in moved {
        balance += cents;
        balances.push((day, balance));
    }
    balances
}

/// Creates the temporary tables for the rows that survive the deletion of the demo person.
const SAVED_ROWS: &str = "\
    create temp table saved_clients (like passbook.oauth_clients) on commit drop;
    create temp table saved_tokens (like passbook.personal_access_tokens) on commit drop;
    create temp table saved_consents (like passbook.oauth_consents) on commit drop;
    create temp table saved_sessions (like passbook.oauth_sessions) on commit drop;";

/// Copies the rows that survive the deletion of the demo person. Each statement has the person as its parameter. The
/// rows are the clients and everything that is revoked: without these rows, a revoked consent or session would
/// be accepted again.
const SAVE: [&str; 4] = [
    "insert into saved_clients select * from passbook.oauth_clients where user_id = $1",
    "insert into saved_tokens select * from passbook.personal_access_tokens \
     where user_id = $1 and revoked_at is not null",
    "insert into saved_consents select * from passbook.oauth_consents \
     where user_id = $1 and revoked_at is not null",
    "insert into saved_sessions select * from passbook.oauth_sessions \
     where user_id = $1 and revoked_at is not null",
];

/// Stores the copied rows again.
const RESTORE: &str = "\
    insert into passbook.oauth_clients select * from saved_clients;
    insert into passbook.personal_access_tokens select * from saved_tokens;
    insert into passbook.oauth_consents select * from saved_consents;
    insert into passbook.oauth_sessions select * from saved_sessions;";

/// Returns the current day in the demo person's time zone, by the database's clock.
pub async fn today(client: &Client) -> Result<Date, LoadError> {
    let row = client.query_one("select (now() at time zone $1)::date", &[&TIME_ZONE]).await?;
    Ok(row.try_get(0)?)
}

/// Replaces everything that belongs to the demo person with the household that ends today. Tokens are deleted too, but
/// every revocation stays: revoked tokens, consents and sessions, and all clients. Rows of other
/// people are not touched. Exchange rates, which everyone shares, are updated.
///
/// The connection must use the role that may write. Deleting and loading are two transactions, so an interrupted call
/// may leave a demo person without data; the next call restores the household.
pub async fn install(client: &mut Client, today: Date) -> Result<(), LoadError> {
    let transaction = client.transaction().await?;
    delete_data(&transaction).await?;
    transaction.commit().await?;
    load::load(client, household(today).into_iter().map(Ok), Options::default()).await?;
    Ok(())
}

/// Deletes the demo person with all rows, and stores the person and the revocations again.
async fn delete_data(transaction: &Transaction<'_>) -> Result<(), Error> {
    transaction.batch_execute(SAVED_ROWS).await?;
    for statement in SAVE {
        transaction.execute(statement, &[&USER_ID]).await?;
    }
    if transaction.execute("delete from passbook.users where user_id = $1", &[&USER_ID]).await? == 1 {
        let person = "insert into passbook.users (user_id, email) values ($1, $2)";
        transaction.execute(person, &[&USER_ID, &EMAIL]).await?;
        transaction.batch_execute(RESTORE).await?;
    }
    Ok(())
}
