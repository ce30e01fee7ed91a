//! `rule`: the stored rules that categorise imported transactions. A command changes the text of the rules file, whose other
//! rules and comments stay as they are.

use clap::{Args, Subcommand};
use passbook_domain::category::Category;
use passbook_ingest::import::{self, StoredRules};
use passbook_input::Fault;
use serde::Serialize;
use tokio_postgres::Client;
use uuid::Uuid;

use super::categorize;
use super::own_category;
use super::user::{Edit, Owner, UserList};
use crate::chosen::category;
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry, Listing};
use crate::output;

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin rule create METRO groceries
  passbook-admin rule create BAKERY --own Breakfast --tag treat
  passbook-admin rule list
  passbook-admin rule export > own-rules.toml
  passbook-admin rule delete 1";

/// The name of stored rules that no file gave a name.
const NAME: &str = "rules.toml";

#[derive(Debug, Subcommand)]
pub(crate) enum RuleCommand {
    /// List the rules in the order in which they apply: the first that fits a transaction decides
    List(UserList),
    /// Add a rule before all others, and apply it to past and future transactions
    #[command(alias = "add")]
    Create(NewRule),
    /// Delete a rule, and categorise all imported transactions again
    Delete {
        /// Number of the rule, from `rule list`
        number: usize,
        #[command(flatten)]
        edit: Edit,
        #[command(flatten)]
        listing: Listing,
    },
    /// Print the rules as a rules file, which `categorize --rules` stores
    Export {
        #[command(flatten)]
        owner: Owner,
    },
}

/// A rule: category, own category and tags of transactions whose text contains a text.
#[derive(Clone, Debug, Args)]
pub(crate) struct NewRule {
    /// Text in the name of the payee or the purpose, in any case
    text: String,
    /// Category, in any case and spelling
    #[arg(value_parser = category, required_unless_present_any = ["own", "tags"])]
    category: Option<Category>,
    /// Category of your own: its name, "Parent: Name", or its id
    #[arg(long, value_name = "OWN")]
    own: Option<String>,
    /// Tag to add; repeat it for several
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    #[command(flatten)]
    edit: Edit,
    #[command(flatten)]
    listing: Listing,
}

/// Runs a command on rules.
pub(super) async fn run(client: &mut Client, command: RuleCommand) -> Result<(), CommandError> {
    match command {
        RuleCommand::List(wanted) => list(client, &wanted).await,
        RuleCommand::Create(wanted) => create(client, &wanted).await,
        RuleCommand::Delete { number, edit, listing } => delete(client, number, &edit, listing).await,
        RuleCommand::Export { owner } => {
            let person = owner.find(client).await?;
            let rules = import::rules(client, person.user_id).await?;
            output::lines(rules.map(|rules| rules.text.trim_end().to_owned()))
        }
    }
}

/// A rule in the list.
#[derive(Debug, Serialize)]
struct Listed {
    number: usize,
    rule: String,
}

async fn list(client: &Client, wanted: &UserList) -> Result<(), CommandError> {
    let person = wanted.owner.find(client).await?;
    let rules = read(client, person.user_id).await?.1;
    let listed = rules.lines().zip(1..).map(|(rule, number)| Listed { number, rule });
    listing::print(&listed.collect::<Vec<_>>(), wanted.listing)
}

impl ListEntry for Listed {
    const COLUMNS: &[Column<Listed>] =
        &[("number", |entry| entry.number.to_string()), ("rule", |entry| output::printable(&entry.rule))];
}

