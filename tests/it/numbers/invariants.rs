//! Totals of random households: every response is compared with an independent model and with the other responses.

mod filters;
mod parameters;

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use passbook_domain::transaction::TransactionType;
use passbook_records::record::{ExchangeRate, Record, Transaction};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use serde_json::Value;
use tests::app::{App, TODAY};
use tests::household::{Household, day, decimal, parse_currency};
use tests::model::{Counting, Filter, Model, Total};
use uuid::Uuid;

use parameters::Parameters;

/// Number of random households, in an ordinary and in a thorough test run. About thirty requests are made for each.
const CASES: (u32, u32) = (8, 24);

/// A random row without an owner.
#[derive(Clone, Debug)]
struct Row {
    days_ago: i64,
    kind: u8,
    cents: i64,
    currency: &'static str,
    merchant: Option<&'static str>,
    pending: bool,
    link: Option<usize>,
    second_account: bool,
}

fn row() -> impl Strategy<Value = Row> {
    let merchant = prop::sample::select(vec![
        None,
        Some("Café"),
        Some("CAFÉ"),
        Some(" café "),
        Some("Zoo"),
        Some("Bäcker"),
    ]);
    let currency = prop::sample::select(vec!["EUR", "EUR", "USD", "JPY", "CHF"]);
    let parts = (-3_i64..800, 0_u8..12, 0_i64..3_000_000, currency, merchant, prop::bool::weighted(0.15));
    (parts, prop::option::weighted(0.3, 0_usize..60), any::<bool>()).prop_map(
        |((days_ago, kind, cents, currency, merchant, pending), link, second_account)| Row {
            days_ago,
            kind,
            cents,
            currency,
            merchant,
            pending,
            link,
            second_account,
        },
    )
}

/// Type and category of a row, including refunds and transfers.
fn kind(number: u8) -> (TransactionType, Category) {
    use ExpenseCategory as E;
    use IncomeCategory as I;
    let expense = |category| (TransactionType::Expense, Category::Expense(category));
    let income = |category| (TransactionType::Income, Category::Income(category));
    match number {
        0 => expense(E::Rent),
        1 | 2 => expense(E::Groceries),
        3 => expense(E::Vacation),
        4 => expense(E::Uncategorized),
        5 => expense(E::Clothing),
        6 => income(I::Salary),
        7 | 8 => income(I::Refund),
        9 => income(I::TransferIn),
        10 => (TransactionType::InternalTransfer, Category::Expense(E::TransferOut)),
        _ => (TransactionType::InternalTransfer, Category::Income(I::TransferIn)),
    }
}

fn household(rows: &[Row], preferred: &str, excluded: bool) -> Household {
    let mut household = Household::new();
    household.user.preferred_currency = parse_currency(preferred);
    household.user.excluded_categories = if excluded { vec![ExpenseCategory::Vacation] } else { Vec::new() };
    for row in rows {
        let date = TODAY.checked_sub(row.days_ago.days()).expect("in range").to_string();
        let (transaction_type, category) = kind(row.kind);
        let account = household.accounts[usize::from(row.second_account)];
        let added = household.row(&date, transaction_type, category, row.cents, row.currency);
        added.account_id = account;
        added.pending = row.pending;
        added.merchant_name = row.merchant.map(str::to_owned);
    }
    for (at, row) in rows.iter().enumerate() {
        let linked = row.link.and_then(|link| target(&household.transactions, at, link));
        household.transactions[at].linked_transaction_id = linked;
    }
    household
}

/// The row that a row links to: for a transfer another leg and for a refund an expense, each the first from `link` on;
/// for any other row the row at `link`.
fn target(rows: &[Transaction], at: usize, link: usize) -> Option<Uuid> {
    let row = &rows[at];
    let onwards = || rows.iter().cycle().skip(link).take(rows.len());
    let found = match (row.transaction_type, row.category) {
        (TransactionType::InternalTransfer, _) => onwards().find(|other| may_be_legs(rows, row, other)),
        (_, Category::Income(IncomeCategory::Refund)) => {
            onwards().find(|other| other.transaction_type == TransactionType::Expense)
        }
        _ => rows.get(link).filter(|other| other.transaction_id != row.transaction_id),
    };
    found.map(|other| other.transaction_id)
}

