//! Rules about totals of the same rows in several answers.

use serde_json::Value;

use super::calls::{OpenLedger, answer, describe};
use super::report::{Report, Rule};

const SUMS: Rule<'static> = Rule {
    name: "totals-of-the-same-rows-agree",
    sentence: "Cash flow, spending, categories, periods and merchants of a range have the same total of expenses, which is the sum of the listed rows. So do income and refunds.",
};
const SHARES: Rule<'static> = Rule {
    name: "shares-of-categories-are-100-percent",
    sentence: "The shares of all categories add up to exactly 100 percent of a total that is not 0.",
};
const BUDGETS: Rule<'static> = Rule {
    name: "budgets-spend-like-categories",
    sentence: "The budgets of a month that are not excluded have the totals of the spending categories of that month.",
};

const RANGES: [&[(&str, &str)]; 4] = [
    &[],
    &[("timeRange", "3m")],
    &[("dateFrom", "2026-01-05"), ("dateTo", "2026-02-21")],
    &[("dateFrom", "2026-03-10"), ("dateTo", "2026-04-02")],
];
/// Filters that lists and totals share.
const FILTERS: [&[(&str, &str)]; 3] =
    [&[], &[("merchantQuery", "cafe")], &[("categories", "RENT,GROCERIES,VACATION,REFUND,SALARY")]];

pub(super) async fn check(open: &OpenLedger, person: &str, report: &mut Report) {
    for range in RANGES {
        for included in ["true", "false"] {
            for filter in FILTERS {
                let shared = [range, filter].concat();
                let parameters =
                    [&shared[..], &[("includePending", included), ("includeExcluded", "true")]].concat();
                let call = describe(person, "every total", &parameters);
                let refunds = filter.is_empty();
                report.record(
                    SUMS,
                    call,
                    agree(open, &shared, &parameters, included == "true", refunds).await,
                );
            }
        }
        let categories = answer(open, "spending_categories", range).await;
        report.record(SHARES, describe(person, "spending_categories", range), shares(&categories));
    }
    let preferences = answer(open, "preferences", &[]).await;
    let today = preferences["today"].as_str().expect("a day");
    for (month, last) in [("1", "2026-01-31"), ("2", "2026-02-28"), ("11", "2026-11-30")] {
        let parameters = [("year", "2026"), ("month", month)];
        let budgets = answer(open, "budget_summary", &parameters).await;
        let first = format!("{}01", &last[..8]);
        // The current month ends today.
        let last = if first.as_str() <= today { last.min(today) } else { last };
        let range = [("dateFrom", first.as_str()), ("dateTo", last)];
        let categories = answer(open, "spending_categories", &range).await;
        let counted = |entry: &Value| if entry["excluded"] == true { 0 } else { cents(&entry["total"]) };
        let (spent, expected) = (sum(&budgets, counted), cents(&categories["totalExpense"]));
        let result = equal("the budgets", expected, spent);
        report.record(BUDGETS, describe(person, "budget_summary", &parameters), result);
    }
}

async fn agree(
    open: &OpenLedger,
    shared: &[(&str, &str)],
    parameters: &[(&str, &str)],
    with_pending: bool,
    lists_refunds: bool,
) -> Result<(), String> {
    let mut listing = [shared, &[("types", "EXPENSE,INCOME"), ("pageSize", "200")]].concat();
    listing.extend((!with_pending).then_some(("pending", "false")));
    let list = answer(open, "transactions", &listing).await;
    let preferred = answer(open, "preferences", &[]).await["preferredCurrency"].clone();
    let converted = |row: &Value| match row.get("converted") {
        Some(money) => cents(money),
        None if row["currency"] == preferred => cents(row),
        None => 0,
    };
    let of_type = |wanted: &str| {
        sum(&list["transactions"], |row| if row["type"] == wanted { converted(row) } else { 0 })
    };
    let (income, expense) = (of_type("INCOME"), of_type("EXPENSE"));
    let cashflow = answer(open, "cashflow_summary", parameters).await;
    let months = answer(open, "cashflow_summary", &[parameters, &[("groupBy", "month")]].concat()).await;
    let spending = answer(open, "spending_summary", parameters).await;
    let categories = answer(open, "spending_categories", parameters).await;
    let merchants = answer(open, "top_merchants", parameters).await;
    // Filters select the purchase of a refund, which may be in no list of the range.
    let refunds = match lists_refunds {
        true => {
            sum(&list["transactions"], |row| if row["category"] == "REFUND" { converted(row) } else { 0 })
        }
        false => cents(&spending["totalRefunds"]),
    };
    let total = |list: &Value, member: &str| sum(list, |entry| cents(&entry[member]));
    for (place, expected, found) in [
        ("expenseTotal of cashflow_summary", expense, cents(&cashflow["expenseTotal"])),
        ("incomeTotal of cashflow_summary", income, cents(&cashflow["incomeTotal"])),
        ("net of cashflow_summary", income - expense, cents(&cashflow["net"])),
        ("the income of categories", income, total(&cashflow["incomeCategories"], "total")),
        ("the income of months", income, total(&months["periods"], "incomeTotal")),
        ("the expenses of months", expense, total(&months["periods"], "expenseTotal")),
        ("totalExpense of spending_summary", expense, cents(&spending["totalExpense"])),
        ("totalRefunds of spending_summary", refunds, cents(&spending["totalRefunds"])),
        ("netSpending of spending_summary", expense - refunds, cents(&spending["netSpending"])),
        ("the periods of spending_summary", expense, total(&spending["periods"], "totalExpense")),
        ("totalExpense of spending_categories", expense, cents(&categories["totalExpense"])),
        ("the categories of spending_categories", expense, total(&categories["categories"], "total")),
        ("totalRefunds of spending_categories", refunds, cents(&categories["totalRefunds"])),
        (
            "the refunds of spending_categories",
            refunds,
            total(&categories["categories"], "refunds") + cents(&categories["unlinkedRefunds"]),
        ),
        ("refunds of top_merchants", refunds, cents(&merchants["refunds"])),
        ("net of top_merchants", expense - refunds, cents(&merchants["net"])),
        ("totalExpense of top_merchants", expense, cents(&merchants["totalExpense"])),
    ] {
        equal(place, expected, found)?;
    }
    Ok(())
}

fn shares(categories: &Value) -> Result<(), String> {
    // A percentage has two decimals.
    let hundredths = |entry: &Value| (entry["percentOfTotal"].as_f64().unwrap_or(0.0) * 100.0).round() as i64;
    let expected = if cents(&categories["totalExpense"]) > 0 { 10_000 } else { 0 };
    equal("the shares in hundredths", expected, sum(&categories["categories"], hundredths))
}

fn equal(place: &str, expected: i64, found: i64) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{place}: expected the sum of the list, {expected} cents, found {found}"))
}

pub(super) fn cents(money: &Value) -> i64 {
    money["amount_cents"].as_i64().unwrap_or(0)
}

fn sum(list: &Value, number: impl Fn(&Value) -> i64) -> i64 {
    list.as_array().into_iter().flatten().map(number).sum()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::shares;

    #[test]
    fn shares_that_miss_a_hundredth_are_reported() {
        for (total, parts, is_right) in
            [(3, [33.34, 66.66], true), (3, [33.33, 66.66], false), (0, [0.0, 0.0], true)]
        {
            let categories = parts.map(|part| json!({ "percentOfTotal": part }));
            let found = json!({ "totalExpense": { "amount_cents": total }, "categories": categories });
            assert_eq!(shares(&found).is_ok(), is_right, "{parts:?}");
        }
    }
}
