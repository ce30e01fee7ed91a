//! A command line without HTTP: prints the result of any operation as tables.
//!
//! `passbook-table-cli OPERATION [NAME=VALUE]...`, for example `passbook-table-cli top_merchants timeRange=1y`. `LEDGER`
//! is the path of the file that `own_ledger` reads, and `PERSON` the name of the person at the terminal.

use std::error::Error;
use std::sync::Arc;

use passbook_domain::access::{Credential, GrantReference, SessionId};
use passbook_domain::person::UserId;
use passbook_operations::{Catalogue, ParameterValue, Service};
use passbook_own_ledger_host::books::Books;
use serde_json::{Map, Value};
use uuid::Uuid;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (operation, parameters) = arguments.split_first().ok_or("name an operation")?;
    let books = Books::read(&std::fs::read_to_string(setting("LEDGER")?)?)?;
    let wanted = setting("PERSON")?;
    let person = books.people().into_iter().find(|(_, name)| *name == wanted);
    let (person, _) = person.ok_or_else(|| format!("the ledger has no person {wanted:?}"))?;
    let credential = credential(person, &books.sign_in(person))?;
    let text = table(Arc::new(books), &credential, operation, parameters).await?;
    print_text(&text);
    Ok(())
}

/// Returns the credential of the person at the terminal: a session of this program.
fn credential(person: Uuid, session: &str) -> Result<Credential, passbook_domain::Invalid> {
    Ok(Credential::new(at_the_terminal(person), GrantReference::Host { id: SessionId::parse(session)? }))
}

#[expect(clippy::disallowed_methods, reason = "the system has authenticated the person at the terminal")]
fn at_the_terminal(person: Uuid) -> UserId {
    UserId::from_authenticated(person)
}

/// Runs an operation by its identifier and writes its result as tables.
#[expect(clippy::disallowed_methods, reason = "a command line has no pipeline: it serves nobody else")]
async fn table(
    books: Arc<Books>,
    credential: &Credential,
    operation: &str,
    parameters: &[String],
) -> Result<String, String> {
    let catalogue = Catalogue::default();
    let entry = catalogue.entries().iter().find(|entry| entry.spec.id == operation);
    let entry = entry.ok_or_else(|| {
        let ids: Vec<&str> = catalogue.entries().iter().map(|entry| entry.spec.id).collect();
        format!("there is no operation {operation:?}: name one of {}", ids.join(", "))
    })?;
    let pair = |text: &String| {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        (name.to_owned(), ParameterValue::Text(value.to_owned()))
    };
    let parameters: Vec<_> = parameters.iter().map(pair).collect();
    let json = entry.execute(&Service::new(books.ledger()), credential, &parameters).await;
    let json = json.map_err(|error| error.public())?;
    let result: Value = serde_json::from_slice(&json).map_err(|error| error.to_string())?;
    let mut text = String::new();
    match &result {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::Array(rows) if rows.is_empty() => {}
                    Value::Array(rows) => text.push_str(&format!("\n{name}\n{}", rows_as_table(rows))),
                    value => text.push_str(&format!("{name}: {}\n", cell(value))),
                }
            }
        }
        Value::Array(rows) => text.push_str(&rows_as_table(rows)),
        value => text.push_str(&format!("{}\n", cell(value))),
    }
    Ok(text)
}

/// Writes rows with aligned columns. A column is a member that a row has.
fn rows_as_table(rows: &[Value]) -> String {
    let members: Vec<Map<String, Value>> = rows
        .iter()
        .map(|row| {
            row.as_object().cloned().unwrap_or_else(|| Map::from_iter([("value".to_owned(), row.clone())]))
        })
        .collect();
    let mut columns: Vec<&String> = Vec::new();
    for name in members.iter().flat_map(Map::keys) {
        if !columns.contains(&name) {
            columns.push(name);
        }
    }
    let header = columns.iter().map(|name| (*name).clone()).collect();
    let cells = |row: &Map<String, Value>| {
        columns.iter().map(|name| row.get(*name).map_or_else(String::new, cell)).collect()
    };
    let lines: Vec<Vec<String>> = std::iter::once(header).chain(members.iter().map(cells)).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let line = |line: &Vec<String>| {
        let cells = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    lines.iter().map(line).collect()
}

/// Writes a value in one cell. Money is written with its currency.
fn cell(value: &Value) -> String {
    match (value, value.get("amount_cents").and_then(Value::as_i64), value["currency"].as_str()) {
        (_, Some(cents), Some(currency)) => {
            let sign = if cents < 0 { "-" } else { "" };
            format!("{sign}{}.{:02} {currency}", cents.unsigned_abs() / 100, cents.unsigned_abs() % 100)
        }
        (Value::String(text), ..) => text.clone(),
        (value, ..) => value.to_string(),
    }
}

#[expect(clippy::disallowed_methods, reason = "a host reads its own settings")]
fn setting(name: &str) -> Result<String, String> {
    std::env::var(name).map_err(|_| format!("{name} must be set"))
}

fn print_text(text: &str) {
    print!("{text}");
}