/// Returns true if the transfers `row` and `other` may be linked: they move money in opposite directions on two
/// accounts, `other` links to nothing or to `row`, and no transfer except `other` links to `row`.
fn may_be_legs(rows: &[Transaction], row: &Transaction, other: &Transaction) -> bool {
    let links_here =
        |third: &&Transaction| is_transfer(third) && third.linked_transaction_id == Some(row.transaction_id);
    let income = |leg: &Transaction| matches!(leg.category, Category::Income(_));
    is_transfer(other)
        && income(other) != income(row)
        && other.account_id != row.account_id
        && other.linked_transaction_id.is_none_or(|back| back == row.transaction_id)
        && rows.iter().filter(links_here).all(|third| third.transaction_id == other.transaction_id)
}

fn is_transfer(row: &Transaction) -> bool {
    row.transaction_type == TransactionType::InternalTransfer
}

/// Rates without weekends, with a gap of more than 31 days, and without JPY before a day.
fn rates() -> Vec<ExchangeRate> {
    let mut rates = Vec::new();
    for days_ago in 0..900_i64 {
        let as_of = TODAY.checked_sub(days_ago.days()).expect("in range");
        let weekend = as_of.weekday().to_monday_one_offset() > 5;
        if weekend || (200..260).contains(&days_ago) {
            continue;
        }
        let wobble = i32::try_from(days_ago % 37).expect("small");
        let mut add = |currency: &str, units: String| {
            rates.push(ExchangeRate {
                currency: parse_currency(currency),
                as_of,
                units_per_base: decimal(&units),
            });
        };
        add("USD", format!("1.{:04}", 800 + wobble * 13));
        add("CHF", format!("0.{:04}", 9300 + wobble));
        if days_ago < 400 {
            add("JPY", format!("{}.{:02}", 150 + wobble, wobble));
        }
    }
    rates
}

fn parameter_sets() -> Vec<Parameters> {
    let ranges = [
        (None, None),
        (Some(day("2026-10-22")), Some(day("2026-11-21"))),
        (Some(day("2026-03-01")), Some(day("2026-05-31"))),
        (Some(day("2026-06-15")), None),
        (None, Some(day("2025-12-31"))),
    ];
    let switches = [(true, false), (false, false), (true, true)];
    let pair = |(from, to)| {
        switches.map(|(include_pending, include_excluded)| Parameters {
            from,
            to,
            include_pending,
            include_excluded,
            filter: Filter::default(),
        })
    };
    ranges.into_iter().flat_map(pair).collect()
}

fn cents(money: &Value) -> i64 {
    money["amount_cents"].as_i64().expect("cents")
}

/// The `unconverted` entries of a response, filtered by type if `wanted` is set.
fn unconverted(answer: &Value, wanted: Option<&str>) -> BTreeMap<String, (i64, i64)> {
    let entries = answer["unconverted"].as_array().cloned().unwrap_or_default();
    entries
        .iter()
        .filter(|entry| wanted.is_none_or(|wanted| entry["type"] == wanted))
        .map(|entry| {
            let currency = entry["currency"].as_str().expect("a currency").to_owned();
            (currency, (cents(entry), entry["transactionCount"].as_i64().expect("a count")))
        })
        .collect()
}

