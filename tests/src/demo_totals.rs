//! The `try` line of a demo returns the totals of the transactions that the same demo lists.

use std::process::Command;

use crate::household::{Household, day};
use crate::http::{Http, query};
use crate::model::{Counting, Model, Total};
use hyper::Method;
use passbook_domain::category::Category;
use passbook_domain::transaction::TransactionType;
use passbook_records::record::{ExchangeRate, Record};
use serde_json::{Value, json};

use crate::server_process::value;

/// Runs the `try` line in a shell. Compares its totals with the rows of the same days, listed page by page and
/// converted one by one.
pub async fn assert_try_line_totals(lines: &[String]) {
    let demo =
        Demo { base: value(&lines[1], "base"), token: value(&lines[4], "token"), http: Http::default() };
    // The day may change between the requests, but not in both attempts.
    for _ in 0..2 {
        let today = demo.today().await;
        let answer = run_in_shell(value(&lines[5], "try"));
        let rows = demo.rows().await;
        if demo.today().await == today {
            let excluded = demo.get("/v1/preferences").await["excluded_categories"].clone();
            return assert_totals(&answer, &rows, &excluded, &today);
        }
    }
    panic!("the day changed twice");
}

fn run_in_shell(line: &str) -> Value {
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).env_clear().envs(std::env::vars_os().filter(|(name, _)| name == "PATH"));
    let output = shell.output().expect("the shell runs curl");
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{line}: {error}: {output:?}"))
}

struct Demo<'a> {
    base: &'a str,
    token: &'a str,
    http: Http,
}

impl Demo<'_> {
    async fn get(&self, target: &str) -> Value {
        let bearer = format!("Bearer {}", self.token);
        let url = format!("{}{target}", self.base);
        self.http.send(Method::GET, &url, &[("authorization", &bearer)]).await.ok()
    }

    async fn today(&self) -> String {
        let summary = self.get("/v1/spending/summary?timeRange=1m").await;
        summary["dateTo"].as_str().expect("the range is resolved").to_owned()
    }

    /// Every listed row of the last month.
    async fn rows(&self) -> Vec<Value> {
        let mut rows = Vec::new();
        let mut target = "/v1/transactions?timeRange=1m&pageSize=20".to_owned();
        loop {
            let page = self.get(&target).await;
            rows.extend(page["transactions"].as_array().expect("rows").iter().cloned());
            let next = &page["pagination"]["nextCursor"];
            if next.is_null() {
                return rows;
            }
            let cursor = query(&[("cursor", &next.to_string())]);
            target = format!("/v1/transactions?timeRange=1m&pageSize=20&{cursor}");
        }
    }
}

fn assert_totals(answer: &Value, rows: &[Value], excluded: &Value, today: &str) {
    assert!(rows.len() > 40, "expected more than 40 rows on several pages, found {}", rows.len());
    assert!(rows.iter().any(|row| row["currency"] == "USD"), "the rows must include a second currency");
    let mut household = Household::new();
    let text = |row: &Value, name: &str| row[name].as_str().expect("text").to_owned();
    for row in rows {
        let kind = TransactionType::parse(&text(row, "type")).expect("a type");
        let category = Category::parse(&text(row, "category")).expect("a category");
        let cents = row["amount_cents"].as_i64().expect("cents");
        household.row(&text(row, "date"), kind, category, cents, &text(row, "currency"));
    }
    household.user.excluded_categories = excluded
        .as_array()
        .expect("a list")
        .iter()
        .map(|category| {
            passbook_domain::category::ExpenseCategory::parse(category.as_str().expect("text"))
                .expect("a word")
        })
        .collect();
    let rates: Vec<ExchangeRate> = passbook_demo::household(day(today))
        .into_iter()
        .filter_map(|located| match located.record {
            Record::ExchangeRate(rate) => Some(rate),
            _ => None,
        })
        .collect();
    let model = Model::new(&household, &rates);
    let total = |wanted| model.total(model.counted(wanted, &Counting::everything()));
    let (income, expense) = (total(TransactionType::Income), total(TransactionType::Expense));
    let money = |cents: i64| json!({ "amount_cents": cents, "currency": "EUR" });
    assert_eq!(answer["incomeTotal"], money(income.cents));
    assert_eq!(answer["expenseTotal"], money(expense.cents));
    assert_eq!(answer["net"], money(income.cents - expense.cents));
    let unconverted: Vec<Value> = [("INCOME", &income), ("EXPENSE", &expense)]
        .into_iter()
        .flat_map(|(kind, total)| unconverted_entries(kind, total))
        .collect();
    let found = answer.get("unconverted").cloned().unwrap_or_else(|| json!([]));
    assert_eq!(found, json!(unconverted));
}

/// The expected `unconverted` entries of a total.
fn unconverted_entries(kind: &str, total: &Total) -> Vec<Value> {
    let entry = |(currency, (cents, count)): (&String, &(i64, i64))| json!({ "amount_cents": cents, "currency": currency, "transactionCount": count, "type": kind });
    total.unconverted.iter().map(entry).collect()
}
