//! The parameters of the queries that count transactions.

use domain::access::Access;
use domain::period::GroupBy;
use domain::ports::CountedQuery;
use jiff::civil::Date;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use crate::error::Error;
use crate::row::Row;

/// The parameters `$1` to `$6` that every query over `counted_transactions` has.
pub(super) struct CountedParameters<'a> {
    user: Uuid,
    query: &'a CountedQuery,
    categories: Option<Vec<&'static str>>,
    merchant: Option<&'a str>,
}

impl<'a> CountedParameters<'a> {
    pub(super) fn new(access: &Access<'_>, query: &'a CountedQuery) -> CountedParameters<'a> {
        let categories = query.categories.as_ref();
        CountedParameters {
            user: access.credential().user().as_uuid(),
            query,
            categories: categories.map(|wanted| wanted.iter().map(|category| category.as_str()).collect()),
            merchant: query.merchant.as_ref().map(|text| text.as_str()),
        }
    }

    /// Returns the parameters in the order of the SQL files, without the further parameters of a single query.
    pub(super) fn as_sql(&self) -> [&(dyn ToSql + Sync); 6] {
        [
            &self.user,
            &self.query.include_pending,
            &self.query.include_excluded,
            &self.categories,
            &self.query.accounts,
            &self.merchant,
        ]
    }
}

/// Returns the period of a grouping as the queries name it; `None` for no periods.
pub(super) fn period(group_by: GroupBy) -> Option<&'static str> {
    match group_by {
        GroupBy::None => None,
        GroupBy::Month | GroupBy::Week | GroupBy::Day => Some(group_by.as_str()),
    }
}

/// Extends `counted_days` by the columns `first_counted` and `last_counted` of a row.
pub(super) fn extend_counted_days(counted_days: &mut Option<(Date, Date)>, (first, last): (Date, Date)) {
    *counted_days = Some(match *counted_days {
        Some((earliest, latest)) => (earliest.min(first), latest.max(last)),
        None => (first, last),
    });
}

/// Returns the columns `first_counted` and `last_counted` of a row.
pub(super) fn counted_days(row: Row<'_>) -> Result<(Date, Date), Error> {
    Ok((row.get("first_counted")?, row.get("last_counted")?))
}