async fn check(app: &App, household: &Household, rates: &[ExchangeRate]) -> Result<(), TestCaseError> {
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    let model = Model::new(household, rates);
    for parameters in parameter_sets() {
        let query = parameters.query();
        let get = async |path: &str| app.get(&format!("{path}?{query}"), &token).await.ok();
        let expense = model.total(model.counted(TransactionType::Expense, &parameters.counting()));
        let income = model.total(model.counted(TransactionType::Income, &parameters.counting()));

        let cashflow = get("/v1/cashflow/summary").await;
        prop_assert_eq!(cents(&cashflow["expenseTotal"]), expense.cents);
        prop_assert_eq!(cents(&cashflow["incomeTotal"]), income.cents);
        prop_assert_eq!(cents(&cashflow["net"]), income.cents - expense.cents);
        prop_assert_eq!(unconverted(&cashflow, Some("EXPENSE")), expense.unconverted.clone());
        prop_assert_eq!(unconverted(&cashflow, Some("INCOME")), income.unconverted.clone());

        let merchants = get("/v1/spending/merchants/top").await;
        prop_assert_eq!(cents(&merchants["totalExpense"]), expense.cents);
        prop_assert_eq!(unconverted(&merchants, None), expense.unconverted.clone());
        check_merchants(&merchants, &model, &parameters)?;

        let categories = get("/v1/spending/categories").await;
        check_categories(&categories, &expense, &model, &parameters)?;
        let summary = app.get(&format!("/v1/spending/summary?{query}&groupBy=week"), &token).await.ok();
        check_summary(&summary, &expense, &model, &parameters)?;
    }
    for parameters in filters::parameter_sets(household) {
        filters::check(app, &token, household, &model, &parameters).await?;
    }
    check_budgets(app, &token).await
}

fn check_merchants(answer: &Value, model: &Model<'_>, parameters: &Parameters) -> Result<(), TestCaseError> {
    let mut expected: BTreeMap<String, i64> = BTreeMap::new();
    for row in model.counted(TransactionType::Expense, &parameters.counting()) {
        if let Some(name) = &row.merchant_name {
            *expected.entry(name.trim().to_lowercase()).or_default() += model.converted(row).unwrap_or(0);
        }
    }
    let listed = answer["merchants"].as_array().expect("a list");
    prop_assert_eq!(listed.len(), expected.len());
    for merchant in listed {
        let key = merchant["merchant"].as_str().expect("a name").trim().to_lowercase();
        prop_assert_eq!(Some(cents(&merchant["total"])), expected.get(&key).copied());
    }
    prop_assert!(listed.windows(2).all(|pair| cents(&pair[0]["total"]) >= cents(&pair[1]["total"])));
    Ok(())
}

fn check_categories(
    answer: &Value,
    expense: &Total,
    model: &Model<'_>,
    parameters: &Parameters,
) -> Result<(), TestCaseError> {
    prop_assert_eq!(cents(&answer["totalExpense"]), expense.cents);
    prop_assert_eq!(unconverted(answer, Some("EXPENSE")), expense.unconverted.clone());
    let listed = answer["categories"].as_array().expect("a list");
    prop_assert_eq!(listed.iter().map(|entry| cents(&entry["total"])).sum::<i64>(), expense.cents);
    let hundredths =
        |entry: &Value| (entry["percentOfTotal"].as_f64().expect("a number") * 100.0).round() as i64;
    let shares: i64 = listed.iter().map(hundredths).sum();
    prop_assert_eq!(shares, if expense.cents > 0 { 10_000 } else { 0 });
    for entry in listed {
        let category = entry["category"].as_str().expect("a word");
        let rows = model.counted(TransactionType::Expense, &parameters.counting());
        let total = model.total(rows.into_iter().filter(|row| row.category.as_str() == category));
        prop_assert_eq!(cents(&entry["total"]), total.cents);
        prop_assert_eq!(entry["transactionCount"].as_i64(), Some(total.count));
        prop_assert_eq!(unconverted(entry, Some("EXPENSE")), total.unconverted);
    }
    Ok(())
}