/// Adds a rule before all others, and prints the transactions whose category changes.
pub(super) async fn create(client: &mut Client, wanted: &NewRule) -> Result<(), CommandError> {
    let person = wanted.edit.owner.find(client).await?;
    if wanted.text.trim().is_empty() {
        return Err(CommandError::input(Fault::new("TEXT", "must not be empty")));
    }
    let (name, mut rules) = read(client, person.user_id).await?;
    let own_category = match &wanted.own {
        Some(own) => {
            let own = own_category::named(client, person.user_id, own, "--own").await?;
            Some(own_category::path(&own))
        }
        None => None,
    };
    let effect = Effect { category: wanted.category, own_category, tags: wanted.tags.clone() };
    rules.add(wanted.text.trim(), &effect);
    let stored = StoredRules { name, text: rules.text() };
    categorize::apply(client, person.user_id, Some(&stored), wanted.edit.rehearsal, wanted.listing).await
}

async fn delete(
    client: &mut Client,
    number: usize,
    edit: &Edit,
    listing: Listing,
) -> Result<(), CommandError> {
    let person = edit.owner.find(client).await?;
    let (name, mut rules) = read(client, person.user_id).await?;
    let Some(removed) = rules.remove(number) else {
        let rule = "must be the number of a rule; `passbook-admin rule list` shows them";
        return Err(CommandError::input(Fault::new("NUMBER", rule).received(number.to_string())));
    };
    let stored = StoredRules { name, text: rules.text() };
    categorize::apply(client, person.user_id, Some(&stored), edit.rehearsal, listing).await?;
    output::note(&output::printable(&format!("deleted {removed}")));
    Ok(())
}

/// Returns the stored rules that a rules file lacks, each in one line.
pub(super) async fn removed_by(
    client: &Client,
    user_id: Uuid,
    rules: &StoredRules,
) -> Result<Vec<String>, CommandError> {
    let stored = read(client, user_id).await?.1;
    let new: Vec<String> = RulesText::read(&rules.text).lines().collect();
    Ok(stored.lines().filter(|rule| !new.contains(rule)).map(|rule| output::printable(&rule)).collect())
}

/// Returns name and text of the stored rules.
async fn read(client: &Client, user_id: Uuid) -> Result<(String, RulesText), CommandError> {
    let stored = import::rules(client, user_id).await?;
    let (name, text) =
        stored.map_or_else(|| (NAME.to_owned(), String::new()), |rules| (rules.name, rules.text));
    Ok((name, RulesText::read(&text)))
}

/// The line that begins a rule.
const RULE: &str = "[[rule]]";

/// The effect of a new rule.
struct Effect {
    category: Option<Category>,
    /// The name of an own category, with the parent's.
    own_category: Option<String>,
    tags: Vec<String>,
}

/// A rules file, cut before each table.
struct RulesText {
    /// The settings before the first table.
    head: String,
    tables: Vec<String>,
}

impl RulesText {
    fn read(text: &str) -> RulesText {
        let mut rules = RulesText { head: String::new(), tables: Vec::new() };
        for line in text.split_inclusive('\n') {
            if line.trim_start().starts_with('[') {
                rules.tables.push(String::new());
            }
            rules.tables.last_mut().unwrap_or(&mut rules.head).push_str(line);
        }
        rules
    }

    /// Returns each rule in one line.
    fn lines(&self) -> impl Iterator<Item = String> {
        self.tables.iter().filter(|table| is_rule(table)).map(|table| in_one_line(table))
    }

    /// Adds a rule before all others.
    fn add(&mut self, text: &str, effect: &Effect) {
        // A text of JSON is one of TOML.
        let pattern = serde_json::Value::from(format!("(?i){}", escaped(text)));
        let category = effect.category.map(|category| ("category", category.as_str().into()));
        let own = effect.own_category.as_deref().map(|name| ("own_category", name.into()));
        let tags = Some(("tags", effect.tags.clone().into())).filter(|_| !effect.tags.is_empty());
        let effects: [Option<(&str, serde_json::Value)>; 4] = [Some(("text", pattern)), category, own, tags];
        let lines = effects.iter().flatten().map(|(key, value)| format!("{key} = {value}\n"));
        let rule = format!("{RULE}\n{}\n", lines.collect::<String>());
        let first = self.tables.iter().position(|table| is_rule(table)).unwrap_or(self.tables.len());
        for before in self.tables[..first].last_mut().into_iter().chain([&mut self.head]) {
            if !before.is_empty() && !before.ends_with('\n') {
                before.push('\n');
            }
        }
        self.tables.insert(first, rule);
    }

