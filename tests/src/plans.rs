//! The plans with which PostgreSQL executes the queries of the store.

use passbook_store::QUERIES;
use serde_json::Value;
use tokio_postgres::{Client, SimpleQueryMessage};

/// Returns the text of a query of the store.
pub fn sql(name: &str) -> &'static str {
    QUERIES.iter().find(|query| query.name == name).expect("the query exists").sql
}

/// Executes a query of the store as a prepared statement, in a transaction that `open` begins. Returns the output of `explain`:
/// the plan with its counts, and the compilation.
pub async fn explained(reader: &Client, open: &str, name: &str, values: &str) -> Value {
    let statements = format!(
        "{open}; prepare examined as {}; \
         explain (analyze, buffers, timing off, summary off, format json) execute examined ({values}); \
         deallocate examined; commit",
        sql(name)
    );
    let messages = reader.simple_query(&statements).await;
    let messages = messages.unwrap_or_else(|error| panic!("{name} ({values}): {error:?}"));
    let text = messages.iter().rev().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    });
    let output: Value = serde_json::from_str(text.expect("a plan")).expect("JSON");
    output[0].clone()
}

/// Returns the number of blocks that the execution of a plan read.
pub fn blocks(plan: &Value) -> u64 {
    ["Shared Hit Blocks", "Shared Read Blocks"].iter().filter_map(|key| plan[*key].as_u64()).sum()
}

/// Returns the executed nodes of a plan that read a table.
pub fn scans(plan: &Value) -> Vec<&Value> {
    let is_executed = plan["Actual Loops"].as_f64().is_some_and(|loops| loops > 0.0);
    let own = (is_executed && plan["Relation Name"].is_string()).then_some(plan);
    let below = plan["Plans"].as_array().into_iter().flatten().flat_map(scans);
    own.into_iter().chain(below).collect()
}

/// Returns the executed nodes of a plan that read transactions.
pub fn scans_of_transactions(plan: &Value) -> Vec<&Value> {
    scans(plan).into_iter().filter(|scan| scan["Relation Name"] == "transactions").collect()
}
