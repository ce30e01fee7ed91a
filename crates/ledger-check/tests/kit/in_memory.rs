//! The in-memory ledger as the ledger under test, right or with a defect.

use std::sync::Arc;

use passbook_domain::access::Credential;
use passbook_domain::person::{Surfaces, UserId};
use passbook_domain::ports::{Ledger, ReadError};
use passbook_domain::scope::Scope;
use passbook_ledger_check::{Grant, OpenLedger, Sample, Subject, sample};
use passbook_test_support::{InMemoryLedger, credential};
use uuid::Uuid;

use super::altered::{Alteration, Altered};

/// A subject whose ledgers are in memory.
#[derive(Default)]
pub(crate) struct InMemory {
    /// Changes what the ledger stores.
    pub(crate) store: Option<fn(&mut Sample)>,
    /// Changes what the ledger answers.
    pub(crate) alteration: Option<Alteration>,
    /// A kind of grant that the ledger accepts like a full one.
    pub(crate) accepts: Option<Grant>,
}

impl InMemory {
    pub(crate) fn storing(store: fn(&mut Sample)) -> InMemory {
        InMemory { store: Some(store), ..InMemory::default() }
    }

    pub(crate) fn altered(alteration: Alteration) -> InMemory {
        InMemory { alteration: Some(alteration), ..InMemory::default() }
    }

    fn ledger(&self, name: &str) -> InMemoryLedger {
        let mut sample = sample();
        self.store.iter().for_each(|change| change(&mut sample));
        let person = sample.people.into_iter().find(|person| person.name == name).expect("a person");
        let ledger = InMemoryLedger::new()
            .with_today(&sample.today.to_string())
            .with_settings(person.preferred_currency, person.time_zone)
            .with_transactions(person.transactions)
            .with_assets(person.assets);
        let ledger = sample
            .rates
            .into_iter()
            .fold(ledger, |ledger, rate| ledger.with_rate_on(rate.currency, rate.day, rate.units_per_base));
        let ledger = person
            .targets
            .into_iter()
            .fold(ledger, |ledger, (category, target)| ledger.with_stored_target(category, target));
        person.excluded_categories.into_iter().fold(ledger, InMemoryLedger::with_excluded)
    }
}

impl Subject for InMemory {
    #[expect(clippy::disallowed_methods, reason = "a test has no authentication")]
    fn open(&self, person: &str, grant: Grant) -> Option<OpenLedger> {
        let ledger = self.ledger(person);
        let accepted = if self.accepts == Some(grant) { Grant::Full } else { grant };
        let mut caller = credential();
        let ledger = match accepted {
            Grant::Full => ledger,
            Grant::Spending => ledger.with_scopes(&[Scope::SpendingRead, Scope::CashflowRead]),
            Grant::Revoked => ledger.with_failure(|| ReadError::Revoked),
            Grant::Expired => ledger.with_failure(|| ReadError::Expired),
            Grant::RestOnly => ledger.with_surfaces(Surfaces { rest: true, mcp: false }),
            Grant::OfAnotherPerson => {
                let other = UserId::from_authenticated(Uuid::from_u128(0xb0b));
                caller = Credential::new(other, caller.grant().clone());
                ledger
            }
        };
        let ledger: Arc<dyn Ledger> = match self.alteration {
            Some(alteration) => Arc::new(Altered { right: ledger, alteration }),
            None => Arc::new(ledger),
        };
        Some(OpenLedger { ledger, credential: caller })
    }
}
