//! The operation `recurring_payments`: subscriptions, bills, salaries and other payments on a schedule.

use jiff::ToSpan as _;
use jiff::civil::Date;
use passbook_domain::bounded::Bounded;
use passbook_domain::names::Resolved;
use passbook_domain::person::{Person, UserId};
use passbook_domain::ports::Reading;
use passbook_domain::recurring::{
    ANALYSED_PAYMENTS_MAX, ConfidenceMin, DetectedPayment, Occurrence, Occurrences, Payment,
    RecurringPayment, RecurringPaymentList, RecurringPaymentWithTransactions, RecurringStatus, WINDOW_MONTHS,
    detect_recurring_payments, largest_income, monthly_total,
};
use passbook_domain::scope::Scope;
use passbook_domain::tally::{CurrencyTotal, Overflow, Tally};
use passbook_domain::transaction::TransactionType;
use passbook_domain::{Currency, Money};
use tokio::sync::Semaphore;

use crate::context::Context;
use crate::error::Error;
use crate::form::{Form, PageSizes};
use crate::names::LastIncome;
use crate::operation::{Operation, Spec, Tool};
use crate::parameter::{CountedType, RequestedPeriod};

/// Subscriptions, bills, salaries and other payments on a schedule.
#[derive(Debug)]
pub struct RecurringPayments;

/// Number of days after `asOf` within which a payment is due.
pub type UpcomingDays = Bounded<1, 365>;
/// Maximum number of listed recurring payments.
pub type Limit = Bounded<1, 200>;

/// Maximum number of transactions that are analysed on the thread of the request, which takes less than 1 ms. More are
/// analysed on a thread for blocking work, because a request must not delay the others.
const INLINE_TRANSACTIONS_MAX: usize = 500;
/// Maximum number of analyses at the same time on threads for blocking work. Further ones wait.
const ANALYSES_MAX: usize = 4;
static ANALYSES: Semaphore = Semaphore::const_new(ANALYSES_MAX);

/// Maximum number of listed expected payments.
const OCCURRENCES_MAX: usize = 500;
/// Maximum number of expected payments that a tool lists. One has about 110 bytes.
const TOOL_OCCURRENCES_MAX: usize = 60;

/// Default and maximum number of listed recurring payments.
const LIMITS: PageSizes<200> = PageSizes {
    default: Limit::constant::<100>(),
    tool_default: Limit::constant::<25>(),
    tool_max: Limit::constant::<50>(),
};

/// The day up to which payments are searched, the minimum confidence, and the filters of the list.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Params {
    /// Day up to which payments are searched; `None` for the current day.
    pub as_of: Option<Date>,
    /// Minimum confidence of a recurring payment, 0 to 1.
    pub min_confidence: ConfidenceMin,
    /// Transaction types of the recurring payments to list.
    pub types: Vec<TransactionType>,
    /// Statuses of the recurring payments to list.
    pub status: Vec<RecurringStatus>,
    /// Lists only payments that are due within this number of days after `as_of`.
    pub upcoming_within_days: Option<UpcomingDays>,
    /// Maximum number of listed recurring payments.
    pub limit: Limit,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            as_of: None,
            min_confidence: ConfidenceMin::DEFAULT,
            types: vec![TransactionType::Expense],
            status: vec![RecurringStatus::Active, RecurringStatus::Overdue],
            upcoming_within_days: None,
            limit: LIMITS.default,
        }
    }
}

impl Params {
    /// Lists only payments that are due within `days` days after the day up to which payments are searched.
    #[must_use]
    pub fn upcoming_within(self, days: UpcomingDays) -> Params {
        Params { upcoming_within_days: Some(days), ..self }
    }

    /// Sets the transaction types of the recurring payments to list.
    #[must_use]
    pub fn with_types(self, types: impl Into<Vec<TransactionType>>) -> Params {
        Params { types: types.into(), ..self }
    }

    /// Sets the maximum number of listed recurring payments.
    #[must_use]
    pub fn with_limit(self, limit: Limit) -> Params {
        Params { limit, ..self }
    }
}

