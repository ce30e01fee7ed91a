//! The table of the arrays that a bundle can contain, used by the reader and the schema.

use passbook_input::Faults;
use schemars::{Schema, SchemaGenerator};

use super::element::{self, CredentialRules, Element};
use super::node::Node;
use super::{credential, people, portfolio, transaction};
use crate::record::Record;

/// An array of a bundle.
pub(super) struct Array {
    pub(super) key: &'static str,
    /// Reads one element of the array. The text is the JSON path of the element, for its faults.
    pub(super) read: fn(&Node, &str, &CredentialRules) -> Result<Record, Faults>,
    /// Returns the JSON Schema of one element.
    pub(super) schema: fn(&mut SchemaGenerator) -> Schema,
}

/// Every array of a bundle.
pub(super) const ARRAYS: &[Array] = &[
    array::<people::ExchangeRate>("exchange_rates"),
    array::<people::User>("users"),
    array::<people::Bank>("banks"),
    array::<people::Account>("accounts"),
    array::<people::BalanceSnapshot>("balance_snapshots"),
    array::<people::OwnCategory>("own_categories"),
    array::<transaction::Transaction>("transactions"),
    array::<people::Budget>("budgets"),
    array::<portfolio::Security>("securities"),
    array::<portfolio::SecurityPrice>("security_prices"),
    array::<portfolio::Holding>("holdings"),
    array::<portfolio::Wallet>("wallets"),
    array::<portfolio::WalletHolding>("wallet_holdings"),
    array::<portfolio::PaperAccount>("paper_accounts"),
    array::<portfolio::PaperPosition>("paper_positions"),
    array::<credential::OauthClient>("oauth_clients"),
    array::<credential::OauthConsent>("oauth_consents"),
    array::<credential::OauthSession>("oauth_sessions"),
    array::<credential::PersonalAccessToken>("personal_access_tokens"),
];

const fn array<T: Element>(key: &'static str) -> Array {
    Array { key, read: element::read::<T>, schema: SchemaGenerator::subschema_for::<T> }
}
