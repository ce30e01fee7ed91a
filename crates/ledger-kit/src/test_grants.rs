//! Grants for tests: everybody may read their own rows, unless the test limits the grant.

use std::sync::{Mutex, PoisonError};

use passbook_domain::access::{Access, Credential, GrantReference};
use passbook_domain::person::{Surfaces, UserId};
use passbook_domain::ports::ReadError;
use passbook_domain::scope::{Scope, Surface};
use uuid::Uuid;

use crate::data::LedgerData;
use crate::ledger::{Grants, MemoryLedger, OpenRows};
use crate::rates::Rates;

/// The scope and the surface of one call.
pub type RecordedAccess = (Option<Scope>, Option<Surface>);

/// Grants for tests, which check no session and no token. Each person of the data reads their own rows, with every
/// scope and surface unless a method of this type changes that.
#[derive(Debug)]
pub struct TestGrants {
    data: LedgerData,
    rates: Rates,
    scopes: Vec<Scope>,
    surfaces: Surfaces,
    failure: Option<fn() -> ReadError>,
    accesses: Mutex<Vec<RecordedAccess>>,
}

impl TestGrants {
    /// Grants everybody their own rows.
    ///
    /// # Panics
    /// An exchange rate of the data is not a positive decimal number.
    pub fn new(data: LedgerData) -> TestGrants {
        TestGrants {
            rates: data.rates().expect("positive decimal numbers"),
            data,
            scopes: Scope::ALL.to_vec(),
            surfaces: Surfaces { rest: true, mcp: true },
            failure: None,
            accesses: Mutex::default(),
        }
    }

    /// Limits the grants to these scopes.
    #[must_use]
    pub fn with_scopes(self, scopes: &[Scope]) -> TestGrants {
        TestGrants { scopes: scopes.to_vec(), ..self }
    }

    /// Limits the grants to these surfaces.
    #[must_use]
    pub fn with_surfaces(self, surfaces: Surfaces) -> TestGrants {
        TestGrants { surfaces, ..self }
    }

    /// Makes every call fail with the error that `failure` returns.
    #[must_use]
    pub fn with_failure(self, failure: fn() -> ReadError) -> TestGrants {
        TestGrants { failure: Some(failure), ..self }
    }

    /// Returns the accesses of all calls so far, in order.
    pub fn accesses(&self) -> Vec<RecordedAccess> {
        self.accesses.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns a credential of a user, for in-process use. [`Credential::through`] sets its surface.
    #[expect(clippy::disallowed_methods, reason = "a test has no authentication")]
    pub fn credential(user: Uuid) -> Credential {
        Credential::new(UserId::from_authenticated(user), GrantReference::PersonalAccessToken(user))
    }
}

impl Grants for TestGrants {
    fn open(&self, access: &Access<'_>) -> Result<OpenRows<'_>, ReadError> {
        let credential = access.credential();
        let recorded = (access.scope(), credential.surface());
        self.accesses.lock().unwrap_or_else(PoisonError::into_inner).push(recorded);
        if let Some(failure) = self.failure {
            return Err(failure());
        }
        let stored = self.scopes.iter().map(|scope| scope.as_str());
        if !access.is_surface_allowed(self.surfaces, stored) {
            return Err(ReadError::Forbidden);
        }
        access.check_scope(&self.scopes)?;
        let user = credential.user().as_uuid();
        let own = *credential.grant() == GrantReference::PersonalAccessToken(user);
        let person = self.data.people.iter().find(|person| person.id == user && own);
        let (rates, surfaces, today) = (&self.rates, self.surfaces, self.data.today);
        Ok(OpenRows { person: person.ok_or(ReadError::Forbidden)?, rates, surfaces, today })
    }
}

impl MemoryLedger<TestGrants> {
    /// Creates a ledger in which everybody may read their own rows, for tests.
    pub fn for_tests(data: LedgerData) -> MemoryLedger<TestGrants> {
        MemoryLedger::new(TestGrants::new(data))
    }
}
