//! The operation `banks_status`: health of the bank connections.

use passbook_domain::bank::BanksStatus as Status;
use passbook_domain::scope::Scope;

use crate::context::Context;
use crate::error::Error;
use crate::form::Form;
use crate::operation::{Operation, Spec, Tool};

/// Health of the bank connections.
#[derive(Debug)]
pub struct BanksStatus;

impl Operation for BanksStatus {
    const SPEC: Spec = Spec {
        id: "banks_status",
        path: "/v1/banks/status",
        tool: Some(Tool {
            name: "get_connected_banks_status",
            title: "Bank connections",
            description: "Every connected bank by name: state of the connection, time of the last update, and the action that its owner has to take. Explains why recent transactions or balances are missing; get_portfolio_snapshot has the balances, search_transactions the transactions. needsAttention counts the banks that are broken, disconnected or stale.",
        }),
        scope: Some(Scope::BanksRead),
        summary: "Health of the bank connections",
        description: "Every bank by name: state of the connection, time of the last update, and the action that its owner has to take. If a bank is stale, the other routes lack its newest transactions and balances.",
    };
    type Params = ();
    type Output = Status;
    type ToolOutput = Status;

    fn read(_: &mut Form<'_>) {}

    async fn run(context: &Context<'_>, (): ()) -> Result<Status, Error> {
        Ok(Status::new(context.ledger().banks(context.access()).await?.data))
    }
}