impl Operation for RecurringPayments {
    const SPEC: Spec = Spec {
        id: "recurring_payments",
        path: "/v1/recurring-payments",
        tool: Some(Tool {
            name: "detect_recurring_payments",
            title: "Recurring payments",
            description: "Subscriptions, bills and salaries, detected by their schedule: cadence, amount, next date, price change, missed payments, confidence; monthlyTotal is the monthly cost of active expenses, monthlyIncome of income. Lists active and overdue expenses, soonest first; types and status select others, limit shows more. search_transactions lists single payments, get_top_merchants all spending at a merchant.",
        }),
        scope: Some(Scope::RecurringPaymentsRead),
        summary: "Recurring payments",
        description: "Subscriptions, bills, salaries and other payments on a schedule, detected in the transactions of the 25 months up to a day: cadence, amount, next date, missed payments, confidence and evidence. Pending transactions are payments too; internal transfers, refunds and cash are not; excluded categories are included.",
    };
    type Params = Params;
    type Output = RecurringPaymentList;
    type ToolOutput = RecurringPaymentList<RecurringPayment>;

    fn read(form: &mut Form<'_>) -> Params {
        let usual = Params::default();
        let types: Option<Vec<CountedType>> = form.list("types", "Types to list; EXPENSE if missing.");
        Params {
            as_of: form.optional(
                "asOf",
                "Day of the analysis (YYYY-MM-DD): later transactions are ignored. Today in the user's time zone if missing, and never later.",
            ),
            min_confidence: form.or_default(
                "minConfidence",
                "Minimum confidence, 0 to 1. A payment with less is neither listed nor in the monthly totals.",
                usual.min_confidence,
            ),
            types: types.map_or(usual.types, |types| types.into_iter().map(|counted| counted.0).collect()),
            status: form
                .list("status", "Statuses to list; ACTIVE and OVERDUE if missing.")
                .unwrap_or(usual.status),
            upcoming_within_days: form.optional(
                "upcomingWithinDays",
                "Lists only payments that are due at most this many days after asOf, late ones included; adds occurrences, each expected payment of these days, with their totals.",
            ),
            limit: form.page_size("limit", "Maximum number of recurring payments.", LIMITS),
        }
    }

    async fn run(context: &Context<'_>, params: Params) -> Result<RecurringPaymentList, Error> {
        let _lock = context.lock_user().await;
        let (person, mut found) = analyse(context, "asOf", params.as_of).await?;
        let as_of = params.as_of.unwrap_or(person.today);
        found.retain(|found| params.min_confidence.admits(found.payment.confidence));
        let expenses = monthly_total(&found, TransactionType::Expense)?;
        let income = monthly_total(&found, TransactionType::Income)?;
        found.retain(|found| is_selected(&found.payment, &params));
        let last = params.upcoming_within_days.map(|days| as_of.saturating_add(days.get().days()));
        let listed_max = if context.is_tool() { TOOL_OCCURRENCES_MAX } else { OCCURRENCES_MAX };
        let currency = person.preferred_currency;
        let upcoming = last.map(|last| occurrences(&found, as_of, last, listed_max, currency)).transpose()?;
        let is_due = |next: Date| last.is_none_or(|last| next <= last);
        found.retain(|found| last.is_none() || found.payment.next_expected_date.is_some_and(is_due));
        let total_count = found.len();
        found.truncate(usize::try_from(params.limit.get()).expect("a limit is small"));
        Ok(RecurringPaymentList {
            as_of,
            monthly_total: Money::new(expenses.cents, currency),
            monthly_income: Money::new(income.cents, currency),
            total_count,
            recurring_payments: found.into_iter().map(listed).collect(),
            upcoming,
            unconverted: expenses
                .unconverted_of_type(TransactionType::Expense)
                .chain(income.unconverted_of_type(TransactionType::Income))
                .collect(),
        })
    }
}

