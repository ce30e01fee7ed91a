//! `budget`: the monthly budgets of a user.

use clap::{Args, Subcommand};
use passbook_domain::Currency;
use passbook_domain::category::Category;
use passbook_ingest::budgets::{self, StoredBudget};
use passbook_input::Fault;
use passbook_records::record::{Budget, Deleted, DeletedRow, NamedId};
use passbook_records::{Record, id};
use tokio_postgres::Client;

use super::load;
use super::user::{self, Edit, UserList};
use crate::chosen::{category, cents};
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry, amount};
use crate::output;

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin budget set groceries 300
  passbook-admin budget list
  passbook-admin budget unset groceries";

#[derive(Debug, Subcommand)]
pub(crate) enum BudgetCommand {
    /// List the budgets
    List(UserList),
    /// Set the budget of a category: the target of each month
    Set(NewBudget),
    /// Remove the budget of a category
    Unset {
        /// Category, in any case and spelling
        #[arg(value_parser = category)]
        category: Category,
        #[command(flatten)]
        edit: Edit,
    },
}

/// A budget.
#[derive(Debug, Args)]
pub(crate) struct NewBudget {
    /// Category, in any case and spelling
    #[arg(value_parser = category)]
    category: Category,
    /// Target of each month, such as 300 or 99.50
    #[arg(value_parser = cents)]
    amount: i64,
    /// Currency of the target [default: the currency of the user]
    #[arg(long, value_parser = user::currency)]
    currency: Option<Currency>,
    #[command(flatten)]
    edit: Edit,
}

/// Runs a command on budgets.
pub(super) async fn run(client: &mut Client, command: BudgetCommand) -> Result<(), CommandError> {
    match command {
        BudgetCommand::List(UserList { owner, listing }) => {
            let person = owner.find(client).await?;
            listing::print(&budgets::list(client, person.user_id).await?, listing)
        }
        BudgetCommand::Set(wanted) => set(client, &wanted).await,
        BudgetCommand::Unset { category, edit } => unset(client, category, &edit).await,
    }
}

async fn set(client: &mut Client, wanted: &NewBudget) -> Result<(), CommandError> {
    let person = wanted.edit.owner.find(client).await?;
    let stored = budgets::list(client, person.user_id).await?;
    let known = stored.iter().find(|budget| budget.category == wanted.category.as_str());
    let derived = || id::derive(person.user_id, "budget", wanted.category.as_str());
    let currency = user::currency_or_own(wanted.currency, &person)?;
    let budget = Budget {
        user_id: person.user_id,
        budget_id: known.map_or_else(derived, |known| known.budget_id),
        category: wanted.category,
        target_cents: Some(wanted.amount),
        currency,
    };
    load::store(client, [Record::Budget(budget)], "the budget", wanted.edit.rehearsal).await?;
    let (category, target) = (wanted.category.as_str(), amount(wanted.amount));
    output::lines([format!("the budget of {category} is {target} {} a month", currency.as_str())])
}

async fn unset(client: &mut Client, category: Category, edit: &Edit) -> Result<(), CommandError> {
    let person = edit.owner.find(client).await?;
    let stored = budgets::list(client, person.user_id).await?;
    let Some(budget) = stored.iter().find(|budget| budget.category == category.as_str()) else {
        let names: Vec<&str> = stored.iter().map(|budget| budget.category.as_str()).collect();
        let known = if names.is_empty() { "there is none".to_owned() } else { names.join(", ") };
        let rule = format!("must be a category with a budget: {known}");
        return Err(CommandError::input(Fault::new("CATEGORY", rule).received(category.as_str())));
    };
    let key = NamedId { derived: budget.budget_id, shown: Some(budget.budget_id) };
    let deleted = Deleted::Budget(DeletedRow { user_id: person.user_id, id: key });
    load::store(client, [Record::Deleted(deleted)], "the budget", edit.rehearsal).await?;
    output::lines([format!("removed the budget of {}", category.as_str())])
}

impl ListEntry for StoredBudget {
    const COLUMNS: &[Column<StoredBudget>] = &[
        ("category", |entry| entry.category.clone()),
        ("target", |entry| entry.target_cents.map_or_else(String::new, amount)),
        ("currency", |entry| entry.currency.clone()),
    ];
}
