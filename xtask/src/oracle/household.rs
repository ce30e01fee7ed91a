//! The people of the comparison, set up with the operator's own tool: three with a ledger in dollars each, and a
//! household with one in dollars and one in euros.

use std::path::PathBuf;

use super::folders::Folders;
use crate::command::{print_line, run_quietly};

/// Somebody whose totals are compared.
#[derive(Debug)]
pub(super) struct Person {
    name: &'static str,
    email: &'static str,
    currency: &'static str,
    /// Names and currencies of the ledgers.
    ledgers: &'static [(&'static str, &'static str)],
    token: String,
}

impl Person {
    /// What the comparison has to know.
    pub(super) fn plan(&self, folders: &Folders) -> serde_json::Value {
        let ledgers: Vec<serde_json::Value> = self
            .ledgers
            .iter()
            .map(|(name, currency)| {
                let file = folders.ledger(name).display().to_string();
                // In another currency than the person's, the reference needs the rates in the ledger itself.
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

/// Makes a fresh database with everybody in it.
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
        person.token = token(&printed).ok_or("the operator's tool must print the token it made")?.to_owned();
    }
    Ok(people)
}

fn admin(folders: &Folders, arguments: &[&str]) -> Result<String, String> {
    let program = folders.binary("passbook-admin").display().to_string();
    run_quietly(&program, arguments, &environment(folders))
}

/// What keeps the programs to our own folders.
pub(super) fn environment(folders: &Folders) -> [(&'static str, PathBuf); 2] {
    [("PASSBOOK_DATA_DIR", folders.data()), ("XDG_CONFIG_HOME", folders.settings())]
}

fn token(printed: &str) -> Option<&str> {
    printed.split_whitespace().find(|word| word.starts_with("pbk_"))
}
