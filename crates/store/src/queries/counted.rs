//! The parameters of the queries that count transactions.

use jiff::civil::Date;
use passbook_domain::access::Access;
use passbook_domain::period::{GroupBy, days_between};
use passbook_domain::ports::{CountedQuery, MonthTotals, ReadError};
use passbook_domain::range::{DaySpan, Days, TimeRange};
use passbook_domain::transaction::TransactionType;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use crate::error::Error;
use crate::query::{COMPLETE_MONTHS, COMPLETE_MONTHS_UNFILTERED, PLANNED, Query};
use crate::read::BoundQuery;
use crate::row::Rows;
use crate::session::Facts;
use crate::store::Store;

/// A query over counted transactions in three forms, whose plans PostgreSQL chooses separately.
pub(super) struct TotalsQuery {
    /// Reads the stored totals of all categories and accounts. Has no parameter of a filter.
    pub(super) unfiltered: Query,
    /// Reads the stored totals. Has all parameters but the search text.
    pub(super) stored: Query,
    /// Adds up the rows that a search text matches.
    pub(super) matching: Query,
}

/// Maximum number of days of a range whose months are read one by one: a year, and the months that its ends cut.
const SHORT_DAYS_MAX: i64 = 400;

/// A query with the values of its parameters.
pub(super) type Bound<'a> = (Query, Vec<&'a (dyn ToSql + Sync)>);

/// Borrows the parameters of bound queries, as [`Store::read`](crate::store::Store::read) takes them.
pub(super) fn borrowed<'a>(bound: &'a [Bound<'a>]) -> Vec<BoundQuery<'a>> {
    bound.iter().map(|(query, parameters)| (*query, &parameters[..])).collect()
}

/// The parameters of the queries that count transactions. Each query begins with the same three and ends with the filters: the
/// categories, the accounts, and what rows must match: the search text, own categories, tags and merchants.
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

    /// Returns true if no stored total knows which rows match.
    fn is_row_search(&self) -> bool {
        let CountedQuery { own_categories, tags, merchants, .. } = self.query;
        self.search.is_some() || own_categories.is_some() || tags.is_some() || merchants.is_some()
    }

    /// Returns the form of a query that the request needs, with its parameters. `further` are those before the filters.
    pub(super) fn bind<'s>(&'s self, totals: &TotalsQuery, further: &[&'s (dyn ToSql + Sync)]) -> Bound<'s> {
        let CountedQuery { include_pending, include_excluded, accounts, .. } = self.query;
        let mut parameters: Vec<&(dyn ToSql + Sync)> = vec![&self.user, include_pending, include_excluded];
        parameters.extend(further);
        if !self.is_row_search() && self.categories.is_none() && accounts.is_none() {
            return (totals.unfiltered, parameters);
        }
        parameters.extend([&self.categories as &(dyn ToSql + Sync), accounts]);
        if !self.is_row_search() {
            return (totals.stored, parameters);
        }
        parameters.extend([
            &self.search as &(dyn ToSql + Sync),
            &self.query.own_categories,
            &self.query.tags,
            &self.query.merchants,
        ]);
        (totals.matching, parameters)
    }

    /// Returns the query of the counted days and the complete months, if they are read from stored totals. `income` are the
    /// categories of income that count beside expenses; `None` if all do.
    pub(super) fn bind_months<'s>(&'s self, income: &'s Option<Vec<&'static str>>) -> Option<Bound<'s>> {
        let months = TotalsQuery {
            unfiltered: COMPLETE_MONTHS_UNFILTERED,
            stored: COMPLETE_MONTHS,
            matching: COMPLETE_MONTHS,
        };
        (!self.adds_up_months()).then(|| self.bind(&months, &[income]))
    }

    /// Returns true if the complete months are added up from months or days, by which [`CountedParameters::period`] groups: if no
    /// stored total knows which rows match, and if there are few months. A second query would cost more.
    pub(super) fn adds_up_months(&self) -> bool {
        let is_short = match self.query.days {
            Days::Month { .. } => true,
            Days::Range(range) => match (range.from(), range.to()) {
                (Some(from), Some(to)) => days_between(from, to) <= SHORT_DAYS_MAX,
                (None, None) => {
                    range.period().is_some()
                        || range.time_range().is_some_and(|range| range != TimeRange::All)
                }
                _ => false,
            },
        };
        is_short || self.is_row_search()
    }

    /// Returns the period of a grouping as the queries name it; `None` for no periods.
    pub(super) fn period(&self, group_by: GroupBy) -> Option<&'static str> {
        match group_by {
            GroupBy::None if !self.adds_up_months() => None,
            GroupBy::None | GroupBy::Month => Some(GroupBy::Month.as_str()),
            GroupBy::Week if self.adds_up_months() => Some(GroupBy::Day.as_str()),
            GroupBy::Week | GroupBy::Day => Some(group_by.as_str()),
        }
    }

    /// Returns the number of transactions that a missing end of the range leaves out.
    pub(super) async fn planned(
        &self,
        store: &Store,
        access: &Access<'_>,
        days: &Days,
        facts: Facts,
        types: &[TransactionType],
    ) -> Result<i64, ReadError> {
        let types: &Vec<&str> = &types.iter().map(|counted| counted.as_str()).collect();
        let CountedParameters { user, query, categories, search } = self;
        let CountedQuery {
            include_pending, include_excluded, accounts, own_categories, tags, merchants, ..
        } = query;
        let (no_amount, pending) = (&None::<i64>, &(!include_pending).then_some(false));
        let parameters: [&(dyn ToSql + Sync); 12] = [
            user,
            types,
            categories,
            accounts,
            no_amount,
            no_amount,
            search,
            pending,
            own_categories,
            tags,
            merchants,
            include_excluded,
        ];
        planned(store, access, days, facts, &parameters).await
    }

    /// Returns the first and the last counted day: `days` are the rows of [`CountedParameters::bind_months`]. `None` if nothing
    /// counts.
    pub(super) fn counted_days(
        &self,
        totals: &Rows,
        days: Option<&Rows>,
    ) -> Result<Option<(Date, Date)>, Error> {
        let rows = match days {
            _ if self.is_row_search() => totals,
            Some(days) if totals.first().is_some() => days,
            _ => return Ok(None),
        };
        let days = rows.map(|row| {
            let first: Option<Date> = row.get("first_counted")?;
            Ok(first.zip(row.get("last_counted")?))
        })?;
        Ok(days
            .into_iter()
            .flatten()
            .reduce(|known: (Date, Date), (first, last)| (known.0.min(first), known.1.max(last))))
    }
}

