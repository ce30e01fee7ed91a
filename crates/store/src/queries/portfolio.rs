//! Queries accounts, holdings, wallets and simulated accounts in one snapshot of the database.

use jiff::civil::Date;
use passbook_domain::access::Access;
use passbook_domain::decimal::DecimalText;
use passbook_domain::portfolio::{
    Account, AccountType, Holding, PaperAccountRow, PaperPosition, PortfolioRows, PositionSide, SecurityType,
    Valued, WalletHolding, WalletRow,
};
use passbook_domain::ports::{ReadError, Reading};
use passbook_domain::range::{DateRange, Days};
use passbook_domain::timestamp::UtcTimestamp;
use passbook_domain::{Currency, Money};
use uuid::Uuid;

use super::balances::{self, StoredAccount};
use super::banks::banks;
use crate::error::Error;
use crate::query::{
    BALANCE_FACTS, BANKS, HOLDINGS, OPEN_ACCOUNTS, PAPER_ACCOUNTS, PAPER_POSITIONS, WALLET_HOLDINGS, WALLETS,
};
use crate::row::Row;
use crate::store::Store;

pub(crate) async fn execute(store: &Store, access: &Access<'_>) -> Result<Reading<PortfolioRows>, ReadError> {
    let user = access.credential().user().as_uuid();
    let parameters: &[_] = &[&user as _];
    let queries = [
        BANKS,
        OPEN_ACCOUNTS,
        HOLDINGS,
        WALLETS,
        WALLET_HOLDINGS,
        PAPER_ACCOUNTS,
        PAPER_POSITIONS,
        BALANCE_FACTS,
    ];
    let queries = queries.map(|query| (query, parameters));
    let mut reading = store
        .read(access, &Days::Range(DateRange::EVERYTHING), &queries, |rows| {
            let balances = balances::accounts(&rows[7])?;
            let mut held = PortfolioRows::default();
            held.banks = banks(&rows[0], &balances)?;
            held.accounts = rows[1].map(|row| {
                let entry = account(row, &balances)?;
                Ok((row.get("bank_id")?, Valued { entry, converted_cents: None }))
            })?;
            held.holdings = rows[2].map(|row| Ok((row.get("bank_id")?, holding(row)?)))?;
            held.wallets = rows[3].map(wallet)?;
            held.wallet_holdings =
                rows[4].map(|row| Ok((row.get("wallet_id")?, valued(row, wallet_holding(row)?)?)))?;
            held.paper_accounts = rows[5].map(paper_account)?;
            held.paper_positions =
                rows[6].map(|row| Ok((row.get("paper_account_id")?, valued(row, paper_position(row)?)?)))?;
            Ok(held)
        })
        .await?;
    let (today, currency) = (reading.person.today, reading.person.preferred_currency);
    let accounts = &mut reading.data.accounts;
    let known = accounts.iter().filter_map(|(_, account)| Some((today, account.entry.balance()?)));
    let known: Vec<(Date, Money)> = known.collect();
    let mut converted = balances::convert(store, access, &known, currency).await?.into_iter();
    for (_, account) in accounts.iter_mut().filter(|(_, account)| account.entry.balance_cents.is_some()) {
        account.converted_cents = converted.next().flatten();
    }
    accounts.sort_by(|(_, one), (_, other)| {
        let name = |account: &Valued<Account>| (account.entry.name.clone(), account.entry.id);
        other.converted_cents.cmp(&one.converted_cents).then_with(|| name(one).cmp(&name(other)))
    });
    Ok(reading)
}

/// Adds to an account, holding or position its value in the currency of the total.
fn valued<T>(row: Row<'_>, entry: T) -> Result<Valued<T>, Error> {
    Ok(Valued { entry, converted_cents: row.get("converted_cents")? })
}

fn account(row: Row<'_>, balances: &[StoredAccount]) -> Result<Account, Error> {
    let (id, name): (Uuid, String) = (row.get("account_id")?, row.get("name")?);
    let account_type = row.parsed("type", AccountType::parse)?;
    let subtype = row.get("subtype")?;
    let mut account = Account::new(id, name, account_type, row.parsed("currency", Currency::parse)?);
    account.subtype = subtype;
    account.updated_at = row.get::<Option<jiff::Timestamp>>("updated_at")?.map(UtcTimestamp::from);
    account.has_holdings = row.get("has_holdings")?;
    if let Ok(at) = balances.binary_search_by_key(&id, |account| account.id) {
        let stored = &balances[at];
        let balance = stored.balances.on(stored.today);
        account.balance_cents = balance.map(|balance| balance.cents);
        account.estimated = balance.is_some_and(|balance| balance.estimated);
        account.balance_as_of = stored.balances.as_of();
    }
    Ok(account)
}

