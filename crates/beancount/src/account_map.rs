//! Maps the accounts of a ledger to categories and account types.
//!
//! The defaults are a TOML file of this crate, and a person's own file has the same form. The head of
//! `crates/beancount/data/accounts.toml` explains how patterns match.

use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use passbook_domain::portfolio::AccountType;
use passbook_input::{Fault, Faults};

use passbook_records::FAULTS_LISTED_MAX;

const BUILT_IN: &str = include_str!("../data/accounts.toml");

/// Maps account names to categories and account types.
#[derive(Clone, Debug, Default)]
pub struct AccountMap {
    expense: Patterns<ExpenseCategory>,
    income: Patterns<IncomeCategory>,
    assets: Patterns<(AccountType, String)>,
    liabilities: Patterns<(AccountType, String)>,
}

impl AccountMap {
    /// Returns the default map.
    pub fn built_in() -> AccountMap {
        let mut map = AccountMap::default();
        map.read(BUILT_IN, "the built-in account map").expect("the built-in map is tested");
        map
    }

    /// Reads a person's own map and adds it to the default map. The person's value replaces the default value of the
    /// same pattern.
    ///
    /// # Errors
    ///
    /// Every fault of the file. `place` is the file's name in the faults.
    pub fn from_toml(text: &str, place: &str) -> Result<AccountMap, Faults> {
        let mut map = AccountMap::built_in();
        map.read(text, place)?;
        Ok(map)
    }

    /// Returns the category of money spent under an account name.
    pub(super) fn expense(&self, account: &str) -> Option<ExpenseCategory> {
        self.expense.find(account).copied()
    }

    /// Returns the category of money received under an account name.
    pub(super) fn income(&self, account: &str) -> Option<IncomeCategory> {
        self.income.find(account).copied()
    }

    /// Returns the type and subtype of an account under Assets or, for `liability`, under Liabilities. An asset account
    /// that holds securities is always an investment account.
    pub(super) fn own_account(
        &self,
        account: &str,
        liability: bool,
        securities: bool,
    ) -> (AccountType, String) {
        if liability {
            let other = (AccountType::Other, "liability".to_owned());
            return self.liabilities.find(account).cloned().unwrap_or(other);
        }
        match self.assets.find(account) {
            Some((AccountType::Investment, subtype)) => (AccountType::Investment, subtype.clone()),
            _ if securities => (AccountType::Investment, "brokerage".to_owned()),
            Some(kind) => kind.clone(),
            None => (AccountType::Depository, "checking".to_owned()),
        }
    }

    fn read(&mut self, text: &str, place: &str) -> Result<(), Faults> {
        let table: toml::Table = toml::from_str(text).map_err(|error: toml::de::Error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let rule = format!("must be TOML: {}", error.message().replace('\n', " "));
            Fault::new(format!("{place}:{line}"), rule)
        })?;
        let mut faults = Faults::with_limit(FAULTS_LISTED_MAX);
        for (section, patterns) in table {
            let place = format!("{place}, {section}");
            let toml::Value::Table(patterns) = patterns else {
                faults.push(Fault::new(place, "must be a table of patterns"));
                continue;
            };
            for (pattern, value) in patterns {
                let place = format!("{place}.\"{pattern}\"");
                if let Err(fault) = self.add(&place, &section, &pattern, &value) {
                    faults.push(fault);
                }
            }
        }
        faults.none_or(())
    }

    fn add(&mut self, place: &str, section: &str, pattern: &str, value: &toml::Value) -> Result<(), Fault> {
        let Some(word) = value.as_str() else {
            return Err(Fault::new(place, "must be text in quotation marks").received(value.type_str()));
        };
        if pattern.split(':').any(|component| folded(component).is_empty()) {
            let rule = "a pattern must be account names joined by colons, none of them empty";
            return Err(Fault::new(place, rule).received(pattern));
        }
        let invalid = |rule: String| Fault::new(place, rule).received(word);
        match section {
            "expense" => {
                let category = ExpenseCategory::parse(word).map_err(|error| invalid(side(word, &error)))?;
                self.expense.insert(pattern, category);
            }
            "income" => {
                let category = IncomeCategory::parse(word).map_err(|error| invalid(side(word, &error)))?;
                self.income.insert(pattern, category);
            }
            "assets" => self.assets.insert(pattern, kind(word).map_err(invalid)?),
            "liabilities" => self.liabilities.insert(pattern, kind(word).map_err(invalid)?),
            _ => {
                let rule = "must be in a section named expense, income, assets or liabilities";
                return Err(Fault::new(place, rule).received(section));
            }
        }
        Ok(())
    }
}

fn side(word: &str, invalid: &passbook_domain::Invalid) -> String {
    match Category::parse(word) {
        Ok(_) => format!("must not be a category of the other side, income or expense: {invalid}"),
        Err(_) => invalid.to_string(),
    }
}

fn kind(word: &str) -> Result<(AccountType, String), String> {
    let (first, subtype) =
        word.split_once('/').ok_or("must be a type and a subtype, such as depository/savings")?;
    let account_type = AccountType::parse(first).map_err(|invalid| invalid.to_string())?;
    let subtype = subtype.trim();
    if subtype.is_empty() || subtype.to_lowercase() != subtype {
        return Err("a subtype must be lower-case text".to_owned());
    }
    Ok((account_type, subtype.to_owned()))
}

/// Patterns with their values. A pattern is a sequence of consecutive components of an account name.
#[derive(Clone, Debug)]
struct Patterns<T>(Vec<(Vec<String>, T)>);

impl<T> Default for Patterns<T> {
    fn default() -> Self {
        Patterns(Vec::new())
    }
}

impl<T> Patterns<T> {
    fn insert(&mut self, pattern: &str, value: T) {
        let components: Vec<String> = pattern.split(':').map(folded).collect();
        self.0.retain(|(known, _)| *known != components);
        self.0.push((components, value));
    }

    /// Returns the value of the longest pattern that matches the account name; among equally long patterns, of the
    /// rightmost match.
    fn find(&self, account: &str) -> Option<&T> {
        let components: Vec<String> = account.split(':').map(folded).collect();
        let matches = self.0.iter().filter_map(|(pattern, value)| {
            let at = components.windows(pattern.len()).rposition(|window| window == pattern)?;
            Some(((pattern.len(), at), value))
        });
        matches.max_by_key(|(specific, _)| *specific).map(|(_, value)| value)
    }
}

fn folded(component: &str) -> String {
    component.to_lowercase().replace('-', "").trim().to_owned()
}
