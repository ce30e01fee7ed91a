//! Who is asking, and what their credential may be used for.

use uuid::Uuid;

use crate::error::Error;
use crate::form::Form;
use crate::operation::{Operation, Spec};
use crate::service::Context;

/// The operation.
#[derive(Debug)]
pub struct Me;

/// The current user.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct CurrentUser {
    /// The user's identifier, the `sub` of their tokens.
    pub id: Uuid,
    /// What this credential may be used for.
    pub capabilities: Capabilities,
    /// The user's e-mail address.
    #[schemars(email)]
    pub email: String,
}

/// What a credential may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Capabilities {
    /// Always true: nothing here writes.
    pub readonly: bool,
    /// Whether the REST routes accept this credential.
    pub rest: bool,
    /// Whether the tool server accepts this credential.
    pub mcp: bool,
}

impl Operation for Me {
    const SPEC: Spec = Spec {
        id: "me",
        path: "/v1/me",
        tool: None,
        scope: None,
        summary: "The current user",
        description: "Identifier and e-mail address of the user whose token this is, and the surfaces this credential may use.",
    };
    type Params = ();
    type Output = CurrentUser;

    fn read(_: &mut Form<'_>) {}

    async fn run(context: &Context<'_>, (): ()) -> Result<CurrentUser, Error> {
        let reading = context.ledger().person(context.access()).await?;
        Ok(CurrentUser {
            id: reading.person.id.as_uuid(),
            capabilities: Capabilities {
                readonly: true,
                rest: reading.surfaces.rest,
                mcp: reading.surfaces.mcp,
            },
            email: reading.person.email,
        })
    }
}
