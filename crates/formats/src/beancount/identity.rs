//! Identifiers of what one ledger of one person turns into: another ledger of the same person shares none of them.

use uuid::Uuid;

use crate::id;

/// Returns the `source` of the accounts of a ledger.
pub fn source(ledger: &str) -> String {
    format!("beancount:{ledger}")
}

/// Whose ledger it is, and which of theirs.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    pub(super) user_id: Uuid,
    pub(super) ledger: String,
}

impl Identity {
    /// The identifier of a row of this ledger, by the kind of row and what the ledger calls it.
    pub(super) fn derive(&self, kind: &str, source_id: &str) -> Uuid {
        id::derive(self.user_id, &format!("beancount/{}/{kind}", self.ledger), source_id)
    }

    /// What an account of this ledger says about where it is kept.
    pub(super) fn source(&self) -> Option<String> {
        Some(source(&self.ledger))
    }
}
