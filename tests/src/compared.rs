//! Compares the answers of the store with those of the ledger in memory, which has the same rows.

use std::sync::Arc;

use passbook_domain::access::Credential;
use passbook_ledger_kit::{
    LedgerData, MemoryLedger, OpenLedger, Random, StoredPerson, TestGrants, answer, answer_tool,
};
use uuid::Uuid;

use crate::app::{create_token, token_credential};
use crate::database::Database;
use crate::stored_data::store;
use crate::stored_rows;

/// Number of random calls of each operation that can be filtered.
const CALLS: usize = 6;

/// A parameter of a call.
type Parameter = (&'static str, String);

/// Reads the rows of the tables into a ledger in memory, and compares it with the store in operations that need no
/// balances and no wallets.
pub async fn compare_stored_rows(database: &Database, seed: u64, place: &str) {
    let superuser = database.connect("postgres").await;
    let data = stored_rows::read(&superuser).await;
    let of_assets = ["banks_status", "portfolio", "portfolio_history"];
    compare(&of_assets, database, &data, &mut Random::new(seed), place).await;
}

/// Asserts that both ledgers give the same answer to every operation but those in `without`, for every person of the data.
pub async fn compare(
    without: &[&str],
    database: &Database,
    data: &LedgerData,
    random: &mut Random,
    place: &str,
) {
    let stored = store(database, data);
    let memory = Arc::new(MemoryLedger::for_tests(data.clone()));
    let writer = database.connect(passbook_schema::WRITER).await;
    for person in &data.people {
        let (_, token) = create_token(&writer, person.id).await;
        let open = |ledger, credential: Credential| OpenLedger { ledger, credential };
        let stored = open(stored.clone(), token_credential(person.id, token));
        let memory = open(memory.clone(), TestGrants::credential(person.id));
        for (operation, parameters) in calls(random, person) {
            if without.contains(&operation) {
                continue;
            }
            let parameters: Vec<(&str, &str)> =
                parameters.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let expected = answer(&memory, operation, &parameters).await;
            let found = answer(&stored, operation, &parameters).await;
            assert_eq!(found, expected, "{place}: {operation} {parameters:?}");
        }
        // The tool alone has the planned expenses of the current month.
        let expected = answer_tool(&memory, "budget_summary", &serde_json::json!({})).await;
        let found = answer_tool(&stored, "budget_summary", &serde_json::json!({})).await;
        assert_eq!(found, expected, "{place}: budget_summary as a tool");
    }
}

fn calls(random: &mut Random, person: &StoredPerson) -> Vec<(&'static str, Vec<Parameter>)> {
    let mut calls: Vec<(&'static str, Vec<Parameter>)> = Vec::new();
    for operation in ["me", "preferences", "banks_status", "budget_categories", "portfolio"] {
        calls.push((operation, Vec::new()));
    }
    for (year, month) in [("2026", "11"), ("2026", "4"), ("2025", "2")] {
        calls.push(("budget_summary", vec![("year", year.to_owned()), ("month", month.to_owned())]));
    }
    for as_of in ["2026-11-21", "2026-06-30"] {
        let parameters = [("asOf", as_of), ("minConfidence", "0"), ("status", "ACTIVE,OVERDUE,ENDED")];
        for kind in ["EXPENSE", "INCOME"] {
            let parameters = [&parameters[..], &[("types", kind)]].concat();
            let parameters = parameters.into_iter().map(|(name, value)| (name, value.to_owned()));
            calls.push(("recurring_payments", parameters.collect()));
        }
    }
    for _ in 0..CALLS {
        for (operation, groups) in [
            ("cashflow_summary", &["none", "month"][..]),
            ("spending_summary", &["none", "month", "week"]),
            ("spending_categories", &["none", "month", "ownCategory", "tag", "account"]),
            ("top_merchants", &[]),
        ] {
            let mut parameters = counted(random, person);
            if !groups.is_empty() {
                parameters.push(("groupBy", (*random.pick(groups)).to_owned()));
            }
            calls.push((operation, parameters));
        }
        calls.push(("transactions", listed(random, person)));
        let mut parameters = range(random);
        parameters.push(("interval", (*random.pick(&["auto", "day", "week", "month"])).to_owned()));
        parameters.push(("by", (*random.pick(&["total", "account", "type"])).to_owned()));
        calls.push(("portfolio_history", parameters));
    }
    calls
}

fn range(random: &mut Random) -> Vec<Parameter> {
    let ranges: [&[(&str, &str)]; 13] = [
        &[("timeRange", "all")],
        &[("timeRange", "1m")],
        &[("timeRange", "3m")],
        &[("timeRange", "1y")],
        &[("period", "last-month")],
        &[("period", "this-quarter")],
        &[("period", "last-12-months")],
        &[("dateFrom", "2026-03-01"), ("dateTo", "2026-05-31")],
        &[("dateFrom", "2026-06-15")],
        &[("dateTo", "2025-12-31")],
        &[("dateFrom", "2026-10-05"), ("dateTo", "2026-10-20")],
        &[("dateFrom", "2025-01-01"), ("dateTo", "2026-12-31")],
        &[("dateFrom", "2026-11-21"), ("dateTo", "2026-11-21")],
    ];
    random.pick(&ranges).iter().map(|(name, value)| (*name, (*value).to_owned())).collect()
}

/// Returns a range and the filters that totals and lists share.
fn filtered(random: &mut Random, person: &StoredPerson) -> Vec<Parameter> {
    let mut parameters = range(random);
    if random.one_in(3) {
        let categories =
            ["VACATION", "RENT,GROCERIES,SALARY", "CLOTHING,REFUND", "VACATION,TRANSFER_OUT", "TAXES"];
        parameters.push(("categories", (*random.pick(&categories)).to_owned()));
    }
    if random.one_in(3) {
        let mut accounts: Vec<Uuid> = person.transactions.iter().filter_map(|row| row.account_id).collect();
        accounts.sort();
        accounts.dedup();
        let ids: Vec<String> = accounts.iter().take(2).map(Uuid::to_string).collect();
        if !ids.is_empty() {
            parameters.push(("accountIds", ids.join(",")));
        }
    }
    if random.one_in(3) {
        let texts = ["cafe", "CAFÉ", "%", "miete marz", "\u{301}", "e_b", "mit zoe"];
        parameters.push(("merchantQuery", (*random.pick(&texts)).to_owned()));
    }
    for (name, values) in [
        ("ownCategories", ["haus", "Reise,cafe"]),
        ("tags", ["ETE 2026", "no such tag,ete zwei"]),
        ("merchants", ["cafe", "zoo,m"]),
    ] {
        if random.one_in(4) {
            parameters.push((name, (*random.pick(&values)).to_owned()));
        }
    }
    parameters
}

fn counted(random: &mut Random, person: &StoredPerson) -> Vec<Parameter> {
    let mut parameters = filtered(random, person);
    for name in ["includePending", "includeExcluded"] {
        if random.one_in(2) {
            parameters.push((name, random.one_in(2).to_string()));
        }
    }
    parameters
}

fn listed(random: &mut Random, person: &StoredPerson) -> Vec<Parameter> {
    let mut parameters = filtered(random, person);
    let sorts = ["date_desc", "date_asc", "amount_desc", "amount_asc"];
    parameters.push(("sort", (*random.pick(&sorts)).to_owned()));
    parameters.push(("pageSize", (*random.pick(&["3", "200"])).to_owned()));
    for (name, values) in [
        ("showInternalTransfers", &["true", "false"][..]),
        ("pending", &["true", "false"]),
        ("types", &["EXPENSE", "INCOME"]),
        ("minAmountCents", &["1000", "500000"]),
        ("maxAmountCents", &["2000000"]),
    ] {
        if random.one_in(3) {
            parameters.push((name, (*random.pick(values)).to_owned()));
        }
    }
    if random.one_in(3) && !person.transactions.is_empty() {
        let row = random.pick(&person.transactions);
        parameters.push(("cursor", format!(r#"{{"date":"{}","id":"{}"}}"#, row.date, row.id)));
    }
    parameters
}
