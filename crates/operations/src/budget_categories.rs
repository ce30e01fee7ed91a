//! The operation `budget_categories`: the budgeted income categories.

use passbook_domain::budget::{BudgetCategoryEntry, BudgetedIncome};
use passbook_domain::scope::Scope;

use crate::context::Context;
use crate::error::Error;
use crate::form::Form;
use crate::operation::{Operation, Spec, Tool};

/// The budgeted income categories.
#[derive(Debug)]
pub struct BudgetCategories;

impl Operation for BudgetCategories {
    const SPEC: Spec = Spec {
        id: "budget_categories",
        path: "/v1/budgets/categories",
        tool: Some(Tool {
            name: "list_budget_categories",
            title: "Budgeted income",
            description: "The income categories that the user budgets for, with the amount expected in a month as stored, in its own currency. Covers expected income only: get_budget_summary has the targets for expenses, get_cashflow_summary the received income.",
        }),
        scope: Some(Scope::BudgetsRead),
        summary: "Budgeted income categories",
        description: "The income categories that the user budgets for, with the amount expected in a month as stored, in its own currency, by category. For expense targets use the budget summary.",
    };
    type Params = ();
    type Output = Vec<BudgetCategoryEntry>;
    type ToolOutput = BudgetedIncome;

    fn read(_: &mut Form<'_>) {}

    async fn run(context: &Context<'_>, (): ()) -> Result<Vec<BudgetCategoryEntry>, Error> {
        Ok(context.ledger().budget_categories(context.access()).await?.data)
    }
}
