//! Request parameters that several operations share: the range of days, the filter for the counted transactions, and the
//! division into periods. For the operations of a host too.

use passbook_domain::Invalid;
use passbook_domain::comparison::{CompareTo, ComparedDays};
use passbook_domain::names::NameKind;
use passbook_domain::person::Person;
use passbook_domain::ports::CountedQuery;
use passbook_domain::range::{DateRange, DaySpan, ResolvedDays, TimeRange};
use uuid::Uuid;

use crate::category_filter::category_filter;
use crate::form::Form;
use crate::parameter::{Parameter, RequestedPeriod};

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

    /// Returns the queries of the comparison for a range that was resolved for a person; none without a comparison.
    pub(crate) fn compared(&self, range: ResolvedDays, person: &Person) -> Option<Compared> {
        let Person { today, month_start, .. } = *person;
        let whole_last = self.counted.days.left_out(range, today, month_start).and_then(|later| later.last);
        let days = self.compare_to.days(range, whole_last, today, month_start)?;
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
        "First day, inclusive (YYYY-MM-DD). Overrides timeRange; without dateTo the range ends today, or is open if it starts later.",
    );
    let to = form.optional("dateTo", "Last day, inclusive.");
    let time_range = time_range(form);
    let period: Option<RequestedPeriod> =
        form.optional("period", "A named period; this-… ends today. Not with another range.");
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
    match period {
        RequestedPeriod::Named(period) => DateRange::named(period),
        RequestedPeriod::SinceIncome => {
            let first = form.last_income();
            first.and_then(|first| DateRange::new(Some(first), None, None).ok()).unwrap_or_default()
        }
    }
}

/// Reads the range of days, `includePending`, `includeExcluded` and the filters that totals share with the list of
/// transactions.
pub fn counted_query(form: &mut Form<'_>) -> CountedQuery {
    let mut query = CountedQuery::new(date_range(form));
    query.include_pending = form.or_default("includePending", "If true, pending transactions count.", true);
    query.include_excluded =
        form.or_default("includeExcluded", "If true, excluded categories count too.", false);
    let description = "Only these count, also excluded ones, such as PUBLIC_TRANSPORT. Refunds are REFUND.";
    query.categories = category_filter(form, description).selected;
    query.accounts = account_filter(form);
    query.merchant =
        form.optional("merchantQuery", "Only rows with this text in merchant name, title or note.");
    query.merchants = merchant_filter(form);
    (query.own_categories, query.tags) = label_filters(form);
    query
}

/// Reads `accountIds`, `accounts` and `banks`. A row must match each of them.
pub fn account_filter(form: &mut Form<'_>) -> Option<Vec<Uuid>> {
    let identifiers: Option<Vec<Uuid>> = form.list_for_programs(
        "accountIds",
        "Only these accounts count: account_id of a transaction. An unknown identifier matches no row.",
    );
    let description = "Names or ids; the beginning of a word suffices.";
    let accounts = form.ids_of("accounts", NameKind::Account, description);
    let banks = form.ids_of("banks", NameKind::Bank, "Names or ids.");
    let filters = [identifiers, accounts, banks].into_iter().flatten();
    filters.reduce(|mut selected, filter| {
        selected.retain(|account| filter.contains(account));
        selected
    })
}

/// Reads the filter by merchants.
pub fn merchant_filter(form: &mut Form<'_>) -> Option<Vec<String>> {
    form.merchants("merchants", "Names.")
}

/// Reads the filters by own categories and by tags.
pub fn label_filters(form: &mut Form<'_>) -> (Option<Vec<Uuid>>, Option<Vec<Uuid>>) {
    let description = "Names or ids.";
    let own_categories = form.ids_of("ownCategories", NameKind::OwnCategory, description);
    (own_categories, form.ids_of("tags", NameKind::Tag, "Any of these."))
}
