//! Queries one page of transactions.

use domain::access::Access;
use domain::ports::{ReadError, Reading};
use domain::range::Days;
use domain::transaction::{Transaction, TransactionQuery, TransactionSort, TransactionType};
use domain::{Currency, Money};
use tokio_postgres::types::ToSql;

use crate::error::Error;
use crate::pool::Store;
use crate::query::{
    Query, TRANSACTION_ANCHOR, TRANSACTIONS_AMOUNT_ASC, TRANSACTIONS_AMOUNT_DESC, TRANSACTIONS_DATE_ASC,
    TRANSACTIONS_DATE_DESC,
};
use crate::row::Row;

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    query: &TransactionQuery,
) -> Result<Reading<Vec<Transaction>>, ReadError> {
    let user = access.credential().user().as_uuid();
    let types: Vec<&str> = query.types.iter().map(|wanted| wanted.as_str()).collect();
    let categories: Option<Vec<&str>> =
        query.categories.as_ref().map(|wanted| wanted.iter().map(|category| category.as_str()).collect());
    let amount_min = query.amount_min.map(|bound| bound.get());
    let amount_max = query.amount_max.map(|bound| bound.get());
    let merchant = query.merchant.as_ref().map(|text| text.as_str());
    let (after_date, after_id) = query.after.map(|cursor| (cursor.date, cursor.id)).unzip();
    // One row more than the page size shows that there is a next page.
    let rows_max = query.page_size.get() + 1;
    let page: &[&(dyn ToSql + Sync)] = &[
        &user,
        &types,
        &categories,
        &query.accounts,
        &amount_min,
        &amount_max,
        &merchant,
        &query.pending,
        &after_date,
        &after_id,
        &rows_max,
    ];
    let anchor: &[&(dyn ToSql + Sync)] = &[&user, &after_date, &after_id];
    let (page_query, needs_anchor) = page_query(query.sort);
    let queries = [(page_query, page), (TRANSACTION_ANCHOR, anchor)];
    let queries = if needs_anchor { &queries[..] } else { &queries[..1] };
    store
        .read(access, &Days::Range(query.days), queries, |rows| {
            if let Some(anchor) = rows.get(1).and_then(|rows| rows.first())
                && !anchor.get::<bool>("found")?
            {
                return Err(ReadError::UnknownCursor);
            }
            Ok(rows[0].map(transaction)?)
        })
        .await
}

/// Returns the query for a sort order, and true if the transaction that the cursor names must exist. Orders by amount
/// need this transaction, because the cursor contains no amount.
fn page_query(sort: TransactionSort) -> (Query, bool) {
    match sort {
        TransactionSort::DateDescending => (TRANSACTIONS_DATE_DESC, false),
        TransactionSort::DateAscending => (TRANSACTIONS_DATE_ASC, false),
        TransactionSort::AmountDescending => (TRANSACTIONS_AMOUNT_DESC, true),
        TransactionSort::AmountAscending => (TRANSACTIONS_AMOUNT_ASC, true),
    }
}

fn transaction(row: Row<'_>) -> Result<Transaction, Error> {
    let currency = row.parsed("currency", Currency::parse)?;
    Ok(Transaction {
        id: row.get("transaction_id")?,
        r#type: row.parsed("type", TransactionType::parse)?,
        category: row.category()?,
        amount_cents: row.get("amount_cents")?,
        date: row.get("date")?,
        title: row.get("title")?,
        pending: row.get("pending")?,
        currency,
        converted: converted(row, currency)?,
        provider_category: row.get("provider_category")?,
        merchant_name: row.get("merchant_name")?,
        account_id: row.get("account_id")?,
        account_name: row.get("account_name")?,
        bank_name: row.get("bank_name")?,
        linked_transaction_id: row.get("linked_transaction_id")?,
    })
}

/// Returns the amount in the preferred currency; `None` if `currency` is the preferred one or has no rate.
fn converted(row: Row<'_>, currency: Currency) -> Result<Option<Money>, Error> {
    let preferred = row.parsed("preferred_currency", Currency::parse)?;
    let cents: Option<i64> = row.get("converted_cents")?;
    Ok(cents.filter(|_| currency != preferred).map(|cents| Money::new(cents, preferred)))
}

