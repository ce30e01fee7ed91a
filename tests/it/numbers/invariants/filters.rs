//! Totals with filters: each equals the total of the income and expenses in the list with the same filters, which a client
//! can add up.

use std::collections::BTreeMap;

use passbook_domain::transaction::TransactionType;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use serde_json::{Value, json};
use tests::app::App;
use tests::household::{Household, day};
use tests::model::{Filter, Model, Total};

use super::parameters::Parameters;
use super::{cents, check_categories, check_merchants, check_summary, unconverted};

/// Filters, each over all days and over a range.
pub(super) fn parameter_sets(household: &Household) -> Vec<Parameters> {
    let [first, second] = household.accounts[..] else { panic!("a household has two accounts") };
    let filters = [
        Filter { categories: Some(vec!["GROCERIES", "VACATION"]), ..Filter::default() },
        Filter { categories: Some(vec!["REFUND", "CLOTHING", "TRANSFER_OUT"]), ..Filter::default() },
        Filter { accounts: Some(vec![second]), ..Filter::default() },
        Filter { text: Some("cafe"), ..Filter::default() },
        Filter {
            categories: Some(vec!["GROCERIES", "SALARY", "VACATION"]),
            accounts: Some(vec![first]),
            text: Some("ro"),
        },
    ];
    let of = |filter: Filter| {
        let all_days = Parameters { include_pending: true, filter, ..Parameters::default() };
        let (from, to) = (Some(day("2026-03-01")), Some(day("2026-11-21")));
        let range =
            Parameters { from, to, include_pending: false, include_excluded: true, ..all_days.clone() };
        [all_days, range]
    };
    filters.into_iter().flat_map(of).collect()
}

/// Adds up the rows of one type in a list of transactions, as a client can.
fn total_of_list<'r>(preferred: &str, rows: impl Iterator<Item = &'r Value>) -> Total {
    let mut total = Total::default();
    for row in rows {
        let own = cents(row);
        let converted =
            if row["currency"] == preferred { Some(own) } else { row.get("converted").map(cents) };
        match converted {
            Some(cents) => {
                total.cents += cents;
                total.count += 1;
            }
            None => {
                let currency = row["currency"].as_str().expect("a currency").to_owned();
                let entry = total.unconverted.entry(currency).or_default();
                entry.0 += own;
                entry.1 += 1;
            }
        }
    }
    total
}

/// Checks that every total with a filter equals the total of the income and expenses in the list with the same filter.
pub(super) async fn check(
    app: &App,
    token: &str,
    household: &Household,
    model: &Model<'_>,
    parameters: &Parameters,
) -> Result<(), TestCaseError> {
    let page = app.get(&format!("/v1/transactions?{}", parameters.list_query()), token).await.ok();
    prop_assert_eq!(&page["pagination"]["hasMore"], false);
    let listed = page["transactions"].as_array().expect("rows");
    let excluded: Vec<&str> = match parameters.include_excluded || parameters.filter.categories.is_some() {
        true => Vec::new(),
        false => household.user.excluded_categories.iter().map(|category| category.as_str()).collect(),
    };
    let preferred = household.user.preferred_currency.to_string();
    let rows_of = |wanted: &'static str| {
        let excluded = excluded.clone();
        listed.iter().filter(move |row| {
            row["type"] == wanted && !excluded.iter().any(|category| row["category"] == *category)
        })
    };
    let expense = total_of_list(&preferred, rows_of("EXPENSE"));
    let income = total_of_list(&preferred, rows_of("INCOME"));
    prop_assert_eq!(&expense, &model.total(model.counted(TransactionType::Expense, &parameters.counting())));
    prop_assert_eq!(&income, &model.total(model.counted(TransactionType::Income, &parameters.counting())));

    let query = parameters.query();
    let get = async |path: &str| app.get(&format!("{path}?{query}"), token).await.ok();
    let month = async |path: &str| app.get(&format!("{path}?{query}&groupBy=month"), token).await.ok();
    let cashflow = month("/v1/cashflow/summary").await;
    prop_assert_eq!(cents(&cashflow["expenseTotal"]), expense.cents);
    prop_assert_eq!(cents(&cashflow["incomeTotal"]), income.cents);
    prop_assert_eq!(unconverted(&cashflow, Some("EXPENSE")), expense.unconverted.clone());
    prop_assert_eq!(unconverted(&cashflow, Some("INCOME")), income.unconverted.clone());
    prop_assert_eq!(&cashflow["excludedCategories"], &json!(excluded));
    check_cashflow_parts(&cashflow, &rows_of, &preferred)?;

    let summary = month("/v1/spending/summary").await;
    prop_assert_eq!(cents(&summary["totalExpense"]), expense.cents);
    let refunds = rows_of("INCOME").filter(|row| row["category"] == "REFUND");
    prop_assert_eq!(cents(&summary["totalRefunds"]), total_of_list(&preferred, refunds).cents);
    prop_assert_eq!(&summary["excludedCategories"], &json!(excluded));
    check_summary(&summary, &expense, model, parameters)?;

    let categories = month("/v1/spending/categories").await;
    prop_assert_eq!(&categories["excludedCategories"], &json!(excluded));
    check_categories(&categories, &expense, model, parameters)?;
    let refunds = refunds_of_list(app, token, parameters, &preferred, &excluded).await;
    let stated = categories["categories"].as_array().expect("a list").iter();
    let stated = stated.filter_map(|entry| Some((word(entry), cents(entry.get("refunds")?)))).collect();
    prop_assert_eq!(refunds, stated);
    for entry in categories["categories"].as_array().expect("a list") {
        let periods = entry["periods"].as_array().expect("months");
        prop_assert_eq!(
            periods.iter().map(|period| cents(&period["total"])).sum::<i64>(),
            cents(&entry["total"])
        );
        for period in periods {
            let rows = rows_of("EXPENSE")
                .filter(|row| row["category"] == entry["category"] && in_month(row, &period["period"]));
            prop_assert_eq!(cents(&period["total"]), total_of_list(&preferred, rows).cents);
        }
    }
    let merchants = get("/v1/spending/merchants/top").await;
    prop_assert_eq!(cents(&merchants["totalExpense"]), expense.cents);
    prop_assert_eq!(&merchants["excludedCategories"], &json!(excluded));
    check_merchants(&merchants, model, parameters)
}

