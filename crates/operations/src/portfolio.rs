//! The operation `portfolio`: accounts, wallets and securities with their value today.

use std::collections::BTreeMap;

use passbook_domain::bank::Bank;
use passbook_domain::portfolio::{
    Account, Item, PaperAccount, PaperAccountRow, PaperPosition, Portfolio as Snapshot, PortfolioRows,
    UnknownBalance, Valued, Wallet, WalletHolding, WalletRow,
};
use passbook_domain::scope::Scope;
use passbook_domain::tally::{CurrencyTotal, Overflow, Tally};
use passbook_domain::{Currency, Money};
use uuid::Uuid;

use crate::context::Context;
use crate::error::Error;
use crate::form::Form;
use crate::operation::{Operation, Spec, Tool};

/// Accounts, wallets and securities with their value today.
#[derive(Debug)]
pub struct Portfolio;

impl Operation for Portfolio {
    const SPEC: Spec = Spec {
        id: "portfolio",
        path: "/v1/portfolio",
        tool: Some(Tool {
            name: "get_portfolio_snapshot",
            title: "Portfolio snapshot",
            description: "Assets and debts of today: accounts by bank, wallets, securities and simulated accounts, with their value. Shows what the user owns and owes; get_connected_banks_status shows the age of a bank's data, search_transactions the movements. Totals are in the preferred currency, balances in their own; debts are negative, simulated accounts in no total.",
        }),
        scope: Some(Scope::PortfolioRead),
        summary: "Portfolio today",
        description: "Accounts by institution, wallets, simulated accounts, and the securities of each institution, with their value today. Totals of the portfolio, of items and of wallets are in the user's preferred currency; balances and values stay in their own. Debts are negative. Closed accounts are left out; simulated accounts never count.",
    };
    type Params = ();
    type Output = Snapshot;
    type ToolOutput = Snapshot;

    fn read(_: &mut Form<'_>) {}

    async fn run(context: &Context<'_>, (): ()) -> Result<Snapshot, Error> {
        let reading = context.ledger().portfolio(context.access()).await?;
        Ok(snapshot(reading.data, reading.person.preferred_currency)?)
    }
}

fn snapshot(held: PortfolioRows, currency: Currency) -> Result<Snapshot, Overflow> {
    let mut total = Tally::default();
    let unknown = held.accounts.iter().filter(|(_, account)| account.entry.balance_cents.is_none());
    let unknown_balances: Vec<UnknownBalance> = unknown
        .map(|(_, account)| UnknownBalance { id: account.entry.id, name: account.entry.name.clone() })
        .collect();
    let mut accounts = by_owner(held.accounts);
    let mut items = Vec::with_capacity(held.banks.len());
    for bank in held.banks {
        let accounts = accounts.remove(&bank.id).unwrap_or_default();
        items.push(valued_item(bank, accounts, currency, &mut total)?);
    }
    let mut contents = by_owner(held.wallet_holdings);
    let mut wallets = Vec::with_capacity(held.wallets.len());
    for wallet in held.wallets {
        let contents = contents.remove(&wallet.id).unwrap_or_default();
        wallets.push(valued_wallet(wallet, contents, currency, &mut total)?);
    }
    // Both lists are sorted by name before, and the sort is stable: equal totals stay in the order of names.
    items.sort_by_key(|item| std::cmp::Reverse(item.total.amount_cents));
    wallets.sort_by_key(|wallet| std::cmp::Reverse(wallet.total.amount_cents));
    let mut positions = by_owner(held.paper_positions);
    let paper_accounts = held
        .paper_accounts
        .into_iter()
        .map(|account| {
            let positions = positions.remove(&account.id).unwrap_or_default();
            valued_paper_account(account, positions)
        })
        .collect::<Result<_, _>>()?;
    Ok(Snapshot {
        total: Money::new(total.cents, currency),
        partial: !unknown_balances.is_empty() || wallets.iter().any(|wallet| wallet.partial),
        unknown_balances,
        items,
        wallets,
        paper_accounts,
        securities_by_item: by_owner(held.holdings),
        unconverted: total.unconverted_without_counts(),
    })
}

/// Groups values by the identifier of their owner, such as the institution of an account. The values of one owner keep
/// their order.
fn by_owner<T>(owned: Vec<(Uuid, T)>) -> BTreeMap<Uuid, Vec<T>> {
    let mut owners: BTreeMap<Uuid, Vec<T>> = BTreeMap::new();
    for (owner, thing) in owned {
        owners.entry(owner).or_default().push(thing);
    }
    owners
}

fn valued_item(
    bank: Bank,
    accounts: Vec<Valued<Account>>,
    currency: Currency,
    portfolio: &mut Tally,
) -> Result<Item, Overflow> {
    let mut total = Tally::default();
    for account in &accounts {
        // An account without a known balance is listed, and `unknownBalances` names it.
        if let Some(cents) = account.entry.balance_cents {
            let balance = sum(account.entry.currency, cents, account.converted_cents);
            total.add(&balance)?;
            portfolio.add(&balance)?;
        }
    }
    Ok(Item {
        needs_update: bank.needs_update(),
        id: bank.id,
        total: Money::new(total.cents, currency),
        currency,
        accounts: accounts.into_iter().map(|account| account.entry).collect(),
        bank_name: bank.name,
        new_accounts_available: bank.new_accounts_available,
        unconverted: total.unconverted_without_counts(),
    })
}

fn valued_wallet(
    wallet: WalletRow,
    contents: Vec<Valued<WalletHolding>>,
    currency: Currency,
    portfolio: &mut Tally,
) -> Result<Wallet, Overflow> {
    let mut total = Tally::default();
    for holding in &contents {
        // A holding without a price is listed with an unknown value, and `partial` marks the total.
        if let Some(cents) = holding.entry.value_cents {
            let value = sum(holding.entry.currency, cents, holding.converted_cents);
            total.add(&value)?;
            portfolio.add(&value)?;
        }
    }
    Ok(Wallet {
        id: wallet.id,
        name: wallet.name,
        network: wallet.network,
        address_masked: wallet.address_masked,
        total: Money::new(total.cents, currency),
        currency,
        updated_at: wallet.updated_at,
        partial: contents.iter().any(|holding| holding.entry.value_cents.is_none()),
        holdings: contents.into_iter().map(|holding| holding.entry).collect(),
        unconverted: total.unconverted_without_counts(),
    })
}

fn valued_paper_account(
    account: PaperAccountRow,
    positions: Vec<Valued<PaperPosition>>,
) -> Result<PaperAccount, Overflow> {
    let mut total = Tally::default();
    total.add(&sum(account.currency, account.cash_cents, Some(account.cash_cents)))?;
    for position in &positions {
        if let Some(cents) = position.entry.market_value_cents {
            total.add(&sum(position.entry.currency, cents, position.converted_cents))?;
        }
    }
    Ok(PaperAccount {
        id: account.id,
        name: account.name,
        provider: account.provider,
        total: Money::new(total.cents, account.currency),
        currency: account.currency,
        cash_cents: account.cash_cents,
        starting_balance_cents: account.starting_balance_cents,
        updated_at: account.updated_at,
        partial: positions.iter().any(|position| position.entry.market_value_cents.is_none()),
        positions: positions.into_iter().map(|position| position.entry).collect(),
        unconverted: total.unconverted_without_counts(),
    })
}

/// Creates the currency total of a single balance or value.
fn sum(currency: Currency, amount_cents: i64, converted_cents: Option<i64>) -> CurrencyTotal {
    CurrencyTotal::new(Money::new(amount_cents, currency), 1, converted_cents)
}
