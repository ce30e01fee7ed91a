//! The ledger in memory as the ledger under test, right or with a defect.

use std::sync::Arc;

use passbook_domain::access::{Access, Credential};
use passbook_domain::person::Surfaces;
use passbook_domain::ports::{Ledger, ReadError};
use passbook_domain::scope::Scope;
use passbook_ledger_kit::{
    Grant, Grants, LedgerData, MemoryLedger, OpenLedger, OpenRows, Subject, TestGrants, sample,
};

/// A subject whose ledger is in memory.
pub(crate) struct InMemory {
    data: LedgerData,
    full: Arc<dyn Ledger>,
    /// A kind of grant that the ledger accepts like a full one.
    accepts: Option<Grant>,
}

impl InMemory {
    /// Creates a right ledger.
    pub(crate) fn new() -> InMemory {
        InMemory::storing(|_| {})
    }

    /// Creates a ledger that stores other data than it should.
    pub(crate) fn storing(change: fn(&mut LedgerData)) -> InMemory {
        let mut data = sample();
        change(&mut data);
        InMemory { full: Arc::new(MemoryLedger::for_tests(data.clone())), data, accepts: None }
    }

    /// Creates a ledger that accepts a kind of grant like a full one.
    pub(crate) fn accepting(grant: Grant) -> InMemory {
        InMemory { accepts: Some(grant), ..InMemory::new() }
    }

    /// Creates a ledger that ignores the scopes to which a token is limited.
    pub(crate) fn ignoring_token_scopes() -> InMemory {
        let full = Arc::new(MemoryLedger::new(Unlimited(TestGrants::new(sample()))));
        InMemory { full, ..InMemory::new() }
    }
}

/// Grants that ignore the scopes to which a token is limited.
struct Unlimited(TestGrants);

impl Grants for Unlimited {
    #[expect(clippy::disallowed_methods, reason = "a wrong ledger")]
    fn open(&self, access: &Access<'_>) -> Result<OpenRows<'_>, ReadError> {
        let caller = access.credential();
        let mut credential = Credential::new(caller.user(), caller.grant().clone());
        if let Some(surface) = caller.surface() {
            credential = credential.through(surface);
        }
        self.0.open(&Access::for_operation(&credential, access.scope()))
    }
}

impl Subject for InMemory {
    fn open(&self, person: &str, grant: Grant) -> Option<OpenLedger> {
        let id = self.data.person(person)?.id;
        let credential = TestGrants::credential(id);
        let grants = || TestGrants::new(self.data.clone());
        let accepted = if self.accepts == Some(grant) { Grant::Full } else { grant };
        let grants = match accepted {
            Grant::Full => return Some(OpenLedger { ledger: self.full.clone(), credential }),
            Grant::Spending => grants().with_scopes(&[Scope::SpendingRead, Scope::CashflowRead]),
            Grant::Revoked => grants().with_failure(|| ReadError::Revoked),
            Grant::Expired => grants().with_failure(|| ReadError::Expired),
            Grant::RestOnly => grants().with_surfaces(Surfaces { rest: true, mcp: false }),
            Grant::OfAnotherPerson => {
                let other = self.data.people.iter().find(|other| other.id != id)?.id;
                let grant = TestGrants::credential(other).grant().clone();
                let credential = Credential::new(credential.user(), grant);
                return Some(OpenLedger { ledger: self.full.clone(), credential });
            }
        };
        Some(OpenLedger { ledger: Arc::new(MemoryLedger::new(grants)), credential })
    }
}
