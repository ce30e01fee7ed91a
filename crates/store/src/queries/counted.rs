//! The parameters of the queries that count transactions.

use jiff::civil::Date;
use passbook_domain::access::Access;
use passbook_domain::period::GroupBy;
use passbook_domain::ports::CountedQuery;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use crate::error::Error;
use crate::row::Rows;

/// The parameters of the queries that count transactions. Each query numbers the first six in the same way.
pub(super) struct CountedParameters<'a> {
    user: Uuid,
    query: &'a CountedQuery,
    categories: Option<Vec<&'static str>>,
    search: Option<&'a str>,
}

impl<'a> CountedParameters<'a> {
    pub(super) fn new(access: &Access<'_>, query: &'a CountedQuery) -> CountedParameters<'a> {
        let categories = query.categories.as_ref();
        CountedParameters {
            user: access.credential().user().as_uuid(),
            query,
            categories: categories.map(|wanted| wanted.iter().map(|category| category.as_str()).collect()),
            search: query.merchant.as_ref().map(|text| text.as_str()),
        }
    }

    /// Returns the parameters in the order of the SQL files; `further` are those of a single query, which follow.
    pub(super) fn as_sql<'s>(&'s self, further: &[&'s (dyn ToSql + Sync)]) -> Vec<&'s (dyn ToSql + Sync)> {
        let mut parameters = self.filters();
        parameters.push(&self.search);
        parameters.extend(further);
        parameters
    }

    /// Returns the parameters of the query of the counted days if the request needs it: stored totals of an open range.
    /// `income` are the categories of income that count beside expenses; `None` if all do.
    pub(super) fn of_days<'s>(
        &'s self,
        income: &'s Option<Vec<&'static str>>,
    ) -> Option<Vec<&'s (dyn ToSql + Sync)>> {
        let is_needed = self.search.is_none() && self.query.days.is_open();
        is_needed.then(|| {
            let mut parameters = self.filters();
            parameters.push(income);
            parameters
        })
    }

    fn filters(&self) -> Vec<&(dyn ToSql + Sync)> {
        let CountedQuery { include_pending, include_excluded, accounts, .. } = self.query;
        vec![&self.user, include_pending, include_excluded, &self.categories, accounts]
    }

    /// Returns the first and the last counted day: `days` are the rows of the query with the parameters of
    /// [`CountedParameters::of_days`]. `None` if nothing
    /// counts, and for stored totals of a range whose both ends are known.
    pub(super) fn counted_days(
        &self,
        totals: &Rows,
        days: Option<&Rows>,
    ) -> Result<Option<(Date, Date)>, Error> {
        let rows = match (self.search, days) {
            (Some(_), _) => totals,
            (None, Some(days)) if totals.first().is_some() => days,
            (None, _) => return Ok(None),
        };
        let days = rows.map(|row| Ok((row.get("first_counted")?, row.get("last_counted")?)))?;
        Ok(days
            .into_iter()
            .reduce(|known: (Date, Date), (first, last)| (known.0.min(first), known.1.max(last))))
    }
}

/// Returns the period of a grouping as the queries name it; `None` for no periods.
pub(super) fn period(group_by: GroupBy) -> Option<&'static str> {
    match group_by {
        GroupBy::None => None,
        GroupBy::Month | GroupBy::Week | GroupBy::Day => Some(group_by.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use tokio_postgres::types::Type;

    use super::*;
    use crate::fixture::{Fixture, fault};
    use crate::query::{CASHFLOW, COUNTED_DAYS};

    fn parameters(merchant: Option<&str>) -> CountedParameters<'_> {
        CountedParameters {
            user: Uuid::nil(),
            query: &CountedQuery::EVERYTHING,
            categories: None,
            search: merchant,
        }
    }

    fn days(first: i8, last: i8) -> Fixture {
        Fixture::new().with("first_counted", &Type::DATE, date(2026, 11, first)).with(
            "last_counted",
            &Type::DATE,
            date(2026, 11, last),
        )
    }

    #[test]
    fn search_text_is_the_sixth_parameter_and_needs_no_query_of_days() {
        let period = Some("month");
        for merchant in [None, Some("cafe")] {
            let parameters = parameters(merchant);
            let values = parameters.as_sql(&[&period]);
            assert_eq!((format!("{:?}", values[5]), values.len()), (format!("{merchant:?}"), 7));
            assert_eq!(parameters.of_days(&None).is_some(), merchant.is_none());
        }
    }

    #[test]
    fn counted_days_are_those_of_all_rows_or_of_the_query_of_days() {
        let november = |first, last| Some((date(2026, 11, first), date(2026, 11, last)));
        let matching = Rows::new(&CASHFLOW, [days(3, 9), days(1, 5)]);
        let found = parameters(Some("cafe")).counted_days(&matching, None).expect("days");
        assert_eq!(found, november(1, 9));

        let stored = parameters(None);
        let (totals, of_days) =
            (Rows::new(&CASHFLOW, [Fixture::new()]), Rows::new(&COUNTED_DAYS, [days(2, 8)]));
        assert_eq!(stored.counted_days(&totals, Some(&of_days)).expect("days"), november(2, 8));
        assert_eq!(stored.counted_days(&totals, None).expect("days"), None, "a range with both ends");
        let no_totals = Rows::new(&CASHFLOW, [] as [Fixture; 0]);
        assert_eq!(stored.counted_days(&no_totals, Some(&of_days)).expect("days"), None, "nothing counts");
    }

    #[test]
    fn null_counted_day_names_query_and_column() {
        let row = days(3, 9).with("first_counted", &Type::DATE, None::<Date>);
        let rows = Rows::new(&CASHFLOW, [row]);
        let error = parameters(Some("cafe")).counted_days(&rows, None).expect_err("null day");
        assert_eq!(fault(&error).0, "cashflow.first_counted");
    }
}