    /// Removes a rule, counted from 1, and returns it in one line.
    fn remove(&mut self, number: usize) -> Option<String> {
        let mut rules = (0..self.tables.len()).filter(|at| is_rule(&self.tables[*at]));
        let at = rules.nth(number.checked_sub(1)?)?;
        Some(in_one_line(&self.tables.remove(at)))
    }

    fn text(&self) -> String {
        self.head.clone() + &self.tables.concat()
    }
}

fn is_rule(table: &str) -> bool {
    // TOML allows spaces, and quotes around a name.
    let header = table.trim_start().lines().next().unwrap_or_default();
    header.replace([' ', '\t', '"', '\''], "").starts_with(RULE)
}

fn in_one_line(table: &str) -> String {
    let lines =
        table.lines().skip(1).map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.collect::<Vec<_>>().join(", ")
}

/// Returns a regular expression that fits exactly this text.
fn escaped(text: &str) -> String {
    let escape = |one: char| {
        let is_plain = one.is_alphanumeric() || one == ' ' || !one.is_ascii();
        if is_plain { one.to_string() } else { format!("\\{one}") }
    };
    text.chars().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use passbook_domain::category::ExpenseCategory;
    use passbook_matching::rules::Rules;

    use super::*;

    fn groceries() -> Effect {
        let category = Some(Category::Expense(ExpenseCategory::Groceries));
        Effect { category, own_category: None, tags: Vec::new() }
    }

    #[test]
    fn rules_are_added_first_and_removed_by_number_and_nothing_else_changes() {
        let text = "# mine\nlanguages = [\"en\"]\n\n[[rule]]\n# old\ntext = 'a'\ncategory = \"RENT\"\n\n[categories]\n\"A b\" = \"RENT\"";
        let mut rules = RulesText::read(text);
        assert_eq!(rules.text(), text);
        rules.add("R+V \"x\" (Ä)", &groceries());
        let lines: Vec<String> = rules.lines().collect();
        let added = "text = \"(?i)R\\\\+V \\\\\\\"x\\\\\\\" \\\\(Ä\\\\)\", category = \"GROCERIES\"";
        assert_eq!(lines, [added, "text = 'a', category = \"RENT\""]);
        assert!(Rules::from_toml(&rules.text(), "rules.toml").is_ok(), "{}", rules.text());
        assert_eq!(rules.remove(3), None);
        assert_eq!(rules.remove(0), None);
        assert_eq!(rules.remove(1).as_deref(), Some(added));
        assert_eq!(rules.text(), text);
        let mut indented = RulesText::read("  [[rule]]\n  text = 'a'\n\t[[ \"rule\" ]] # b\ntext = 'b'\n");
        assert_eq!(indented.remove(1).as_deref(), Some("text = 'a'"));
        assert_eq!(indented.lines().collect::<Vec<_>>(), ["text = 'b'"]);
    }

    #[test]
    fn first_rule_follows_a_setting_without_end_of_line() {
        let mut rules = RulesText::read("languages = [\"en\"]");
        let own_category = Some("Fun: \"Ä\"".to_owned());
        rules.add("metro", &Effect { own_category, tags: vec!["a b".to_owned()], ..groceries() });
        assert!(Rules::from_toml(&rules.text(), "rules.toml").is_ok(), "{}", rules.text());
        let added = "text = \"(?i)metro\", category = \"GROCERIES\", own_category = \"Fun: \\\"Ä\\\"\", tags = [\"a b\"]";
        assert_eq!(rules.lines().collect::<Vec<_>>(), [added]);
    }
}
