//! The object `deleted` of a bundle: the keys of stored rows to delete, in one array for each table.

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::portfolio::PositionSide;
use passbook_input::Faults;
use schemars::SchemaGenerator;
use uuid::Uuid;

use super::arrays::Array;
use super::element::{Fielded as _, element};
use super::text::{CategoryPath, SourceId};
use crate::FAULTS_LISTED_MAX;
use crate::id::{derive, own_category};
use crate::record::{Deleted, DeletedRow, NamedId, Record};

/// The key of the object.
pub(super) const KEY: &str = "deleted";

/// The rule of the fault for people in `deleted`. A program that offers a way to delete a person can recognise the
/// fault by this text, and name that way.
pub const DELETED_USERS: &str = "must not be given, because a bundle does not delete people";

/// The arrays whose rows grant access. A revoked row must stay stored: without the row, an older bundle would store the
/// credential again, valid.
const CREDENTIALS: [&str; 4] =
    ["oauth_clients", "oauth_consents", "oauth_sessions", "personal_access_tokens"];

element! {
    /// The key of a row that has an identifier.
    DeletedRowKey; {
        /// The user's identifier.
        user: Uuid,
        /// The row's identifier at the source, or the identifier that Passbook shows.
        id: SourceId,
    }
}

element! {
    /// The key of an exchange rate.
    DeletedExchangeRate; {
        /// The quoted currency.
        currency: Currency,
        /// The day of the rate.
        as_of: Date,
    }
}

element! {
    /// The key of a balance.
    DeletedBalanceSnapshot; {
        /// The user's identifier.
        user: Uuid,
        /// The `id` of the account.
        account: SourceId,
        /// The day of the balance.
        as_of: Date,
    }
}

element! {
    /// The key of an own category.
    DeletedOwnCategory; {
        /// The user's identifier.
        user: Uuid,
        /// The name, or `Parent: Name` if the category has a parent.
        name: CategoryPath,
    }
}

element! {
    /// The key of a price.
    DeletedSecurityPrice; {
        /// The user's identifier.
        user: Uuid,
        /// The `id` of the security.
        security: SourceId,
        /// The day of the price.
        as_of: Date,
    }
}

element! {
    /// The key of a holding.
    DeletedHolding; {
        /// The user's identifier.
        user: Uuid,
        /// The `id` of the account.
        account: SourceId,
        /// The `id` of the security.
        security: SourceId,
    }
}

element! {
    /// The key of a quantity in a wallet.
    DeletedWalletHolding; {
        /// The user's identifier.
        user: Uuid,
        /// The `id` of the wallet.
        wallet: SourceId,
        /// The `id` of the security.
        security: SourceId,
        /// The first day with this quantity.
        as_of: Date,
    }
}

element! {
    /// The key of a position in a paper-trading account.
    DeletedPaperPosition; {
        /// The user's identifier.
        user: Uuid,
        /// The `id` of the paper-trading account.
        paper_account: SourceId,
        /// The `id` of the security.
        security: SourceId,
        /// The side of the position.
        side: PositionSide,
    }
}

impl DeletedRowKey {
    fn key(self, kind: &str) -> DeletedRow {
        DeletedRow { user_id: self.user, id: named(self.user, kind, &self.id) }
    }
}

/// Returns the identifiers that a text of the kind may mean.
fn named(user_id: Uuid, kind: &str, id: &SourceId) -> NamedId {
    NamedId { derived: derive(user_id, kind, &id.0), shown: shown(&id.0) }
}

/// Returns a text as the identifier that Passbook shows, which has hyphens; `None` for any other text.
fn shown(text: &str) -> Option<Uuid> {
    Uuid::try_parse(text).ok().filter(|_| text.len() == uuid::fmt::Hyphenated::LENGTH)
}

/// Declares arrays of `deleted`. Each entry has the form `array: |element: type| key`.
macro_rules! arrays {
    ($($array:literal: |$element:ident: $kind:ty| $deleted:expr;)+) => {
        /// Every array of `deleted`.
        pub(super) const ARRAYS: &[Array] = &[$(Array {
            key: $array,
            read: |node, place, _| {
                let mut faults = Faults::with_limit(FAULTS_LISTED_MAX);
                match <$kind>::read(node, place, &mut faults) {
                    Some($element) if faults.is_empty() => Ok(Record::Deleted($deleted)),
                    _ => Err(faults),
                }
            },
            schema: SchemaGenerator::subschema_for::<$kind>,
        }),+];
    };
}

arrays! {
    "exchange_rates": |rate: DeletedExchangeRate|
        Deleted::ExchangeRate { currency: rate.currency, as_of: rate.as_of };
    "banks": |row: DeletedRowKey| Deleted::Bank(row.key("bank"));
    "accounts": |row: DeletedRowKey| Deleted::Account(row.key("account"));
    "balance_snapshots": |row: DeletedBalanceSnapshot| Deleted::BalanceSnapshot {
        user_id: row.user,
        account: named(row.user, "account", &row.account),
        as_of: row.as_of,
    };
    "own_categories": |row: DeletedOwnCategory| Deleted::OwnCategory {
        user_id: row.user,
        own_category_id: own_category(row.user, None, &row.name.0),
    };
    "transactions": |row: DeletedRowKey| Deleted::Transaction(row.key("transaction"));
    "budgets": |row: DeletedRowKey| Deleted::Budget(row.key("budget"));
    "securities": |row: DeletedRowKey| Deleted::Security(row.key("security"));
    "security_prices": |row: DeletedSecurityPrice| Deleted::SecurityPrice {
        user_id: row.user,
        security: named(row.user, "security", &row.security),
        as_of: row.as_of,
    };
    "holdings": |row: DeletedHolding| Deleted::Holding {
        user_id: row.user,
        account: named(row.user, "account", &row.account),
        security: named(row.user, "security", &row.security),
    };
    "wallets": |row: DeletedRowKey| Deleted::Wallet(row.key("wallet"));
    "wallet_holdings": |row: DeletedWalletHolding| Deleted::WalletHolding {
        user_id: row.user,
        wallet: named(row.user, "wallet", &row.wallet),
        security: named(row.user, "security", &row.security),
        as_of: row.as_of,
    };
    "paper_accounts": |row: DeletedRowKey| Deleted::PaperAccount(row.key("paper_account"));
    "paper_positions": |row: DeletedPaperPosition| Deleted::PaperPosition {
        user_id: row.user,
        paper_account: named(row.user, "paper_account", &row.paper_account),
        security: named(row.user, "security", &row.security),
        side: row.side,
    };
}

/// Returns the rule that a key of `deleted` breaks which is not among [`ARRAYS`].
pub(super) fn rule_of_other_key(key: &str) -> String {
    match key {
        "users" => DELETED_USERS.to_owned(),
        key if CREDENTIALS.contains(&key) => format!(
            "must not be given: set revoked_at in the array {key} instead, because a revoked row must stay stored"
        ),
        _ => {
            let arrays = ARRAYS.iter().map(|array| array.key).collect::<Vec<_>>().join(", ");
            format!("is not a known key: the keys are {arrays}")
        }
    }
}