#[cfg(test)]
mod tests {
    use domain::category::{Category, ExpenseCategory};
    use jiff::civil::date;
    use tokio_postgres::types::Type;
    use uuid::Uuid;

    use super::*;
    use crate::fixture::{Fixture, fault};
    use crate::row::Rows;

    fn row() -> Fixture {
        Fixture::new()
            .with("transaction_id", &Type::UUID, Uuid::from_u128(7))
            .with("type", &Type::TEXT, "EXPENSE")
            .with("category", &Type::TEXT, "RENT")
            .with("amount_cents", &Type::INT8, 120_000_i64)
            .with("date", &Type::DATE, date(2026, 11, 1))
            .with("title", &Type::TEXT, "RENT NOVEMBER")
            .with("pending", &Type::BOOL, false)
            .with("currency", &Type::TEXT, "EUR")
            .with("provider_category", &Type::TEXT, None::<&str>)
            .with("merchant_name", &Type::TEXT, None::<&str>)
            .with("account_id", &Type::UUID, Uuid::from_u128(8))
            .with("account_name", &Type::TEXT, "Checking")
            .with("preferred_currency", &Type::TEXT, "EUR")
            .with("converted_cents", &Type::INT8, Some(120_000_i64))
            .with("bank_name", &Type::TEXT, "Bank")
            .with("linked_transaction_id", &Type::UUID, None::<Uuid>)
    }

    fn read(row: Fixture) -> Result<Vec<Transaction>, Error> {
        Rows::new(&TRANSACTIONS_DATE_DESC, [row]).map(transaction)
    }

    #[test]
    fn transaction_has_the_values_of_its_columns() {
        let read = read(row()).expect("a transaction");
        let rent = Category::Expense(ExpenseCategory::Rent);
        assert_eq!((read[0].id, read[0].category, read[0].amount_cents), (Uuid::from_u128(7), rent, 120_000));
        assert_eq!((read[0].merchant_name.as_deref(), read[0].linked_transaction_id), (None, None));
    }

    #[test]
    fn only_an_amount_in_another_currency_with_a_rate_is_converted() {
        let money = Money::new(120_000, Currency::EUR);
        let dollars = row().with("currency", &Type::TEXT, "USD");
        let without_rate = dollars.clone().with("converted_cents", &Type::INT8, None::<i64>);
        for (row, expected) in [(row(), None), (dollars, Some(money)), (without_rate, None)] {
            assert_eq!(read(row).expect("a transaction")[0].converted, expected);
        }
    }

    #[test]
    fn null_in_each_required_column_names_query_and_column() {
        for (column, ty) in [
            ("transaction_id", Type::UUID),
            ("type", Type::TEXT),
            ("category", Type::TEXT),
            ("amount_cents", Type::INT8),
            ("date", Type::DATE),
            ("title", Type::TEXT),
            ("pending", Type::BOOL),
            ("currency", Type::TEXT),
        ] {
            let error = read(row().with(column, &ty, None::<&str>)).expect_err(column);
            let (place, cause) = fault(&error);
            assert_eq!(place, format!("transactions_date_desc.{column}"));
            assert!(cause.contains("NULL"), "{cause}");
        }
    }

    #[test]
    fn unknown_type_or_category_names_query_and_column() {
        for column in ["type", "category"] {
            let error = read(row().with(column, &Type::TEXT, "NO_SUCH_WORD")).expect_err(column);
            assert_eq!(fault(&error).0, format!("transactions_date_desc.{column}"));
        }
    }

    #[test]
    fn orders_by_amount_need_the_row_of_the_cursor() {
        for (sort, name, needs_anchor) in [
            (TransactionSort::DateDescending, "transactions_date_desc", false),
            (TransactionSort::DateAscending, "transactions_date_asc", false),
            (TransactionSort::AmountDescending, "transactions_amount_desc", true),
            (TransactionSort::AmountAscending, "transactions_amount_asc", true),
        ] {
            let (query, anchor) = page_query(sort);
            assert_eq!((query.name, anchor), (name, needs_anchor));
        }
    }
}
