//! The parameters of the queries that count transactions.

use jiff::civil::Date;
use passbook_domain::access::Access;
use passbook_domain::period::GroupBy;
use passbook_domain::ports::CountedQuery;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use crate::error::Error;
use crate::query::{COUNTED_DAYS, Query};
use crate::read::BoundQuery;
use crate::row::Rows;

/// A query over counted transactions in two forms, whose plans PostgreSQL chooses separately.
pub(super) struct TotalsQuery {
    /// Reads the stored totals. Has all parameters but the search text.
    pub(super) stored: Query,
    /// Adds up the rows that a search text matches.
    pub(super) matching: Query,
}

/// A query with the values of its parameters.
pub(super) type Bound<'a> = (Query, Vec<&'a (dyn ToSql + Sync)>);

/// Borrows the parameters of bound queries, as [`Store::read`](crate::store::Store::read) takes them.
pub(super) fn borrowed<'a>(bound: &'a [Bound<'a>]) -> Vec<BoundQuery<'a>> {
    bound.iter().map(|(query, parameters)| (*query, &parameters[..])).collect()
}

/// The parameters of the queries that count transactions. Each query begins with the same five and ends with the search
/// text.
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

    /// Returns a query with its parameters. `further` are those between the filters and the search text.
    pub(super) fn bind<'s>(&'s self, query: Query, further: &[&'s (dyn ToSql + Sync)]) -> Bound<'s> {
        let mut parameters = self.filters(further);
        parameters.push(&self.search);
        (query, parameters)
    }

    /// Returns the form of a query that the request needs, with its parameters.
    pub(super) fn bind_totals<'s>(
        &'s self,
        totals: &TotalsQuery,
        further: &[&'s (dyn ToSql + Sync)],
    ) -> Bound<'s> {
        match self.search {
            Some(_) => self.bind(totals.matching, further),
            None => (totals.stored, self.filters(further)),
        }
    }

    /// Returns the query of the counted days if the request needs it: stored totals of an open range. `income` are the
    /// categories of income that count beside expenses; `None` if all do.
    pub(super) fn bind_days<'s>(&'s self, income: &'s Option<Vec<&'static str>>) -> Option<Bound<'s>> {
        let is_needed = self.search.is_none() && self.query.days.is_open();
        is_needed.then(|| (COUNTED_DAYS, self.filters(&[income])))
    }

    /// Returns the parameters `$1` to `$5` of every query, and `further` after them.
    fn filters<'s>(&'s self, further: &[&'s (dyn ToSql + Sync)]) -> Vec<&'s (dyn ToSql + Sync)> {
        let CountedQuery { include_pending, include_excluded, accounts, .. } = self.query;
        let mut filters: Vec<&(dyn ToSql + Sync)> =
            vec![&self.user, include_pending, include_excluded, &self.categories, accounts];
        filters.extend(further);
        filters
    }

    /// Returns the first and the last counted day: `days` are the rows of [`CountedParameters::bind_days`]. `None` if nothing
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
    use crate::query::{CASHFLOW, CASHFLOW_STORED};

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
    fn search_text_chooses_the_query_and_is_its_last_parameter() {
        let totals = TotalsQuery { stored: CASHFLOW_STORED, matching: CASHFLOW };
        let period = Some("month");
        for (search, name, expected) in [
            (None, "cashflow_stored", vec!["Some(\"month\")"]),
            (Some("cafe"), "cashflow", vec!["Some(\"month\")", "Some(\"cafe\")"]),
        ] {
            let parameters = parameters(search);
            let (query, values) = parameters.bind_totals(&totals, &[&period]);
            let last: Vec<String> = values[5..].iter().map(|value| format!("{value:?}")).collect();
            assert_eq!((query.name, last), (name, expected.iter().map(ToString::to_string).collect()));
            assert_eq!(parameters.bind_days(&None).is_some(), search.is_none(), "{name}");
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
