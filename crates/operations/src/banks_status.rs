//! The health of the connections to banks.

use domain::bank::BanksStatus as Status;
use domain::scope::Scope;

use crate::error::Error;
use crate::form::Form;
use crate::operation::{Operation, Spec, Tool};
use crate::service::Context;

/// The operation.
#[derive(Debug)]
pub struct BanksStatus;

impl Operation for BanksStatus {
    const SPEC: Spec = Spec {
        id: "banks_status",
        path: "/v1/banks/status",
        tool: Some(Tool {
            name: "get_connected_banks_status",
            title: "Bank connections",
            description: "Every connected bank by name: whether its connection works, when it last gave its data, and whether its owner has to act. Explains why recent transactions or balances are missing; get_portfolio_snapshot has the balances, search_transactions the transactions. needsAttention counts the banks that are broken, disconnected or stale.",
            wrapper: None,
        }),
        scope: Some(Scope::BanksRead),
        summary: "Health of the bank connections",
        description: "Every bank by name: whether its connection works, when it last gave its data, and what its owner has to do. Where a bank is stale, the other answers lack its newest transactions and balances.",
    };
    type Params = ();
    type Output = Status;

    fn read(_: &mut Form<'_>) {}

    async fn run(context: &Context<'_>, (): ()) -> Result<Status, Error> {
        Ok(Status::new(context.ledger().banks(context.access()).await?.data))
    }
}
