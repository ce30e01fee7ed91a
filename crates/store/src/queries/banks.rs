//! The banks of a user and the health of their connections.

use passbook_domain::access::Access;
use passbook_domain::bank::{Bank, BankStatus};
use passbook_domain::ports::{ReadError, Reading};
use passbook_domain::range::{DateRange, Days};
use passbook_domain::timestamp::UtcTimestamp;
use uuid::Uuid;

use super::balances::{self, StoredAccount};
use crate::error::Error;
use crate::query::{BALANCE_FACTS, BANKS};
use crate::row::{Row, Rows};
use crate::store::Store;

pub(crate) async fn execute(store: &Store, access: &Access<'_>) -> Result<Reading<Vec<Bank>>, ReadError> {
    let user = access.credential().user().as_uuid();
    let parameters: &[_] = &[&user as _];
    let queries = [BANKS, BALANCE_FACTS].map(|query| (query, parameters));
    let banks = |rows: Vec<Rows>| Ok(banks(&rows[0], &balances::accounts(&rows[1])?)?);
    store.read(access, &Days::Range(DateRange::EVERYTHING), &queries, banks).await
}

/// Converts the rows of `banks.sql` to banks. `accounts` are those of all banks.
pub(super) fn banks(rows: &Rows, accounts: &[StoredAccount]) -> Result<Vec<Bank>, Error> {
    rows.map(|row| {
        let (id, name): (Uuid, String) = (row.get("bank_id")?, row.get("name")?);
        let mut bank = Bank::new(id, name, row.parsed("status", BankStatus::parse)?);
        bank.new_accounts_available = row.get("new_accounts_available")?;
        bank.last_successful_update = moment(row, "last_successful_update")?;
        bank.last_failed_update = moment(row, "last_failed_update")?;
        bank.consent_expires_at = moment(row, "consent_expires_at")?;
        bank.error_code = row.get("error_code")?;
        bank.days_since_update = row.get("days_since_update")?;
        let own = accounts.iter().filter(|account| account.bank == id);
        bank.add_accounts(own.map(|account| (&account.balances, account.is_open(account.today))));
        Ok(bank)
    })
}

fn moment(row: Row<'_>, column: &'static str) -> Result<Option<UtcTimestamp>, Error> {
    Ok(row.get::<Option<jiff::Timestamp>>(column)?.map(UtcTimestamp::from))
}
