//! Catalogues of a host: added, replaced and left-out operations, and conflicts.

use passbook_domain::scope::Scope;

use super::*;
use crate::context::Context;
use crate::error::Error;
use crate::form::Form;
use crate::operation::Spec;
use crate::preferences::Preferences;

const RECEIPTS_READ: Scope = Scope::host("receipts:read");

/// Declares an operation of a host with this identifier and path.
macro_rules! host_operation {
    ($name:ident, $id:literal, $path:literal) => {
        #[derive(Debug)]
        struct $name;
        impl Operation for $name {
            const SPEC: Spec = Spec {
                id: $id,
                path: $path,
                tool: None,
                scope: Some(RECEIPTS_READ),
                summary: "Receipts",
                description: "The receipts.",
            };
            type Params = ();
            type Output = u32;
            type ToolOutput = u32;
            fn read(_: &mut Form<'_>) {}
            async fn run(_: &Context<'_>, (): ()) -> Result<u32, Error> {
                Ok(7)
            }
        }
    };
}

host_operation!(Receipts, "receipts", "/v1/receipts");
host_operation!(OwnPreferences, "preferences", "/v1/own-preferences");
host_operation!(SamePath, "other", "/v1/me");
host_operation!(Template, "template", "/v1/receipts/{id}");

fn ids(catalogue: &Catalogue) -> Vec<&'static str> {
    catalogue.entries().iter().map(|entry| entry.spec.id).collect()
}

#[test]
fn host_adds_replaces_and_leaves_out_operations() {
    let all = ids(&Catalogue::default());
    let added = Catalogue::default().with::<Receipts>().expect("a new operation");
    assert_eq!(ids(&added), [&all[..], &["receipts"]].concat());
    assert_eq!(added.host_scopes(), [RECEIPTS_READ]);
    let replaced = Catalogue::default().with::<OwnPreferences>().expect("a replacement");
    assert_eq!(ids(&replaced), all);
    let position = all.iter().position(|id| *id == Preferences::SPEC.id).expect("an operation of Passbook");
    let own = &replaced.entries()[position].spec;
    assert_eq!((own.path, Preferences::SPEC.path), ("/v1/own-preferences", "/v1/preferences"));
    let few = added.only(&["receipts", "me"]).expect("known identifiers");
    assert_eq!(ids(&few), ["me", "receipts"]);
    assert!(Catalogue::default().host_scopes().is_empty());
}

#[test]
fn conflicting_and_unknown_operations_are_rejected() {
    let rule = |catalogue: Result<Catalogue, Invalid>| catalogue.expect_err("a conflict").rule().to_owned();
    assert_eq!(
        rule(Catalogue::default().with::<SamePath>()),
        "other: must have a path and a tool name of its own; me has them"
    );
    assert!(rule(Catalogue::default().with::<Template>()).starts_with("template: must have a path"));
    assert!(rule(Catalogue::default().only(&["me", "mee"])).ends_with("received \"mee\""));
}
