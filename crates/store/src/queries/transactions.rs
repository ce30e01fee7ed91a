//! Queries one page of transactions.

use jiff::civil::{Date, date};
use passbook_domain::access::Access;
use passbook_domain::names::NameKind;
use passbook_domain::page::Cursor;
use passbook_domain::person::Person;
use passbook_domain::ports::{ReadError, Reading, TransactionRows};
use passbook_domain::range::Days;
use passbook_domain::transaction::{Transaction, TransactionQuery, TransactionSort, TransactionType};
use passbook_domain::{Currency, Money};
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::counted::planned;
use crate::error::Error;
use crate::query::{
    Query, TRANSACTION_ANCHOR, TRANSACTIONS_AMOUNT_ASC, TRANSACTIONS_AMOUNT_DESC, TRANSACTIONS_DATE_ASC,
    TRANSACTIONS_DATE_ASC_FILTERED, TRANSACTIONS_DATE_DESC, TRANSACTIONS_DATE_DESC_FILTERED,
    TRANSACTIONS_UNCONVERTED, UNCONVERTED_TOTALS,
};
use crate::read::BoundQuery;
use crate::row::{Row, Rows};
use crate::session::Names;
use crate::store::Store;

/// Position before the oldest transaction. Transactions have dates from 1900 to 2200.
const BEFORE_OLDEST: Cursor = Cursor { date: date(1, 1, 1), id: Uuid::nil() };
/// Position after the newest transaction.
const AFTER_NEWEST: Cursor = Cursor { date: Date::MAX, id: Uuid::max() };

/// Number of the parameters `$1` to `$11`, the filters of a list, and of those of them that stored totals know.
const FILTERS: usize = 11;
const COUNTED_FILTERS: usize = 4;

/// The query of a page in an order by date without filters, which has fewer conditions to check, and the position before the
/// first page.
type Unfiltered = (Query, Cursor);

/// The parameters of the queries that list transactions.
struct PageParameters<'a> {
    user: Uuid,
    types: Vec<&'static str>,
    categories: Option<Vec<&'static str>>,
    accounts: &'a Option<Vec<Uuid>>,
    amount_min: Option<i64>,
    amount_max: Option<i64>,
    search: Option<&'a str>,
    pending: Option<bool>,
    own_categories: &'a Option<Vec<Uuid>>,
    tags: &'a Option<Vec<Uuid>>,
    merchants: &'a Option<Vec<String>>,
    /// Day and identifier of the row before the page; `None` on the first page of an order by amount.
    after: (Option<Date>, Option<Uuid>),
    rows_max: i64,
}

impl<'a> PageParameters<'a> {
    /// `start` is the position before the first page.
    fn new(access: &Access<'_>, query: &'a TransactionQuery, start: Option<Cursor>) -> PageParameters<'a> {
        let categories = query.categories.as_ref();
        PageParameters {
            user: access.credential().user().as_uuid(),
            types: query.types.iter().map(|wanted| wanted.as_str()).collect(),
            categories: categories.map(|wanted| wanted.iter().map(|category| category.as_str()).collect()),
            accounts: &query.accounts,
            amount_min: query.amount_min.map(|bound| bound.get()),
            amount_max: query.amount_max.map(|bound| bound.get()),
            search: query.merchant.as_ref().map(|text| text.as_str()),
            pending: query.pending,
            own_categories: &query.own_categories,
            tags: &query.tags,
            merchants: &query.merchants,
            after: query.after.or(start).map(|after| (after.date, after.id)).unzip(),
            // One row more than the page size shows that there is a next page.
            rows_max: query.page_size.get() + 1,
        }
    }

    /// The parameters of a query with filters, in the order of the SQL files.
    fn filtered(&self) -> [&(dyn ToSql + Sync); 14] {
        let PageParameters { user, types, categories, accounts, amount_min, amount_max, search, .. } = self;
        let (pending, rows_max, (date, id)) = (&self.pending, &self.rows_max, &self.after);
        let (own_categories, tags, merchants) = (self.own_categories, self.tags, self.merchants);
        [
            user,
            types,
            categories,
            *accounts,
            amount_min,
            amount_max,
            search,
            pending,
            own_categories,
            tags,
            merchants,
            date,
            id,
            rows_max,
        ]
    }

    /// The parameters of a query without filters, in the order of the SQL files.
    fn unfiltered(&self) -> [&(dyn ToSql + Sync); 5] {
        [&self.user, &self.types, &self.after.0, &self.after.1, &self.rows_max]
    }

    /// The parameters of the query for the row before the page.
    fn anchor(&self) -> [&(dyn ToSql + Sync); 3] {
        [&self.user, &self.after.0, &self.after.1]
    }
}

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    query: &TransactionQuery,
) -> Result<Reading<TransactionRows>, ReadError> {
    let (with_filters, without_filters) = page_queries(query.sort);
    let parameters = PageParameters::new(access, query, without_filters.map(|(_, start)| start));
    let (filtered, unfiltered) = (parameters.filtered(), parameters.unfiltered());
    let days = Days::Range(query.days);
    let page = match without_filters {
        Some((without_filters, _)) if !has_filters(query) => (without_filters, &unfiltered[..]),
        _ => (with_filters, &filtered[..]),
    };
    let anchor = parameters.anchor();
    let mut bound: Vec<BoundQuery<'_>> = vec![page];
    let (is_first, by_amount) = (query.after.is_none(), without_filters.is_none());
    if by_amount && !is_first {
        bound.push((TRANSACTION_ANCHOR, &anchor[..]));
    }
    let map = |rows: Vec<Rows>, names: &Names, person: &Person| {
        if let Some(anchor) = rows.get(1).and_then(Rows::first)
            && !anchor.get::<bool>("found")?
        {
            return Err(ReadError::UnknownCursor);
        }
        let mut read = TransactionRows::default();
        read.rows = rows[0].map(|row| transaction(row, names, person.preferred_currency))?;
        Ok(read)
    };
    let (mut reading, facts) = store.read_with_names(access, &days, &bound, map).await?;
    let has_unconverted = facts.has_unconverted;
    if is_first {
        let mut parameters = filtered[..FILTERS].to_vec();
        parameters.push(&true);
        reading.data.planned = planned(store, access, &days, facts, &parameters).await?;
    }
    if is_first && by_amount && has_unconverted {
        let unconverted = match is_counted(query) {
            true => (UNCONVERTED_TOTALS, &filtered[..COUNTED_FILTERS]),
            false => (TRANSACTIONS_UNCONVERTED, &filtered[..FILTERS]),
        };
        let map = |rows: Vec<Rows>| {
            Ok(rows[0].map(|row| Ok((row.parsed("type", TransactionType::parse)?, row.sum()?)))?)
        };
        reading.data.unconverted = store.read(access, &days, &[unconverted], map).await?.data;
    }
    Ok(reading)
}

