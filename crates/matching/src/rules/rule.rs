//! One rule: its conditions and its effect, the facts that it tests, and the reasons for a category.

use std::ops::RangeInclusive;

use passbook_domain::category::Category;
use regex::Regex;

/// Maximum number of rules of a file.
pub const RULES_MAX: usize = 5_000;
/// Maximum size of a rules file, in bytes.
pub const FILE_BYTES_MAX: usize = 1024 * 1024;
/// Maximum size of one compiled pattern, in bytes.
pub(super) const PATTERN_BYTES_MAX: usize = 256 * 1024;

/// The languages with starter rules.
pub(super) const LANGUAGES: [&str; 4] = ["en", "de", "fr", "nl"];

/// The facts of a line that rules can test.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts<'a> {
    /// Description of the line.
    pub text: &'a str,
    /// Name of the other party.
    pub party: Option<&'a str>,
    /// IBAN or number of the other party.
    pub party_account: Option<&'a str>,
    /// Code of the bank or provider.
    pub code: Option<&'a str>,
    /// Category of the app that the file comes from.
    pub category: Option<&'a str>,
    /// The own account on the other side, as the source names it; empty if the source only says that it is a transfer.
    pub transfer_with: Option<&'a str>,
    /// Name of the account of the line.
    pub account: &'a str,
    /// Signed hundredths.
    pub cents: i64,
    /// True if the line is nothing but a fee.
    pub is_fee: bool,
}

/// The reason for a category.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The category of the app that the file comes from.
    App,
    /// A rule of the person's file, by its position.
    Rule(u16),
    /// A rule that comes with Passbook, by its position.
    Starter(u16),
    /// The code of the provider.
    Provider,
    /// The bank's type of the transaction.
    BankType,
    /// Nothing else: uncategorised.
    Nothing,
}

/// The effect of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Action {
    /// Name of the rule, for explanations; without a name its conditions.
    pub name: String,
    /// Category of the line.
    pub category: Option<Category>,
    /// The person's own category: its name, or `Parent: Name`.
    pub own_category: Option<String>,
    /// Tags of the line, beside those of its file.
    pub tags: Vec<String>,
    /// True if the line is a transfer between own accounts.
    pub transfer: bool,
    /// Name of the merchant.
    pub merchant: Option<String>,
    /// True if the line is left out.
    pub skip: bool,
}

impl Action {
    /// Returns true for a rule that gives an own category or tags. It may have no other effect.
    pub(super) fn has_own_words(&self) -> bool {
        self.own_category.is_some() || !self.tags.is_empty()
    }

    /// Returns true for a rule with an effect beside own category and tags.
    pub(super) fn has_meaning(&self) -> bool {
        self.category.is_some() || self.merchant.is_some() || self.transfer || self.skip
    }
}

/// A rule: every condition must be fulfilled.
#[derive(Clone, Debug, Default)]
pub(super) struct Rule {
    pub(super) text: Option<Regex>,
    pub(super) party: Option<Regex>,
    pub(super) account: Option<Regex>,
    pub(super) iban: Option<String>,
    pub(super) code: Option<Regex>,
    pub(super) cents: Option<RangeInclusive<i64>>,
    pub(super) incoming: Option<bool>,
    pub(super) action: Action,
}

impl Rule {
    pub(super) fn applies(&self, facts: &Facts<'_>, words: &str) -> bool {
        self.text.as_ref().is_none_or(|pattern| pattern.is_match(words)) && self.applies_beyond_text(facts)
    }

    /// Returns true if all conditions but `text` are fulfilled.
    pub(super) fn applies_beyond_text(&self, facts: &Facts<'_>) -> bool {
        let matches = |pattern: &Option<Regex>, text: Option<&str>| {
            pattern.as_ref().is_none_or(|pattern| text.is_some_and(|text| pattern.is_match(text)))
        };
        matches(&self.party, facts.party)
            && matches(&self.account, Some(facts.account))
            && matches(&self.code, facts.code)
            && self.iban.as_deref().is_none_or(|iban| facts.party_account == Some(iban))
            && self.cents.as_ref().is_none_or(|range| range.contains(&facts.cents.saturating_abs()))
            && self.incoming.is_none_or(|incoming| incoming == (facts.cents > 0))
    }
}

/// Returns a name in the form of a category: `Dining out` is `DINING_OUT`.
pub(super) fn folded(name: &str) -> String {
    let word = |c: char| if c.is_alphanumeric() { c } else { ' ' };
    let spaced: String = name.to_uppercase().chars().map(word).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join("_")
}
