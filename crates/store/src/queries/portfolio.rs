//! Queries accounts, holdings, wallets and simulated accounts in one snapshot of the database.

use domain::Currency;
use domain::access::Access;
use domain::decimal::DecimalText;
use domain::portfolio::{
    Account, AccountType, Holding, PaperAccountRow, PaperPosition, PortfolioRows, PositionSide, SecurityType,
    Valued, WalletHolding, WalletRow,
};
use domain::ports::{ReadError, Reading};
use domain::range::{DateRange, Days};
use domain::timestamp::UtcTimestamp;

use super::banks::banks;
use crate::error::Error;
use crate::pool::Store;
use crate::query::{
    BANKS, HOLDINGS, OPEN_ACCOUNTS, PAPER_ACCOUNTS, PAPER_POSITIONS, WALLET_HOLDINGS, WALLETS,
};
use crate::row::Row;

pub(crate) async fn execute(store: &Store, access: &Access<'_>) -> Result<Reading<PortfolioRows>, ReadError> {
    let user = access.credential().user().as_uuid();
    let parameters: &[_] = &[&user as _];
    let queries = [BANKS, OPEN_ACCOUNTS, HOLDINGS, WALLETS, WALLET_HOLDINGS, PAPER_ACCOUNTS, PAPER_POSITIONS];
    let queries = queries.map(|query| (query, parameters));
    store
        .read(access, &Days::Range(DateRange::EVERYTHING), &queries, |rows| {
            Ok(PortfolioRows {
                banks: banks(&rows[0])?,
                accounts: rows[1].map(|row| Ok((row.get("bank_id")?, valued(row, account(row)?)?)))?,
                holdings: rows[2].map(|row| Ok((row.get("bank_id")?, holding(row)?)))?,
                wallets: rows[3].map(wallet)?,
                wallet_holdings: rows[4]
                    .map(|row| Ok((row.get("wallet_id")?, valued(row, wallet_holding(row)?)?)))?,
                paper_accounts: rows[5].map(paper_account)?,
                paper_positions: rows[6]
                    .map(|row| Ok((row.get("paper_account_id")?, valued(row, paper_position(row)?)?)))?,
            })
        })
        .await
}

/// Adds to an account, holding or position its value in the currency of the total.
fn valued<T>(row: Row<'_>, entry: T) -> Result<Valued<T>, Error> {
    Ok(Valued { entry, converted_cents: row.get("converted_cents")? })
}

fn account(row: Row<'_>) -> Result<Account, Error> {
    Ok(Account {
        id: row.get("account_id")?,
        name: row.get("name")?,
        r#type: row.parsed("type", AccountType::parse)?,
        subtype: row.get("subtype")?,
        balance_cents: row.get("balance_cents")?,
        currency: row.parsed("currency", Currency::parse)?,
        updated_at: updated_at(row)?,
        has_holdings: row.get("has_holdings")?,
    })
}

fn holding(row: Row<'_>) -> Result<Holding, Error> {
    Ok(Holding {
        security_id: row.get("security_id")?,
        account_id: row.get("account_id")?,
        symbol: row.get("symbol")?,
        name: row.get("name")?,
        r#type: row.parsed("type", SecurityType::parse)?,
        isin: row.get("isin")?,
        quantity: row.parsed("quantity", DecimalText::parse)?,
        price: price(row, "price")?,
        price_as_of: row.get("price_as_of")?,
        value_cents: row.get("value_cents")?,
        cost_basis_cents: row.get("cost_basis_cents")?,
        currency: row.parsed("currency", Currency::parse)?,
        is_cash_equivalent: row.get("is_cash_equivalent")?,
    })
}

fn wallet(row: Row<'_>) -> Result<WalletRow, Error> {
    Ok(WalletRow {
        id: row.get("wallet_id")?,
        name: row.get("name")?,
        network: row.get("network")?,
        address_masked: row.get("address_masked")?,
        updated_at: updated_at(row)?,
    })
}

fn wallet_holding(row: Row<'_>) -> Result<WalletHolding, Error> {
    Ok(WalletHolding {
        symbol: row.get("symbol")?,
        name: row.get("name")?,
        quantity: row.parsed("quantity", DecimalText::parse)?,
        price: price(row, "price")?,
        value_cents: row.get("value_cents")?,
        currency: row.parsed("currency", Currency::parse)?,
        price_as_of: row.get("price_as_of")?,
    })
}

fn paper_account(row: Row<'_>) -> Result<PaperAccountRow, Error> {
    Ok(PaperAccountRow {
        id: row.get("paper_account_id")?,
        name: row.get("name")?,
        provider: row.get("provider")?,
        currency: row.parsed("currency", Currency::parse)?,
        cash_cents: row.get("cash_cents")?,
        starting_balance_cents: row.get("starting_balance_cents")?,
        updated_at: updated_at(row)?,
    })
}

fn paper_position(row: Row<'_>) -> Result<PaperPosition, Error> {
    Ok(PaperPosition {
        security_id: row.get("security_id")?,
        symbol: row.get("symbol")?,
        side: row.parsed("side", PositionSide::parse)?,
        quantity: row.parsed("quantity", DecimalText::parse)?,
        average_entry_price: row.parsed("average_entry_price", DecimalText::parse)?,
        market_price: price(row, "market_price")?,
        market_value_cents: row.get("market_value_cents")?,
        cost_basis_cents: row.get("cost_basis_cents")?,
        unrealized_pl_cents: row.get("unrealized_pl_cents")?,
        currency: row.parsed("currency", Currency::parse)?,
    })
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
