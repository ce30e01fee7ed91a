//! The text of a rules file, whose other rules and comments stay as they are.

use passbook_domain::category::Category;

/// The line that begins a rule.
const RULE: &str = "[[rule]]";

/// A rules file, cut before each table.
pub(super) struct RulesText {
    /// The settings before the first table.
    head: String,
    tables: Vec<String>,
}

impl RulesText {
    pub(super) fn read(text: &str) -> RulesText {
        let mut rules = RulesText { head: String::new(), tables: Vec::new() };
        for line in text.split_inclusive('\n') {
            if line.starts_with('[') {
                rules.tables.push(String::new());
            }
            rules.tables.last_mut().unwrap_or(&mut rules.head).push_str(line);
        }
        rules
    }

    /// Returns each rule in one line.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        self.tables.iter().filter(|table| is_rule(table)).map(|table| in_one_line(table))
    }

    /// Adds a rule before all others.
    pub(super) fn add(&mut self, text: &str, category: Category) {
        // A text of JSON is one of TOML.
        let pattern = serde_json::Value::from(format!("(?i){}", escaped(text)));
        let rule = format!("{RULE}\ntext = {pattern}\ncategory = \"{}\"\n\n", category.as_str());
        let first = self.tables.iter().position(|table| is_rule(table)).unwrap_or(self.tables.len());
        for before in self.tables[..first].last_mut().into_iter().chain([&mut self.head]) {
            if !before.is_empty() && !before.ends_with('\n') {
                before.push('\n');
            }
        }
        self.tables.insert(first, rule);
    }

    /// Removes a rule, counted from 1, and returns it in one line.
    pub(super) fn remove(&mut self, number: usize) -> Option<String> {
        let mut rules = (0..self.tables.len()).filter(|at| is_rule(&self.tables[*at]));
        let at = rules.nth(number.checked_sub(1)?)?;
        Some(in_one_line(&self.tables.remove(at)))
    }

    pub(super) fn text(&self) -> String {
        self.head.clone() + &self.tables.concat()
    }
}

fn is_rule(table: &str) -> bool {
    table.trim_start().starts_with(RULE)
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
    use super::*;
    use passbook_domain::category::ExpenseCategory;
    use passbook_matching::rules::Rules;

    #[test]
    fn rules_are_added_first_and_removed_by_number_and_nothing_else_changes() {
        let text = "# mine\nlanguages = [\"en\"]\n\n[[rule]]\n# old\ntext = 'a'\ncategory = \"RENT\"\n\n[categories]\n\"A b\" = \"RENT\"";
        let mut rules = RulesText::read(text);
        assert_eq!(rules.text(), text);
        rules.add("R+V \"x\" (Ä)", Category::Expense(ExpenseCategory::Groceries));
        let lines: Vec<String> = rules.lines().collect();
        let added = "text = \"(?i)R\\\\+V \\\\\\\"x\\\\\\\" \\\\(Ä\\\\)\", category = \"GROCERIES\"";
        assert_eq!(lines, [added, "text = 'a', category = \"RENT\""]);
        assert!(Rules::from_toml(&rules.text(), "rules.toml").is_ok(), "{}", rules.text());
        assert_eq!(rules.remove(3), None);
        assert_eq!(rules.remove(0), None);
        assert_eq!(rules.remove(1).as_deref(), Some(added));
        assert_eq!(rules.text(), text);
    }

    #[test]
    fn first_rule_follows_a_setting_without_end_of_line() {
        let mut rules = RulesText::read("languages = [\"en\"]");
        rules.add("metro", Category::Expense(ExpenseCategory::Groceries));
        assert!(Rules::from_toml(&rules.text(), "rules.toml").is_ok(), "{}", rules.text());
        assert_eq!(rules.lines().count(), 1);
    }
}