/// Detects the recurring payments up to a day. `parameter` is the one whose value asks for it. The rows of one user may take a
/// hundred megabytes, so the caller holds the lock of the user.
async fn analyse(
    context: &Context<'_>,
    parameter: &'static str,
    as_of: Option<Date>,
) -> Result<(Person, Vec<DetectedPayment>), Error> {
    let Reading { person, data, .. } = context.ledger().recurring_payments(context.access(), as_of).await?;
    let as_of = as_of.unwrap_or(person.today);
    if as_of > person.today {
        let rule = format!("must not be after today, {}; upcomingWithinDays looks ahead", person.today);
        return Err(Error::invalid_parameter(parameter, rule));
    }
    if data.len() > ANALYSED_PAYMENTS_MAX {
        let rule = format!(
            "must be a day with at most {ANALYSED_PAYMENTS_MAX} income and expense transactions in the {WINDOW_MONTHS} months up to it; there are more up to {as_of}"
        );
        return Err(Error::invalid_parameter(parameter, rule));
    }
    let found = detect(person.id, data, as_of).await?;
    Ok((person, found))
}

/// Returns the last income of the largest recurring income that has not ended, per month and converted.
///
/// # Errors
/// There is none, which is a fault of the parameter `period`, and the errors of the analysis.
pub(crate) async fn last_income(context: &Context<'_>) -> Result<LastIncome, Error> {
    let (_, found) = analyse(context, "period", None).await?;
    let Some(payment) = largest_income(&found)? else {
        let rule = "must be another period: since-income needs a recurring income that has not ended, and none is known";
        return Err(Error::invalid_parameter("period", rule));
    };
    let (id, name) = (payment.id.to_string(), payment.merchant_name.clone());
    let resolved = Resolved { argument: "period", given: RequestedPeriod::SINCE_INCOME.to_owned(), id, name };
    Ok(LastIncome { date: payment.last_date, resolved })
}

/// Detects recurring payments. A panic of the detection panics here too, so that it stays a panic of the request.
async fn detect(user: UserId, payments: Vec<Payment>, as_of: Date) -> Result<Vec<DetectedPayment>, Error> {
    if payments.len() <= INLINE_TRANSACTIONS_MAX {
        return Ok(detect_recurring_payments(user, &payments, as_of));
    }
    let permit = ANALYSES.acquire().await.expect("the semaphore is never closed");
    let analysis = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        detect_recurring_payments(user, &payments, as_of)
    });
    analysis.await.map_err(|ended| match ended.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(cancelled) => Error::Internal(Box::new(cancelled)),
    })
}

fn listed(found: DetectedPayment) -> RecurringPaymentWithTransactions {
    let DetectedPayment { payment, transaction_ids, .. } = found;
    RecurringPaymentWithTransactions { payment, transaction_ids }
}

fn is_selected(payment: &RecurringPayment, params: &Params) -> bool {
    params.types.contains(&payment.r#type) && params.status.contains(&payment.status)
}

/// Returns the expected payments from `first` to `last`, of which at most `listed_max` are listed.
fn occurrences(
    found: &[DetectedPayment],
    first: Date,
    last: Date,
    listed_max: usize,
    currency: Currency,
) -> Result<Occurrences, Overflow> {
    let mut listed = Vec::new();
    let (mut expenses, mut income) = (Tally::default(), Tally::default());
    for detected in found {
        let DetectedPayment { payment, converted_cents, .. } = detected;
        let is_income = payment.r#type == TransactionType::Income;
        let amount = CurrencyTotal::new(payment.next_amount(), 1, *converted_cents);
        for date in detected.due_days(first, last) {
            if is_income { &mut income } else { &mut expenses }.add(&amount)?;
            listed.push(Occurrence { date, amount: payment.next_amount(), recurring_payment_id: payment.id });
        }
    }
    listed.sort_by_key(|occurrence| occurrence.date);
    let occurrence_count = listed.len();
    listed.truncate(listed_max);
    Ok(Occurrences {
        occurrences: listed,
        occurrence_count,
        occurrences_total: Money::new(expenses.cents, currency),
        occurrences_income: Money::new(income.cents, currency),
        occurrences_unconverted: expenses
            .unconverted_of_type(TransactionType::Expense)
            .chain(income.unconverted_of_type(TransactionType::Income))
            .collect(),
    })
}
