//! Whether requests are worth sending: the same checks as at start.

use domain::ports::BoxFuture;
use domain::readiness::{Check, Readiness};
use store::Store;

/// Looks at configuration, database and signing keys.
#[derive(Debug)]
pub struct Checks {
    store: Store,
}

impl Checks {
    /// Checks over a store.
    pub fn new(store: Store) -> Checks {
        Checks { store }
    }
}

impl Readiness for Checks {
    fn checks(&self) -> BoxFuture<'_, Vec<Check>> {
        Box::pin(async move {
            let mut checks = vec![Check::new("configuration", Ok(()))];
            checks.extend(self.store.checks().await);
            checks.push(Check {
                name: "signing_keys",
                ok: true,
                message: Some("no identity provider is configured: personal access tokens only".to_owned()),
            });
            checks
        })
    }
}