fn check_summary(
    answer: &Value,
    expense: &Total,
    model: &Model<'_>,
    parameters: &Parameters,
) -> Result<(), TestCaseError> {
    let refunds = model.counted(TransactionType::Income, &parameters.counting());
    let refunds = model.total(refunds.into_iter().filter(|row| row.category.as_str() == "REFUND"));
    prop_assert_eq!(cents(&answer["totalExpense"]), expense.cents);
    prop_assert_eq!(answer["transactionCount"].as_i64(), Some(expense.count));
    prop_assert_eq!(cents(&answer["totalRefunds"]), refunds.cents);
    prop_assert_eq!(cents(&answer["netSpending"]), expense.cents - refunds.cents);
    prop_assert_eq!(unconverted(answer, Some("EXPENSE")), expense.unconverted.clone());
    prop_assert_eq!(unconverted(answer, Some("INCOME")), refunds.unconverted);
    let periods = answer["periods"].as_array().expect("a list");
    prop_assert_eq!(periods.iter().map(|period| cents(&period["totalExpense"])).sum::<i64>(), expense.cents);
    let counts = periods.iter().map(|period| period["transactionCount"].as_i64().expect("a count"));
    prop_assert_eq!(counts.sum::<i64>(), expense.count);
    for period in periods {
        let bound = |name: &str| period[name].as_str().map(day);
        let counting = Counting { from: bound("dateFrom"), to: bound("dateTo"), ..parameters.counting() };
        let total = model.total(model.counted(TransactionType::Expense, &counting));
        prop_assert_eq!(cents(&period["totalExpense"]), total.cents);
    }
    if let (Some(from), Some(to)) = (parameters.from, parameters.to) {
        let length = (to - from).get_days() + 1;
        let counting = Counting {
            from: Some(from.checked_sub(length.days()).expect("in range")),
            to: Some(from.checked_sub(1.day()).expect("in range")),
            ..parameters.counting()
        };
        let before = model.total(model.counted(TransactionType::Expense, &counting));
        prop_assert_eq!(cents(&answer["previousPeriod"]["totalExpense"]), before.cents);
    } else {
        prop_assert!(answer.get("previousPeriod").is_none());
    }
    Ok(())
}

/// Checks that the budgets of a month have the same totals as the spending categories of that month.
async fn check_budgets(app: &App, token: &str) -> Result<(), TestCaseError> {
    for (year, month, last) in [(2026, 11, 30), (2026, 4, 30), (2025, 2, 28)] {
        let budgets = app.get(&format!("/v1/budgets/summary?year={year}&month={month}"), token).await.ok();
        let range = format!("dateFrom={year}-{month:02}-01&dateTo={year}-{month:02}-{last}");
        let categories = app.get(&format!("/v1/spending/categories?{range}"), token).await.ok();
        let spent = |list: &Value| -> BTreeMap<String, i64> {
            let entries = list.as_array().expect("a list").iter();
            entries
                .map(|entry| (entry["category"].as_str().expect("a word").to_owned(), cents(&entry["total"])))
                .collect()
        };
        let (mut budgeted, mut categorised) = (spent(&budgets), spent(&categories["categories"]));
        budgeted.retain(|_, cents| *cents != 0);
        categorised.retain(|_, cents| *cents != 0);
        prop_assert_eq!(budgeted, categorised);
    }
    Ok(())
}

#[test]
fn totals_of_random_households_equal_the_model_and_each_other() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let rates = rates();
    let app = runtime.block_on(async {
        let app = App::start().await;
        app.load(rates.iter().cloned().map(Record::ExchangeRate)).await;
        app
    });
    let rows = prop::collection::vec(row(), 0..60);
    let preferred = prop::sample::select(vec!["EUR", "USD", "JPY"]);
    let cases = tests::cases(CASES.0, CASES.1);
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    runner
        .run(&(rows, preferred, any::<bool>()), |(rows, preferred, excluded)| {
            let household = household(&rows, preferred, excluded);
            runtime.block_on(check(&app, &household, &rates))
        })
        .expect("the totals must be equal");
}
