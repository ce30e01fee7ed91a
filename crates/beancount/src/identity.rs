//! Derives the identifiers of a ledger's records. Two ledgers of one person share no identifier.

use uuid::Uuid;

use passbook_records::id;

/// Returns the text in the field `source` of the accounts of a ledger.
pub fn source(ledger: &str) -> String {
    format!("beancount:{ledger}")
}

/// The person and the name of the ledger, from which identifiers are derived.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    pub(super) user_id: Uuid,
    pub(super) ledger: String,
}

impl Identity {
    /// Derives the identifier of a record from its kind and its name in the ledger.
    pub(super) fn derive(&self, kind: &str, source_id: &str) -> Uuid {
        id::derive(self.user_id, &format!("beancount/{}/{kind}", self.ledger), source_id)
    }

    /// Returns the text in the field `source` of this ledger's accounts.
    pub(super) fn source(&self) -> Option<String> {
        Some(source(&self.ledger))
    }
}
