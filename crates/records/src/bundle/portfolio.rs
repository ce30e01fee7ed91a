//! The elements for securities, prices, holdings, wallets and paper-trading accounts.

use jiff::Timestamp;
use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::portfolio::{PositionSide, SecurityType};
use passbook_input::Faults;
use uuid::Uuid;

use super::element::{Element, element};
use super::text::{Address, Code, Isin, Name, SourceId, Text};
use super::value::{Flag, NotNegative, Quantity, SignedCents};
use crate::id::derive;
use crate::record::{self, Record};

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
    }
}

impl Element for Security {
    fn record(self, _: &str, _: &mut Faults) -> Record {
        Record::Security(record::Security {
            user_id: self.user,
            security_id: derive(self.user, "security", &self.id.0),
            name: self.name.0,
            security_type: self.r#type,
            currency: self.currency,
            symbol: self.symbol.map(|symbol| symbol.0),
            isin: self.isin.map(|isin| isin.0),
            is_cash_equivalent: self.is_cash_equivalent.0,
        })
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
    }
}

impl Element for SecurityPrice {
    fn record(self, _: &str, _: &mut Faults) -> Record {
        Record::SecurityPrice(record::SecurityPrice {
            user_id: self.user,
            security_id: derive(self.user, "security", &self.security.0),
            as_of: self.as_of,
            price: self.price.0,
        })
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
    }
}

impl Element for Holding {
    fn record(self, _: &str, _: &mut Faults) -> Record {
        Record::Holding(record::Holding {
            user_id: self.user,
            account_id: derive(self.user, "account", &self.account.0),
            security_id: derive(self.user, "security", &self.security.0),
            quantity: self.quantity.0,
            cost_basis_cents: self.cost_basis_cents.map(|cents| cents.0),
        })
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
    }
}

impl Element for Wallet {
    fn record(self, _: &str, _: &mut Faults) -> Record {
        Record::Wallet(record::Wallet {
            user_id: self.user,
            wallet_id: derive(self.user, "wallet", &self.id.0),
            name: self.name.0,
            network: self.network.0,
            address: self.address.map(|address| address.0),
            updated_at: self.updated_at,
        })
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
    }
}

impl Element for WalletHolding {
    fn record(self, _: &str, _: &mut Faults) -> Record {
        Record::WalletHolding(record::WalletHolding {
            user_id: self.user,
            wallet_id: derive(self.user, "wallet", &self.wallet.0),
            security_id: derive(self.user, "security", &self.security.0),
            as_of: self.as_of,
            quantity: self.quantity.0,
        })
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
    }
}

impl Element for PaperAccount {
    fn record(self, _: &str, _: &mut Faults) -> Record {
        Record::PaperAccount(record::PaperAccount {
            user_id: self.user,
            paper_account_id: derive(self.user, "paper_account", &self.id.0),
            name: self.name.0,
            provider: self.provider.0,
            currency: self.currency,
            cash_cents: self.cash_cents.0,
            starting_balance_cents: self.starting_balance_cents.0,
            updated_at: self.updated_at,
        })
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
    }
}

impl Element for PaperPosition {
    fn record(self, _: &str, _: &mut Faults) -> Record {
        Record::PaperPosition(record::PaperPosition {
            user_id: self.user,
            paper_account_id: derive(self.user, "paper_account", &self.paper_account.0),
            security_id: derive(self.user, "security", &self.security.0),
            side: self.side,
            quantity: self.quantity.0,
            average_entry_price: self.average_entry_price.0,
        })
    }
}
