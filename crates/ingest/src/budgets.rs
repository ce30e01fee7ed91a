//! Listing of budgets.

use serde::Serialize;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use crate::load::LoadError;

from_row! {
    /// A stored budget.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct StoredBudget {
        /// The identifier, unique for a person.
        pub budget_id: Uuid,
        /// The category.
        pub category: String,
        /// The target of a month, in hundredths; `None` without one.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub target_cents: Option<i64>,
        /// The currency of the target.
        pub currency: String,
    }
}

/// Returns the budgets of a person, by category.
pub async fn list(client: &impl GenericClient, user_id: Uuid) -> Result<Vec<StoredBudget>, LoadError> {
    let statement = "select budget_id, category, target_cents::bigint, currency from passbook.budgets where user_id = $1 \
                     order by category collate \"C\"";
    crate::select(client, statement, &[&user_id]).await
}
