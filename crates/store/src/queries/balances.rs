//! The accounts of a user with their balances on any day, and the conversion of computed amounts.

use jiff::civil::Date;
use passbook_domain::access::Access;
use passbook_domain::balance::{
    AccountBalances, BalanceFacts, BalanceMoment, DayBalance, DayRows, StatedBalance,
};
use passbook_domain::portfolio::AccountType;
use passbook_domain::ports::ReadError;
use passbook_domain::range::{DateRange, DaySpan, Days};
use passbook_domain::{Currency, Money};
use uuid::Uuid;

use crate::error::Error;
use crate::query::{BALANCE_FACTS, CONVERTED_AMOUNTS};
use crate::row::{Row, Rows};
use crate::store::Store;

/// An account, open or closed, with its balances.
pub(super) struct StoredAccount {
    pub(super) id: Uuid,
    pub(super) bank: Uuid,
    pub(super) name: String,
    pub(super) account_type: AccountType,
    pub(super) currency: Currency,
    pub(super) closed_on: Option<Date>,
    pub(super) today: Date,
    pub(super) balances: AccountBalances,
}

impl StoredAccount {
    /// Returns true if the account is open on a day.
    pub(super) fn is_open(&self, day: Date) -> bool {
        self.closed_on.is_none_or(|closed| closed > day)
    }
}

/// Reads the rows of `balance_facts.sql`.
pub(super) fn accounts(rows: &Rows) -> Result<Vec<StoredAccount>, Error> {
    rows.map(|row| {
        Ok(StoredAccount {
            id: row.get("account_id")?,
            bank: row.get("bank_id")?,
            name: row.get("name")?,
            account_type: row.parsed("type", AccountType::parse)?,
            currency: row.parsed("currency", Currency::parse)?,
            closed_on: row.get("closed_on")?,
            today: row.get("today")?,
            balances: AccountBalances::new(facts(row)?),
        })
    })
}

fn facts(row: Row<'_>) -> Result<BalanceFacts, Error> {
    let (opened_on, today) = (row.get("opened_on")?, row.get("today")?);
    let changes_without_rows = row.get("changes_without_rows")?;
    let (dates, cents): (Vec<Date>, Vec<i64>) = (row.get("stated_dates")?, row.get("stated_cents")?);
    let listed: Vec<Option<i64>> = row.get("listed_cents")?;
    let stated = dates.into_iter().zip(cents).zip(listed).map(|((day, cents), listed)| {
        let instant = listed.map(|listed_cents| BalanceMoment::Instant { listed_cents });
        StatedBalance { day, cents, moment: instant.unwrap_or(BalanceMoment::EndOfDay) }
    });
    let (dates, cents): (Vec<Date>, Vec<i64>) = (row.get("booked_dates")?, row.get("booked_cents")?);
    let other: Vec<bool> = row.get("has_other_currency")?;
    let days = dates.into_iter().zip(cents).zip(other);
    let rows = days.map(|((day, cents), has_other_currency)| DayRows { day, cents, has_other_currency });
    let (first, last): (Vec<Date>, Vec<Date>) = (row.get("first_days")?, row.get("last_days")?);
    let covered = first.into_iter().zip(last).map(|(first, last)| DaySpan { first, last });
    Ok(BalanceFacts {
        changes_without_rows,
        stated: stated.collect(),
        rows: rows.collect(),
        covered: covered.collect(),
        opened_on,
        ambiguous_from: row.get("ambiguous_from")?,
        today,
    })
}

/// The balance of an account today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BalanceToday {
    /// The account.
    pub account_id: Uuid,
    /// The balance; `None` if it is unknown.
    pub balance: Option<DayBalance>,
    /// The day of the newest stated balance in use.
    pub as_of: Option<Date>,
}

/// Returns the balances of a user's accounts today, in the order of the accounts' identifiers. The connection must have the
/// user in `app.user_id`, and a role that may select from `passbook_read.balance_facts`.
///
/// # Errors
/// The errors of the database.
pub async fn balances_today(
    client: &tokio_postgres::Client,
    user_id: Uuid,
) -> Result<Vec<BalanceToday>, Error> {
    let rows = client.query(BALANCE_FACTS.sql, &[&user_id]).await;
    let rows = rows.map_err(Error::query(BALANCE_FACTS.name))?;
    let today = |one: &StoredAccount| BalanceToday {
        account_id: one.id,
        balance: one.balances.on(one.today),
        as_of: one.balances.as_of(),
    };
    Ok(accounts(&Rows::new(&BALANCE_FACTS, rows))?.iter().map(today).collect())
}

/// Converts amounts to the preferred currency `to` at the rates of their days, each rounded once; `None` without a rate. Reads
/// the rates in a transaction of its own, unless every amount is in the currency. The person may have chosen another preferred
/// currency since, which is an error.
pub(super) async fn convert(
    store: &Store,
    access: &Access<'_>,
    amounts: &[(Date, Money)],
    to: Currency,
) -> Result<Vec<Option<i64>>, ReadError> {
    let others = || amounts.iter().filter(|(_, amount)| amount.currency != to);
    let days: Vec<Date> = others().map(|(day, _)| *day).collect();
    let currencies: Vec<&str> = others().map(|(_, amount)| amount.currency.as_str()).collect();
    let cents: Vec<i64> = others().map(|(_, amount)| amount.amount_cents).collect();
    let converted: Vec<Option<i64>> = if days.is_empty() {
        Vec::new()
    } else {
        let user = access.credential().user().as_uuid();
        let parameters: &[_] = &[&user as _, &days as _, &currencies as _, &cents as _];
        let range = Days::Range(DateRange::EVERYTHING);
        let map = |rows: Vec<Rows>| Ok(rows[0].map(|row| row.get("converted_cents"))?);
        let reading = store.read(access, &range, &[(CONVERTED_AMOUNTS, parameters)], map).await?;
        if reading.person.preferred_currency != to {
            return Err(Error::CurrencyChanged.into());
        }
        reading.data
    };
    let mut converted = converted.into_iter();
    let value = |(_, amount): &(Date, Money)| match amount.currency == to {
        true => Some(amount.amount_cents),
        false => converted.next().flatten(),
    };
    Ok(amounts.iter().map(value).collect())
}
