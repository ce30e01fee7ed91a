//! Queries expenses by category, and refunds by the category of the refunded purchase.

use domain::access::Access;
use domain::ports::{CategoryTotals, CountedQuery, ReadError, Reading};

use crate::pool::Store;
use crate::query::{REFUNDS_BY_CATEGORY, SPENDING_CATEGORIES};
use crate::row::Row;

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    query: &CountedQuery,
) -> Result<Reading<CategoryTotals>, ReadError> {
    let user = access.credential().user().as_uuid();
    let parameters: &[_] = &[&user as _, &query.include_pending as _, &query.include_excluded as _];
    let queries = [(SPENDING_CATEGORIES, parameters), (REFUNDS_BY_CATEGORY, parameters)];
    store
        .read(access, &query.days, &queries, |rows| {
            let category_sum = |row: Row<'_>| row.category_sum();
            Ok(CategoryTotals { expenses: rows[0].map(category_sum)?, refunds: rows[1].map(category_sum)? })
        })
        .await
}