fn word(entry: &Value) -> String {
    entry["category"].as_str().expect("a category").to_owned()
}

/// Adds up the refunds in a list of transactions by the category of the refunded purchase. The filter by category, and
/// the excluded categories, are those of the purchase; the other filters select refunds.
async fn refunds_of_list(
    app: &App,
    token: &str,
    parameters: &Parameters,
    preferred: &str,
    excluded: &[&str],
) -> BTreeMap<String, i64> {
    let list = async |query: &str| {
        let page = app.get(&format!("/v1/transactions?{query}"), token).await.ok();
        assert_eq!(page["pagination"]["hasMore"], false);
        page["transactions"].as_array().expect("rows").clone()
    };
    let every_day = list("pageSize=200").await;
    let purchase = |refund: &Value| {
        let id = refund.get("linked_transaction_id")?;
        every_day.iter().find(|row| row["id"] == *id && row["type"] == "EXPENSE").map(word)
    };
    let filter = Filter { categories: None, ..parameters.filter.clone() };
    let rows = list(&Parameters { filter, ..parameters.clone() }.list_query()).await;
    let named = parameters.filter.categories.as_ref();
    let counts =
        |category: &str| named.map_or(!excluded.contains(&category), |named| named.contains(&category));
    let mut refunds: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row["category"] == "REFUND") {
        if let Some(category) = purchase(row).filter(|category| counts(category)) {
            refunds.entry(category).or_default().push(row);
        }
    }
    let totals =
        refunds.into_iter().map(|(category, rows)| (category, total_of_list(preferred, rows.into_iter())));
    totals.filter(|(_, total)| total.count > 0).map(|(category, total)| (category, total.cents)).collect()
}

fn in_month(row: &Value, period: &Value) -> bool {
    row["date"].as_str().expect("a day").starts_with(period.as_str().expect("a month"))
}

/// Checks the income by category and the months of a cashflow summary.
fn check_cashflow_parts<'r, R: Iterator<Item = &'r Value>>(
    cashflow: &Value,
    rows_of: &impl Fn(&'static str) -> R,
    preferred: &str,
) -> Result<(), TestCaseError> {
    for entry in cashflow["incomeCategories"].as_array().expect("a list") {
        let rows = rows_of("INCOME").filter(|row| row["category"] == entry["category"]);
        let total = total_of_list(preferred, rows);
        prop_assert_eq!(cents(&entry["total"]), total.cents);
        prop_assert_eq!(entry["transactionCount"].as_i64(), Some(total.count));
        prop_assert_eq!(unconverted(entry, None), total.unconverted);
    }
    let periods = cashflow["periods"].as_array().expect("months");
    for (field, transaction_type) in [("incomeTotal", "INCOME"), ("expenseTotal", "EXPENSE")] {
        prop_assert_eq!(
            periods.iter().map(|period| cents(&period[field])).sum::<i64>(),
            cents(&cashflow[field])
        );
        for period in periods {
            let rows = rows_of(transaction_type).filter(|row| in_month(row, &period["period"]));
            prop_assert_eq!(cents(&period[field]), total_of_list(preferred, rows).cents);
        }
    }
    for period in periods {
        prop_assert_eq!(
            cents(&period["net"]),
            cents(&period["incomeTotal"]) - cents(&period["expenseTotal"])
        );
    }
    Ok(())
}
