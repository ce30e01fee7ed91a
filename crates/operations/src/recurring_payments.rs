//! Recurring payments: subscriptions, bills, salaries and whatever else comes round.

use domain::Money;
use domain::bounded::Bounded;
use domain::recurring::{
    ConfidenceMin, DetectedPayment, RecurringPayment, RecurringPayments as Answer, RecurringStatus,
    detect_recurring_payments, monthly_total,
};
use domain::scope::Scope;
use domain::transaction::TransactionType;
use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::error::Error;
use crate::form::{Form, PageSizes};
use crate::operation::{Operation, Spec, Tool};
use crate::parameter::CountedType;
use crate::service::Context;

/// The operation.
#[derive(Debug)]
pub struct RecurringPayments;

/// Days ahead in which a payment is due.
pub type UpcomingDays = Bounded<1, 365>;
/// How many recurring payments to list.
pub type Limit = Bounded<1, 200>;

/// Recurring payments in an answer.
const LIMITS: PageSizes<200> = PageSizes {
    default: Limit::constant::<100>(),
    tool_default: Limit::constant::<25>(),
    tool_max: Limit::constant::<50>(),
};

/// Identifiers of transactions in an answer, at most, but for one of each payment: a long list says less of each, so
/// that it can still be read.
const TRANSACTION_IDS_MAX: usize = 36;

/// The day, how far to believe, and what to list.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// The day that the answer is about; today when none.
    pub as_of: Option<Date>,
    /// The least confidence.
    pub min_confidence: ConfidenceMin,
    /// Types to list.
    pub types: Vec<TransactionType>,
    /// Statuses to list.
    pub status: Vec<RecurringStatus>,
    /// Only those that are awaited within so many days.
    pub upcoming_within_days: Option<UpcomingDays>,
    /// How many to list at most.
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

impl Operation for RecurringPayments {
    const SPEC: Spec = Spec {
        id: "recurring_payments",
        path: "/v1/recurring-payments",
        tool: Some(Tool {
            name: "detect_recurring_payments",
            title: "Recurring payments",
            description: "Subscriptions, bills and salaries found by their rhythm: how often, how much, when next, whether one is missing, how sure and why; monthlyTotal is what active expenses cost a month. Expenses that are active or overdue, soonest first, unless types and status say otherwise; limit shows more. search_transactions lists single payments, get_top_merchants everything spent somewhere.",
            wrapper: None,
        }),
        scope: Some(Scope::RecurringPaymentsRead),
        summary: "Recurring payments",
        description: "Subscriptions, bills, salaries and other payments that come round, concluded from the transactions of the 25 months up to a day: how often, how much, when next, whether one is missing, how far to believe it and why. Pending transactions are payments too; internal transfers, refunds and cash are not; excluded categories stay in.",
    };
    type Params = Params;
    type Output = Answer;

    fn read(form: &mut Form<'_>) -> Params {
        let usual = Params::default();
        let types: Option<Vec<CountedType>> = form.list("types", "Types to list; EXPENSE when left out.");
        Params {
            as_of: form.optional(
                "asOf",
                "The day that the answer is about (YYYY-MM-DD): later transactions are not looked at. Today in the user's time zone when left out, and not later than that.",
            ),
            min_confidence: form.or_default(
                "minConfidence",
                "The least confidence, 0 to 1. What is believed less is neither listed nor in monthlyTotal.",
                usual.min_confidence,
            ),
            types: types.map_or(usual.types, |types| types.into_iter().map(|counted| counted.0).collect()),
            status: form
                .list("status", "Statuses to list; ACTIVE and OVERDUE when left out.")
                .unwrap_or(usual.status),
            upcoming_within_days: form.optional(
                "upcomingWithinDays",
                "Lists only payments that are awaited at most this many days after asOf, those already due or overdue included.",
            ),
            limit: form.page_size("limit", "Recurring payments at most.", LIMITS),
        }
    }

    async fn run(context: &Context<'_>, params: Params) -> Result<Answer, Error> {
        let reading = context.ledger().recurring_payments(context.access(), params.as_of).await?;
        let today = reading.person.today;
        let as_of = params.as_of.unwrap_or(today);
        if as_of > today {
            let rule = format!("must not be after today, {today}; upcomingWithinDays looks ahead");
            return Err(Error::fault("asOf", rule));
        }
        let mut found = detect_recurring_payments(reading.person.id, &reading.data, as_of);
        found.retain(|found| params.min_confidence.admits(found.payment.confidence));
        let total = monthly_total(&found)?;
        let limit = usize::try_from(params.limit.get()).expect("a limit is small");
        let payments = found.into_iter().map(|DetectedPayment { payment, .. }| payment);
        let mut listed: Vec<RecurringPayment> =
            payments.filter(|payment| is_listed(payment, &params, as_of)).take(limit).collect();
        let ids_of_each = (TRANSACTION_IDS_MAX / listed.len().max(1)).max(1);
        for payment in &mut listed {
            payment.transaction_ids.truncate(ids_of_each);
        }
        Ok(Answer {
            as_of,
            monthly_total: Money::new(total.cents, reading.person.preferred_currency),
            recurring_payments: listed,
            unconverted: total.unconverted,
        })
    }
}

fn is_listed(payment: &RecurringPayment, params: &Params, as_of: Date) -> bool {
    let last = params.upcoming_within_days.map(|days| as_of.saturating_add(days.get().days()));
    let awaited = last.is_none_or(|last| payment.next_expected_date.is_some_and(|next| next <= last));
    awaited && params.types.contains(&payment.r#type) && params.status.contains(&payment.status)
}