/// Returns true if stored totals count the rows of the list: no transfers, and no filter but categories and accounts.
fn is_counted(query: &TransactionQuery) -> bool {
    let mut others = query.clone();
    (others.categories, others.accounts) = (None, None);
    !(query.types.contains(&TransactionType::InternalTransfer) || has_filters(&others))
}

/// Returns true if the query has a filter besides days and types.
fn has_filters(query: &TransactionQuery) -> bool {
    let TransactionQuery { categories, accounts, amount_min, amount_max, merchant, pending, .. } = query;
    let labels = query.own_categories.is_some() || query.tags.is_some() || query.merchants.is_some();
    categories.is_some()
        || accounts.is_some()
        || amount_min.is_some()
        || amount_max.is_some()
        || merchant.is_some()
        || pending.is_some()
        || labels
}

/// Returns the queries of a sort order. In an order by amount, the transaction that the cursor names must exist, because the
/// cursor contains no amount.
fn page_queries(sort: TransactionSort) -> (Query, Option<Unfiltered>) {
    match sort {
        TransactionSort::DateDescending => {
            (TRANSACTIONS_DATE_DESC_FILTERED, Some((TRANSACTIONS_DATE_DESC, AFTER_NEWEST)))
        }
        TransactionSort::DateAscending => {
            (TRANSACTIONS_DATE_ASC_FILTERED, Some((TRANSACTIONS_DATE_ASC, BEFORE_OLDEST)))
        }
        TransactionSort::AmountDescending => (TRANSACTIONS_AMOUNT_DESC, None),
        TransactionSort::AmountAscending => (TRANSACTIONS_AMOUNT_ASC, None),
    }
}

/// Reads a row of a page. Its amount in the preferred currency is absent if it has this currency or if there is no rate.
fn transaction(row: Row<'_>, names: &Names, preferred: Currency) -> Result<Transaction, Error> {
    // In the order of the columns.
    let (id, date) = (row.get("transaction_id")?, row.get("date")?);
    let r#type = row.parsed("type", TransactionType::parse)?;
    let category = row.category()?;
    let amount_cents = row.get("amount_cents")?;
    let currency = row.parsed("currency", Currency::parse)?;
    let title: String = row.get("title")?;
    let amount = Money::new(amount_cents, currency);
    let mut transaction = Transaction::new(id, date, r#type, category, amount, title);
    transaction.pending = row.get("pending")?;
    transaction.provider_category = row.get("provider_category")?;
    transaction.merchant_name = row.get("merchant_name")?;
    transaction.account_id = row.get("account_id")?;
    if let Some((account, bank)) = transaction.account_id.and_then(|account| names.account(account)) {
        (transaction.account_name, transaction.bank_name) = (Some(account.clone()), bank.clone());
    }
    transaction.linked_transaction_id = row.get("linked_transaction_id")?;
    let own_category: Option<Uuid> = row.get("own_category_id")?;
    transaction.own_category = own_category.and_then(|id| names.label(NameKind::OwnCategory, id));
    if let Some(tags) = row.get::<Option<Vec<Uuid>>>("tag_ids")? {
        transaction.tags = tags.into_iter().filter_map(|id| names.label(NameKind::Tag, id)).collect();
        transaction.tags.sort_by(|one, other| one.name.cmp(&other.name));
    }
    transaction.note = row.get("note")?;
    let converted: Option<i64> = row.get("converted_cents")?;
    let converted = converted.filter(|_| currency != preferred);
    transaction.converted = converted.map(|cents| Money::new(cents, preferred));
    Ok(transaction)
}

#[cfg(test)]
mod tests;
