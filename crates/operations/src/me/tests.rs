//! Unit tests of the current user.

use passbook_domain::person::Surfaces;
use passbook_domain::scope::Scope;
use passbook_test_support::{InMemoryLedger, user};
use serde_json::json;

use super::Me;
use crate::harness::result;

#[test]
fn current_user_is_the_owner_of_the_token_with_the_surfaces_of_the_grant() {
    let ledger = InMemoryLedger::new().with_surfaces(Surfaces { rest: true, mcp: false });
    assert_eq!(
        result::<Me>(ledger, &[]),
        json!({
            "id": user().as_uuid(),
            "capabilities": { "readonly": true, "rest": true, "mcp": false },
            "email": "user@example.org",
        })
    );
}

#[test]
fn no_scope_is_needed() {
    let none: [Scope; 0] = [];
    result::<Me>(InMemoryLedger::new().with_scopes(&none), &[]);
}