fn holding(row: Row<'_>) -> Result<Holding, Error> {
    let (account, security) = (row.get("account_id")?, row.get("security_id")?);
    let (symbol, name): (_, String) = (row.get("symbol")?, row.get("name")?);
    let security_type = row.parsed("type", SecurityType::parse)?;
    let isin = row.get("isin")?;
    let quantity = row.parsed("quantity", DecimalText::parse)?;
    let (price, price_as_of) = (price(row, "price")?, row.get("price_as_of")?);
    let (value_cents, cost_basis_cents) = (row.get("value_cents")?, row.get("cost_basis_cents")?);
    let currency = row.parsed("currency", Currency::parse)?;
    let mut holding = Holding::new(security, account, name, security_type, quantity, currency);
    (holding.symbol, holding.isin) = (symbol, isin);
    (holding.price, holding.price_as_of) = (price, price_as_of);
    (holding.value_cents, holding.cost_basis_cents) = (value_cents, cost_basis_cents);
    holding.is_cash_equivalent = row.get("is_cash_equivalent")?;
    Ok(holding)
}

fn wallet(row: Row<'_>) -> Result<WalletRow, Error> {
    let (id, name, network): (_, String, String) =
        (row.get("wallet_id")?, row.get("name")?, row.get("network")?);
    let address_masked = row.get("address_masked")?;
    let mut wallet = WalletRow::new(id, name, network, updated_at(row)?);
    wallet.address_masked = address_masked;
    Ok(wallet)
}

fn wallet_holding(row: Row<'_>) -> Result<WalletHolding, Error> {
    let (symbol, name): (_, String) = (row.get("symbol")?, row.get("name")?);
    let quantity = row.parsed("quantity", DecimalText::parse)?;
    let (price, price_as_of) = (price(row, "price")?, row.get("price_as_of")?);
    let value_cents = row.get("value_cents")?;
    let mut holding = WalletHolding::new(name, quantity, row.parsed("currency", Currency::parse)?);
    (holding.symbol, holding.value_cents) = (symbol, value_cents);
    (holding.price, holding.price_as_of) = (price, price_as_of);
    Ok(holding)
}

fn paper_account(row: Row<'_>) -> Result<PaperAccountRow, Error> {
    let (id, name, provider): (_, String, String) =
        (row.get("paper_account_id")?, row.get("name")?, row.get("provider")?);
    let currency = row.parsed("currency", Currency::parse)?;
    let cash = Money::new(row.get("cash_cents")?, currency);
    let starting_balance_cents = row.get("starting_balance_cents")?;
    let mut account = PaperAccountRow::new(id, name, provider, cash, updated_at(row)?);
    account.starting_balance_cents = starting_balance_cents;
    Ok(account)
}

fn paper_position(row: Row<'_>) -> Result<PaperPosition, Error> {
    let (security, symbol) = (row.get("security_id")?, row.get("symbol")?);
    let side = row.parsed("side", PositionSide::parse)?;
    let quantity = row.parsed("quantity", DecimalText::parse)?;
    let entry_price = row.parsed("average_entry_price", DecimalText::parse)?;
    let (market_price, market_value_cents) = (price(row, "market_price")?, row.get("market_value_cents")?);
    let (cost_basis, unrealized_pl_cents) = (row.get("cost_basis_cents")?, row.get("unrealized_pl_cents")?);
    let cost_basis = Money::new(cost_basis, row.parsed("currency", Currency::parse)?);
    let mut position = PaperPosition::new(security, side, quantity, entry_price, cost_basis);
    position.symbol = symbol;
    (position.market_price, position.market_value_cents) = (market_price, market_value_cents);
    position.unrealized_pl_cents = unrealized_pl_cents;
    Ok(position)
}

/// Returns the value of a price column; `None` if the column is null.
fn price(row: Row<'_>, column: &'static str) -> Result<Option<DecimalText>, Error> {
    let price: Option<&str> = row.get(column)?;
    price.map(DecimalText::parse).transpose().map_err(|source| row.inconsistent(column, source))
}

fn updated_at(row: Row<'_>) -> Result<UtcTimestamp, Error> {
    Ok(UtcTimestamp::from(row.get::<jiff::Timestamp>("updated_at")?))
}

#[cfg(test)]
mod tests {
    use tokio_postgres::types::Type;

    use super::*;
    use crate::fixture::{Fixture, fault};
    use crate::row::Rows;

    #[test]
    fn price_may_be_null_but_not_malformed() {
        let read = |row: Fixture| Rows::new(&HOLDINGS, [row]).map(|row| price(row, "price"));
        assert_eq!(read(Fixture::new().with("price", &Type::TEXT, None::<&str>)).expect("null"), [None]);
        let found = read(Fixture::new().with("price", &Type::TEXT, "12.50")).expect("a price");
        assert!(found[0].is_some());
        for text in ["1e3", "", "NaN", "12,50"] {
            let error = read(Fixture::new().with("price", &Type::TEXT, text)).expect_err(text);
            assert_eq!(fault(&error).0, "holdings.price");
        }
    }
}
