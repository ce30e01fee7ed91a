//! Request parameters that several operations share: the range of days, the filter for the counted transactions, and the
//! division into periods. For the operations of a host too.

use jiff::civil::Date;
use passbook_domain::Invalid;
use passbook_domain::comparison::{CompareTo, ComparedDays};
use passbook_domain::ports::CountedQuery;
use passbook_domain::range::{DateRange, DaySpan, NamedPeriod, ResolvedDays, TimeRange};

use crate::form::Form;
use crate::parameter::Parameter;

/// The filter for the counted transactions, and the division of the range into periods: the parameters of several
/// operations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GroupedQuery<G> {
    /// Range of days, and the filter for the counted transactions.
    pub counted: CountedQuery,
    /// Division of the range into periods.
    pub group_by: G,
    /// The earlier days with which the range is compared.
    pub compare_to: CompareTo,
}

/// The queries of a comparison.
#[derive(Clone, Debug)]
pub(crate) struct Compared {
    pub(crate) days: ComparedDays,
    /// The range up to today; none if it ends today or earlier, because its totals are read already.
    pub(crate) now: Option<CountedQuery>,
    pub(crate) before: CountedQuery,
}

impl<G: Parameter + Default> GroupedQuery<G> {
    /// Returns the parameters for the transactions that `counted` selects, with the default division.
    pub fn new(counted: CountedQuery) -> GroupedQuery<G> {
        GroupedQuery { counted, group_by: G::default(), compare_to: CompareTo::None }
    }

    /// Sets the division of the range into periods.
    #[must_use]
    pub fn with_group_by(self, group_by: G) -> GroupedQuery<G> {
        GroupedQuery { group_by, ..self }
    }

    /// Sets the earlier days with which the range is compared.
    #[must_use]
    pub fn with_compare_to(self, compare_to: CompareTo) -> GroupedQuery<G> {
        GroupedQuery { compare_to, ..self }
    }

    /// Returns the queries of the comparison for a range that was resolved on the day `today`; none without a comparison.
    pub(crate) fn compared(&self, range: ResolvedDays, today: Date) -> Option<Compared> {
        let whole_last = self.counted.days.left_out(range, today).and_then(|later| later.last);
        let days = self.compare_to.days(range, whole_last, today)?;
        let query = |span: DaySpan| {
            let mut query = self.counted.clone();
            query.days = DateRange::new(Some(span.first), Some(span.last), None).ok()?.into();
            Some(query)
        };
        let is_cut = range.last != Some(days.now.last);
        Some(Compared { days, now: query(days.now).filter(|_| is_cut), before: query(days.before)? })
    }

    /// Reads the parameters of [`counted_query`], `groupBy` and `compareTo`.
    pub fn read(form: &mut Form<'_>, group_by_description: &'static str) -> GroupedQuery<G> {
        let counted = counted_query(form);
        let group_by = form.or_default("groupBy", group_by_description, G::default());
        let compare_to =
            form.or_default("compareTo", "Adds the totals of as many earlier days.", CompareTo::None);
        GroupedQuery { counted, group_by, compare_to }
    }
}

/// Reads `dateFrom`, `dateTo`, `timeRange` and `period`. If all are missing, the range includes all days.
pub fn date_range(form: &mut Form<'_>) -> DateRange {
    let description =
        "Whole months up to today in the user's time zone. Without any range, every day up to today counts.";
    range(form, |form| form.optional("timeRange", description))
}

/// Reads `dateFrom`, `dateTo`, `timeRange` and `period`. If all are missing, the range is the last year.
pub fn date_range_or_last_year(form: &mut Form<'_>) -> DateRange {
    let description = "Whole months up to today in the user's time zone; all starts at the first day with data. Without any range, 1y.";
    range(form, |form| Some(form.or_default("timeRange", description, TimeRange::OneYear)))
}

/// Reads the parameters of a range. A named period excludes all others.
fn range<'a>(form: &mut Form<'a>, time_range: impl FnOnce(&mut Form<'a>) -> Option<TimeRange>) -> DateRange {
    let from = form.optional(
        "dateFrom",
        "First day, inclusive (YYYY-MM-DD). With it or dateTo, timeRange is ignored; without dateTo, the range ends today, or is open if it starts later.",
    );
    let to = form.optional("dateTo", "Last day, inclusive.");
    let time_range = time_range(form);
    let period: Option<NamedPeriod> = form
        .optional("period", "A calendar period; this-… ends today. Not with dateFrom, dateTo or timeRange.");
    let Some(period) = period else {
        return DateRange::new(from, to, time_range).unwrap_or_else(|invalid| {
            form.reject("dateFrom", &invalid);
            DateRange::default()
        });
    };
    let others = ["dateFrom", "dateTo", "timeRange"];
    if let Some(other) = others.into_iter().find(|name| form.is_received(name)) {
        form.reject("period", &Invalid::new(format!("must not be given with {other}")));
    }
    DateRange::named(period)
}

/// Reads the range of days, `includePending`, `includeExcluded` and the filters that totals share with the list of
/// transactions.
pub fn counted_query(form: &mut Form<'_>) -> CountedQuery {
    let mut query = CountedQuery::new(date_range(form));
    query.include_pending = form.or_default("includePending", "If true, pending transactions count.", true);
    query.include_excluded =
        form.or_default("includeExcluded", "If true, excluded categories count too.", false);
    query.categories = form.list(
        "categories",
        "Only these categories count, also excluded ones. A refund has the category REFUND.",
    );
    query.accounts = form.list("accountIds", "Only these accounts count: account_id of a transaction.");
    query.merchant = form.optional(
        "merchantQuery",
        "Only rows with this text in merchant name or title count; case and accents are ignored.",
    );
    query
}
