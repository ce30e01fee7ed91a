//! The `try` line of a demo returns the totals of the transactions that the same demo lists.

use std::process::Command;
use std::sync::Arc;

use hyper::Method;
use passbook_domain::Money;
use passbook_domain::category::{Category, ExpenseCategory};
use passbook_domain::transaction::{Transaction, TransactionType};
use passbook_ledger_kit::{LedgerData, MemoryLedger, OpenLedger, Rate, StoredPerson, TestGrants};
use passbook_records::record::Record;
use serde_json::Value;
use uuid::Uuid;

use crate::household::{day, parse_currency};
use crate::http::{Http, query};
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
            return assert_totals(&answer, &rows, &excluded, &today).await;
        }
    }
    panic!("the day changed twice");
}

/// Runs a line with `curl`, which must succeed. Returns its output, which must be JSON.
pub fn run_in_shell(line: &str) -> Value {
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

async fn assert_totals(answer: &Value, rows: &[Value], excluded: &Value, today: &str) {
    assert!(rows.len() > 40, "expected more than 40 rows on several pages, found {}", rows.len());
    assert!(rows.iter().any(|row| row["currency"] == "USD"), "the rows must include a second currency");
    let mut data = LedgerData::new(day(today));
    data.rates.extend(passbook_demo::household(day(today)).into_iter().filter_map(|located| {
        let Record::ExchangeRate(rate) = located.record else { return None };
        let units_per_base = rate.units_per_base.to_string();
        Some(Rate { currency: rate.currency, day: rate.as_of, units_per_base })
    }));
    let mut person = StoredPerson::new(Uuid::from_u128(1), "demo");
    let excluded = excluded.as_array().expect("a list").iter();
    person.excluded_categories = excluded
        .map(|category| ExpenseCategory::parse(category.as_str().expect("text")).expect("a word"))
        .collect();
    for (number, row) in (1..).zip(rows) {
        let text = |name: &str| row[name].as_str().expect("text");
        let kind = TransactionType::parse(text("type")).expect("a type");
        let category = Category::parse(text("category")).expect("a category");
        let cents = row["amount_cents"].as_i64().expect("cents");
        let amount = Money::new(cents, parse_currency(text("currency")));
        let (id, date) = (Uuid::from_u128(number), day(text("date")));
        person.transactions.push(Transaction::new(id, date, kind, category, amount, "Row"));
    }
    let credential = TestGrants::credential(person.id);
    data.people.push(person);
    let open = OpenLedger { ledger: Arc::new(MemoryLedger::for_tests(data)), credential };
    let expected = passbook_ledger_kit::answer(&open, "cashflow_summary", &[]).await;
    for member in ["incomeTotal", "expenseTotal", "net", "unconverted"] {
        assert_eq!(answer.get(member), expected.get(member), "{member}");
    }
}