/// Returns the number of transactions that match filters and that a missing end of the range leaves out. Executes a query, with the
/// parameters of `planned.sql`, only if there may be such transactions.
pub(super) async fn planned(
    store: &Store,
    access: &Access<'_>,
    days: &Days,
    facts: Facts,
    parameters: &[&(dyn ToSql + Sync)],
) -> Result<i64, ReadError> {
    if !facts.has_planned {
        return Ok(0);
    }
    let map = |rows: Vec<Rows>| Ok(rows[0].only()?.get("planned")?);
    Ok(store.read(access, days, &[(PLANNED, parameters)], map).await?.data)
}

/// Returns the totals in the rows of [`CountedParameters::bind_months`].
pub(super) fn stored_months(rows: &Rows) -> Result<Option<MonthTotals>, Error> {
    let Some(first) = rows.first() else { return Ok(None) };
    let days: (Option<Date>, Option<Date>) = (first.get("first_of_months")?, first.get("last_of_months")?);
    let (Some(first), Some(last)) = days else { return Ok(None) };
    let mut months = MonthTotals::new(DaySpan { first, last });
    for row in rows.map(Ok)? {
        match row.get::<Option<&str>>("type")? {
            Some("INCOME") => months.income.push(row.sum()?),
            Some(_) => months.expenses.push(row.sum()?),
            None => {}
        }
    }
    Ok(Some(months))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use tokio_postgres::types::Type;

    use super::*;
    use crate::fixture::Fixture;
    use crate::query::{CASHFLOW, CASHFLOW_STORED, CASHFLOW_UNFILTERED};

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
    fn filters_choose_the_query_and_are_its_last_parameters() {
        let totals =
            TotalsQuery { unfiltered: CASHFLOW_UNFILTERED, stored: CASHFLOW_STORED, matching: CASHFLOW };
        let period = Some("month");
        for (search, categories, name, expected) in [
            (None, None, "cashflow_unfiltered", vec!["Some(\"month\")"]),
            (
                None,
                Some(vec!["RENT"]),
                "cashflow_stored",
                vec!["Some(\"month\")", "Some([\"RENT\"])", "None"],
            ),
            (
                Some("cafe"),
                None,
                "cashflow",
                vec!["Some(\"month\")", "None", "None", "Some(\"cafe\")", "None", "None", "None"],
            ),
        ] {
            let parameters = CountedParameters { categories, ..parameters(search) };
            let (query, values) = parameters.bind(&totals, &[&period]);
            let last: Vec<String> = values[3..].iter().map(|value| format!("{value:?}")).collect();
            assert_eq!((query.name, last), (name, expected.iter().map(ToString::to_string).collect()));
            assert_eq!(parameters.bind_months(&None).is_some(), search.is_none(), "{name}");
        }
    }

    #[test]
    fn counted_days_are_those_of_all_rows_or_of_the_query_of_days() {
        let november = |first, last| Some((date(2026, 11, first), date(2026, 11, last)));
        let none = Fixture::new().with("first_counted", &Type::DATE, None::<Date>);
        let matching = Rows::new(
            &CASHFLOW,
            [days(3, 9), days(1, 5), none.with("last_counted", &Type::DATE, None::<Date>)],
        );
        let found = parameters(Some("cafe")).counted_days(&matching, None).expect("days");
        assert_eq!(found, november(1, 9));

        let stored = parameters(None);
        let (totals, of_days) =
            (Rows::new(&CASHFLOW, [Fixture::new()]), Rows::new(&COMPLETE_MONTHS, [days(2, 8)]));
        assert_eq!(stored.counted_days(&totals, Some(&of_days)).expect("days"), november(2, 8));
        assert_eq!(stored.counted_days(&totals, None).expect("days"), None, "a range with both ends");
        let no_totals = Rows::new(&CASHFLOW, [] as [Fixture; 0]);
        assert_eq!(stored.counted_days(&no_totals, Some(&of_days)).expect("days"), None, "nothing counts");
    }
}
