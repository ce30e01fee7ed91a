//! Rules about totals of the same rows in several answers.

use serde_json::Value;

use crate::calls::{answer, describe};
use crate::report::{Report, Rule};
use crate::subject::{Grant, OpenLedger, Subject};

const SUMS: Rule<'static> = Rule {
    name: "totals-of-the-same-rows-agree",
    sentence: "Cash flow, spending, categories, periods and merchants of a range have the same total of expenses, which is the sum of the listed rows.",
};

const RANGES: [&[(&str, &str)]; 4] = [
    &[],
    &[("timeRange", "3m")],
    &[("dateFrom", "2026-01-05"), ("dateTo", "2026-02-21")],
    &[("dateFrom", "2026-03-10"), ("dateTo", "2026-04-02")],
];

pub(crate) async fn check(subject: &dyn Subject, report: &mut Report) {
    for person in ["ada", "bob"] {
        let open = subject.open(person, Grant::Full).expect("every person has a full grant");
        for range in RANGES {
            for included in ["true", "false"] {
                let parameters =
                    [range, &[("includePending", included), ("includeExcluded", "true")]].concat();
                let call = describe(person, "every total", &parameters);
                report.record(SUMS, call, agree(&open, range, &parameters, included == "true").await);
            }
        }
    }
}

async fn agree(
    open: &OpenLedger,
    range: &[(&str, &str)],
    parameters: &[(&str, &str)],
    with_pending: bool,
) -> Result<(), String> {
    let mut listing = [range, &[("types", "EXPENSE"), ("pageSize", "200")]].concat();
    listing.extend((!with_pending).then_some(("pending", "false")));
    let list = answer(open, "transactions", &listing).await;
    let preferred = answer(open, "preferences", &[]).await["preferredCurrency"].clone();
    let converted = |row: &Value| match row.get("converted") {
        Some(money) => cents(money),
        None if row["currency"] == preferred => cents(row),
        None => 0,
    };
    let cashflow = answer(open, "cashflow_summary", parameters).await;
    let spending = answer(open, "spending_summary", parameters).await;
    let categories = answer(open, "spending_categories", parameters).await;
    let merchants = answer(open, "top_merchants", parameters).await;
    let expected = sum(&list["transactions"], converted);
    for (place, found) in [
        ("expenseTotal of cashflow_summary", cents(&cashflow["expenseTotal"])),
        ("totalExpense of spending_summary", cents(&spending["totalExpense"])),
        (
            "the periods of spending_summary",
            sum(&spending["periods"], |period| cents(&period["totalExpense"])),
        ),
        ("totalExpense of spending_categories", cents(&categories["totalExpense"])),
        (
            "the categories of spending_categories",
            sum(&categories["categories"], |entry| cents(&entry["total"])),
        ),
        ("totalExpense of top_merchants", cents(&merchants["totalExpense"])),
    ] {
        if found != expected {
            return Err(format!("{place}: expected the sum of the list, {expected} cents, found {found}"));
        }
    }
    Ok(())
}

fn cents(money: &Value) -> i64 {
    money["amount_cents"].as_i64().unwrap_or(0)
}

fn sum(list: &Value, cents: impl Fn(&Value) -> i64) -> i64 {
    list.as_array().into_iter().flatten().map(cents).sum()
}
