//! The elements for securities, prices, holdings, wallets and paper-trading accounts.

use jiff::Timestamp;
use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::portfolio::{PositionSide, SecurityType};
use uuid::Uuid;

use super::element::element;
use super::text::{Address, Code, Isin, Name, SourceId, Text};
use super::value::{Flag, NotNegative, Quantity, SignedCents};
use crate::id::derive;

element! {
    /// A security: anything that can be held and has a price.
    Security; {
        /// The user's identifier.
        user: Uuid,
        /// The security's identifier at the source.
        id: SourceId,
        /// The security's name.
        name: Name,
        /// The security's type.
        r#type: SecurityType,
        /// The currency of the security's prices and cost bases.
        currency: Currency,
        /// The ticker symbol.
        symbol: Option<Text<64>>,
        /// International Securities Identification Number.
        isin: Option<Isin>,
        /// True if the security is equivalent to cash.
        is_cash_equivalent: Flag<false>,
    } => |security| {
        user_id: security.user,
        security_id: derive(security.user, "security", &security.id.0),
        name: security.name.0,
        security_type: security.r#type,
        currency: security.currency,
        symbol: security.symbol.map(|symbol| symbol.0),
        isin: security.isin.map(|isin| isin.0),
        is_cash_equivalent: security.is_cash_equivalent.0,
    }
}

element! {
    /// The closing price of one unit of a security, in the security's currency.
    SecurityPrice; {
        /// The user's identifier.
        user: Uuid,
        /// The `id` of the security.
        security: SourceId,
        /// The day of the price.
        as_of: Date,
        /// The price in the major unit of the currency.
        price: NotNegative,
    } => |security_price| {
        user_id: security_price.user,
        security_id: derive(security_price.user, "security", &security_price.security.0),
        as_of: security_price.as_of,
        price: security_price.price.0,
    }
}

element! {
    /// The current holding of a security in an account. The quantity `"0"` ends a holding.
    Holding; {
        /// The user's identifier.
        user: Uuid,
        /// The `id` of the account.
        account: SourceId,
        /// The `id` of the security.
        security: SourceId,
        /// Units held; negative when sold short.
        quantity: Quantity,
        /// The total cost of the units held, in the security's currency.
        cost_basis_cents: Option<SignedCents>,
    } => |holding| {
        user_id: holding.user,
        account_id: derive(holding.user, "account", &holding.account.0),
        security_id: derive(holding.user, "security", &holding.security.0),
        quantity: holding.quantity.0,
        cost_basis_cents: holding.cost_basis_cents.map(|cents| cents.0),
    }
}

element! {
    /// A cryptocurrency wallet.
    Wallet; {
        /// The user's identifier.
        user: Uuid,
        /// The wallet's identifier at the source.
        id: SourceId,
        /// The wallet's name.
        name: Name,
        /// The wallet's network, such as `BITCOIN`.
        network: Code,
        /// The wallet's public address.
        address: Option<Address>,
        /// The time at which the wallet had these contents.
        updated_at: Timestamp,
    } => |wallet| {
        user_id: wallet.user,
        wallet_id: derive(wallet.user, "wallet", &wallet.id.0),
        name: wallet.name.0,
        network: wallet.network.0,
        address: wallet.address.map(|address| address.0),
        updated_at: wallet.updated_at,
    }
}

element! {
    /// The quantity of a security in a wallet, from a day on.
    WalletHolding; {
        /// The user's identifier.
        user: Uuid,
        /// The `id` of the wallet.
        wallet: SourceId,
        /// The `id` of the security.
        security: SourceId,
        /// The first day with this quantity.
        as_of: Date,
        /// Units held from that day on.
        quantity: NotNegative,
    } => |wallet_holding| {
        user_id: wallet_holding.user,
        wallet_id: derive(wallet_holding.user, "wallet", &wallet_holding.wallet.0),
        security_id: derive(wallet_holding.user, "security", &wallet_holding.security.0),
        as_of: wallet_holding.as_of,
        quantity: wallet_holding.quantity.0,
    }
}

element! {
    /// A paper-trading account, with simulated money. It is shown and never included in totals.
    PaperAccount; {
        /// The user's identifier.
        user: Uuid,
        /// The account's identifier at the source.
        id: SourceId,
        /// The account's name.
        name: Name,
        /// The provider of the simulation, such as `ALPACA`.
        provider: Code,
        /// The account's currency.
        currency: Currency,
        /// The current cash.
        cash_cents: SignedCents,
        /// The cash at the start.
        starting_balance_cents: SignedCents,
        /// The time at which the account had these contents.
        updated_at: Timestamp,
    } => |paper_account| {
        user_id: paper_account.user,
        paper_account_id: derive(paper_account.user, "paper_account", &paper_account.id.0),
        name: paper_account.name.0,
        provider: paper_account.provider.0,
        currency: paper_account.currency,
        cash_cents: paper_account.cash_cents.0,
        starting_balance_cents: paper_account.starting_balance_cents.0,
        updated_at: paper_account.updated_at,
    }
}

element! {
    /// A position in a paper-trading account.
    PaperPosition; {
        /// The user's identifier.
        user: Uuid,
        /// The `id` of the paper-trading account.
        paper_account: SourceId,
        /// The `id` of the security.
        security: SourceId,
        /// The side of the position: `LONG` gains when the price rises, `SHORT` when the price falls.
        side: PositionSide,
        /// Units held; `"0"` closes the position, which is then not shown.
        quantity: NotNegative,
        /// The average entry price of one unit, in the security's currency.
        average_entry_price: NotNegative,
    } => |paper_position| {
        user_id: paper_position.user,
        paper_account_id: derive(paper_position.user, "paper_account", &paper_position.paper_account.0),
        security_id: derive(paper_position.user, "security", &paper_position.security.0),
        side: paper_position.side,
        quantity: paper_position.quantity.0,
        average_entry_price: paper_position.average_entry_price.0,
    }
}
