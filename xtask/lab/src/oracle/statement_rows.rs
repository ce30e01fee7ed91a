//! Prints the bookings of files as JSON, one line per file, for the comparison with independent readers.
//!
//! Usage: `lab statement-rows ORDER FILE… [@PROFILE FILE…]…`; ORDER is `dmy` or `mdy` and is the order of days in files that
//! leave it open. PROFILE is the file with the profile of the CSV files behind it.

use passbook_statements::csv::Profile;
use passbook_statements::{DateOrder, ReadOptions, Statement, Unreadable, read};
use serde_json::{Value, json};

use crate::command::print_line;

/// Prints the bookings of the files that the command line names.
///
/// # Errors
/// A file cannot be read, or a profile is invalid.
pub(crate) fn run(words: &[String]) -> Result<(), String> {
    print(words).map_err(|error| error.to_string())
}

fn print(words: &[String]) -> std::io::Result<()> {
    let mut words = words.iter();
    let date_order = words.next().and_then(|order| DateOrder::parse(order));
    let mut options = ReadOptions::default();
    for file in words {
        if let Some(file) = file.strip_prefix('@') {
            options.profile = Some(profile(file)?);
            continue;
        }
        let bytes = std::fs::read(file)?;
        let outcome = match read(&bytes, &options) {
            Err(Unreadable::Choice(_)) => read(&bytes, &ReadOptions { date_order, ..options.clone() }),
            outcome => outcome,
        };
        let line = match outcome {
            Ok(statements) => {
                json!({ "file": file, "rows": rows(&statements), "balances": balances(&statements) })
            }
            Err(Unreadable::Faults(faults)) => {
                let faults: Vec<String> = faults.into_iter().map(|fault| fault.to_string()).collect();
                json!({ "file": file, "faults": faults })
            }
            Err(Unreadable::Choice(choice)) => {
                json!({ "file": file, "choice": choice.as_fault().to_string() })
            }
        };
        print_line(&line.to_string());
    }
    Ok(())
}

fn profile(file: &str) -> std::io::Result<Profile> {
    let text = std::fs::read_to_string(file)?;
    Profile::parse(&text, file).map_err(|fault| std::io::Error::other(fault.to_string()))
}

fn rows(statements: &[Statement]) -> Vec<Value> {
    let rows = statements.iter().flat_map(|statement| {
        let account = &statement.account;
        let name = account.iban.as_ref().or(account.number.as_ref()).or(account.name.as_ref());
        statement.entries.iter().map(move |entry| {
            let currency = entry.currency.or(account.currency).map(|currency| currency.to_string());
            let pending = entry.status == passbook_statements::LineState::Pending;
            json!({
                "account": name, "day": entry.booked.to_string(), "cents": entry.cents, "currency": currency,
                "id": entry.id.as_ref().map(|id| &id.text), "pending": pending, "format": statement.format.as_str(),
            })
        })
    });
    rows.collect()
}

fn balances(statements: &[Statement]) -> Vec<Value> {
    let all = statements.iter().flat_map(|statement| &statement.balances);
    all.map(|balance| json!({ "kind": format!("{:?}", balance.kind), "cents": balance.cents })).collect()
}
