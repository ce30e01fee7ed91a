//! A page of transactions.

use domain::Currency;
use domain::access::Access;
use domain::ports::{ReadError, Reading};
use domain::range::Days;
use domain::transaction::{Transaction, TransactionQuery, TransactionSort, TransactionType};
use tokio_postgres::types::ToSql;

use crate::error::Error;
use crate::pool::Store;
use crate::question::{
    Question, TRANSACTION_ANCHOR, TRANSACTIONS_AMOUNT_ASC, TRANSACTIONS_AMOUNT_DESC, TRANSACTIONS_DATE_ASC,
    TRANSACTIONS_DATE_DESC,
};
use crate::row::Row;

pub(crate) async fn ask(
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
    // One row more than the page tells whether there is a next one.
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
    let (question, needs_anchor) = question(query.sort);
    let asked = [(question, page), (TRANSACTION_ANCHOR, anchor)];
    let asked = if needs_anchor { &asked[..] } else { &asked[..1] };
    store
        .read(access, &Days::Range(query.days), asked, |rows| {
            if let Some(anchor) = rows.get(1).and_then(|rows| rows.first())
                && !anchor.get::<bool>("found")?
            {
                return Err(ReadError::UnknownCursor);
            }
            Ok(rows[0].map(transaction)?)
        })
        .await
}

/// The query of an order, and whether its cursor's row has to exist: an amount is looked up by the row's id.
fn question(sort: TransactionSort) -> (Question, bool) {
    match sort {
        TransactionSort::DateDescending => (TRANSACTIONS_DATE_DESC, false),
        TransactionSort::DateAscending => (TRANSACTIONS_DATE_ASC, false),
        TransactionSort::AmountDescending => (TRANSACTIONS_AMOUNT_DESC, true),
        TransactionSort::AmountAscending => (TRANSACTIONS_AMOUNT_ASC, true),
    }
}

fn transaction(row: Row<'_>) -> Result<Transaction, Error> {
    Ok(Transaction {
        id: row.get("transaction_id")?,
        r#type: row.word("type", TransactionType::parse)?,
        category: row.category()?,
        amount_cents: row.get("amount_cents")?,
        date: row.get("date")?,
        title: row.get("title")?,
        pending: row.get("pending")?,
        currency: row.word("currency", Currency::parse)?,
        provider_category: row.get("provider_category")?,
        merchant_name: row.get("merchant_name")?,
        account_name: row.get("account_name")?,
        bank_name: row.get("bank_name")?,
        linked_transaction_id: row.get("linked_transaction_id")?,
    })
}
