//! Unit tests of the current user.

use domain::person::Surfaces;
use domain::scope::Scope;
use serde_json::json;
use test_support::{InMemoryLedger, user};

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
