//! The elements about what is held: securities, prices, holdings, wallets, simulated accounts.

use domain::Currency;
use domain::portfolio::{PositionSide, SecurityType};
use jiff::Timestamp;
use jiff::civil::Date;
use uuid::Uuid;

use super::element::{Element, element};
use super::text::{Address, Code, Isin, Name, SourceId, Text};
use super::value::{Flag, NotNegative, Quantity, SignedCents};
use crate::Faults;
use crate::id::derive;
use crate::record::{self, Record};

element! {
    /// Something that can be held.
    Security; {
        /// The user's identifier.
        user: Uuid,
        /// Its identifier at the source.
        id: SourceId,
        /// Its name.
        name: Name,
        /// Its kind.
        r#type: SecurityType,
        /// The currency of its prices and cost bases.
        currency: Currency,
        /// The symbol it trades under.
        symbol: Option<Text<64>>,
        /// International Securities Identification Number.
        isin: Option<Isin>,
        /// Whether it is as good as cash.
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
        /// The day.
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
    /// What an account holds now of a security. A quantity of `"0"` says that it holds none any more.
    Holding; {
        /// The user's identifier.
        user: Uuid,
        /// The `id` of the account.
        account: SourceId,
        /// The `id` of the security.
        security: SourceId,
        /// Units held; negative when sold short.
        quantity: Quantity,
        /// What was paid for them in all, in the security's currency.
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
    /// A wallet.
    Wallet; {
        /// The user's identifier.
        user: Uuid,
        /// Its identifier at the source.
        id: SourceId,
        /// Its name.
        name: Name,
        /// The network it is on, such as `BITCOIN`.
        network: Code,
        /// Its public address.
        address: Option<Address>,
        /// When its contents were known to be these.
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
    /// The quantity of a security in a wallet from a day on.
    WalletHolding; {
        /// The user's identifier.
        user: Uuid,
        /// The `id` of the wallet.
        wallet: SourceId,
        /// The `id` of the security.
        security: SourceId,
        /// The day on which the quantity became this.
        as_of: Date,
        /// Units held from then on.
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
    /// A simulated account: shown, never counted.
    PaperAccount; {
        /// The user's identifier.
        user: Uuid,
        /// Its identifier at the source.
        id: SourceId,
        /// Its name.
        name: Name,
        /// Who simulates it, such as `ALPACA`.
        provider: Code,
        /// Its currency.
        currency: Currency,
        /// Simulated cash.
        cash_cents: SignedCents,
        /// The cash it began with.
        starting_balance_cents: SignedCents,
        /// When its contents were known to be these.
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
    /// A position in a simulated account.
    PaperPosition; {
        /// The user's identifier.
        user: Uuid,
        /// The `id` of the simulated account.
        paper_account: SourceId,
        /// The `id` of the security.
        security: SourceId,
        /// Whether it gains when the price rises or when it falls.
        side: PositionSide,
        /// Units held; `"0"` says that the position is closed: not shown.
        quantity: NotNegative,
        /// The average price paid for one unit, in the security's currency.
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
