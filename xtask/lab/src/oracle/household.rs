//! Creates the users of the comparison with `passbook-admin`: three with a ledger in dollars each, one with the example
//! ledger of the documents, and one with a ledger in dollars and a ledger in euros.

use std::path::PathBuf;

use super::folders::Folders;
use crate::command::{print_line, run_quietly};

/// A user whose totals are compared.
#[derive(Debug)]
pub(super) struct Person {
    name: &'static str,
    email: &'static str,
    currency: &'static str,
    /// Name and currency of each ledger of the user.
    ledgers: &'static [(&'static str, &'static str)],
    token: String,
}

impl Person {
    /// Returns the part of the input of `compare.py` that describes this user.
    pub(super) fn plan(&self, folders: &Folders) -> serde_json::Value {
        let ledgers: Vec<serde_json::Value> = self
            .ledgers
            .iter()
            .map(|(name, currency)| {
                let file = folders.ledger(name).display().to_string();
                // Beancount converts with rates in the ledger itself, for a ledger in a foreign currency.
                let rated =
                    if *currency == self.currency { name.to_string() } else { format!("{name}-rates") };
                let rated = folders.ledger(&rated).display().to_string();
                serde_json::json!({ "name": name, "file": file, "rated": rated, "currency": currency })
            })
            .collect();
        serde_json::json!({
            "name": self.name, "token": self.token, "currency": self.currency, "ledgers": ledgers
        })
    }
}

/// Creates a new database with all users and their ledgers. Returns the users.
pub(super) fn people(folders: &Folders) -> Result<Vec<Person>, String> {
    let data = folders.data();
    if data.exists() {
        std::fs::remove_dir_all(&data).map_err(|error| format!("{}: {error}", data.display()))?;
    }
    let person =
        |name, email, currency, ledgers| Person { name, email, currency, ledgers, token: String::new() };
    let mut people = vec![
        person("seed 42", "seed42@example.org", "USD", &[("42", "USD")]),
        person("seed 7", "seed7@example.org", "USD", &[("7", "USD")]),
        person("seed 1", "seed1@example.org", "USD", &[("1", "USD")]),
        person("example", "example@example.org", "EUR", &[("example", "EUR")]),
        person("household", "household@example.org", "EUR", &[("42", "USD"), ("7-eur", "EUR")]),
    ];
    print_line("setting up the database");
    admin(folders, &["migrate"])?;
    admin(folders, &["rates", "load", &folders.rates().display().to_string()])?;
    for person in &mut people {
        let email = person.email;
        admin(folders, &["user", "create", "--email", email, "--currency", person.currency])?;
        for (ledger, _) in person.ledgers {
            let file = folders.ledger(ledger).display().to_string();
            print_line(&format!("importing ledger {ledger} for {}", person.name));
            admin(folders, &["import", "beancount", &file, "--user", email, "--ledger", ledger])?;
        }
        let printed = admin(folders, &["token", "create", "--user", email, "--name", "oracle"])?;
        person.token = token(&printed).ok_or("passbook-admin printed no token")?.to_owned();
    }
    Ok(people)
}

fn admin(folders: &Folders, arguments: &[&str]) -> Result<String, String> {
    let program = folders.binary("passbook-admin").display().to_string();
    run_quietly(&program, arguments, &environment(folders))
}

/// Returns environment variables that restrict the programs to the folders of the comparison.
pub(super) fn environment(folders: &Folders) -> [(&'static str, PathBuf); 2] {
    [("PASSBOOK_DATA_DIR", folders.data()), ("XDG_CONFIG_HOME", folders.settings())]
}

fn token(printed: &str) -> Option<&str> {
    printed.split_whitespace().find(|word| word.starts_with("pbk_"))
}
