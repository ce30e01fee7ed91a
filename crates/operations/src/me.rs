//! The operation `me`: the current user, and the surfaces that the credential may use.

use uuid::Uuid;

use crate::context::Context;
use crate::error::Error;
use crate::form::Form;
use crate::operation::{Operation, Spec};

/// The current user.
#[derive(Debug)]
pub struct Me;

/// The current user.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct CurrentUser {
    /// The user's identifier. Access tokens have it as `sub`.
    pub id: Uuid,
    /// Surfaces that this credential may use.
    pub capabilities: Capabilities,
    /// The user's e-mail address.
    #[schemars(email)]
    pub email: String,
}

/// Surfaces that a credential may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Capabilities {
    /// Always true: no route writes.
    pub readonly: bool,
    /// True if the REST routes accept this credential.
    pub rest: bool,
    /// True if the tool server accepts this credential.
    pub mcp: bool,
}

impl Operation for Me {
    const SPEC: Spec = Spec {
        id: "me",
        path: "/v1/me",
        tool: None,
        scope: None,
        summary: "The current user",
        description: "Identifier and e-mail address of the owner of the token, and the surfaces that the token may use.",
    };
    type Params = ();
    type Output = CurrentUser;
    type ToolOutput = CurrentUser;

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
