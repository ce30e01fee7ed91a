//! The rules that give imported lines their meaning: a person's rules file, and the rules that come with Passbook.

mod file;
mod rule;

use std::collections::HashMap;
use std::sync::OnceLock;

use passbook_domain::category::Category;
use passbook_input::Faults;
use regex::RegexSet;

use file::FileRules;
use rule::{LANGUAGES, Rule, folded};

pub use rule::{Action, FILE_BYTES_MAX, Facts, RULES_MAX, Reason};

/// The starter rules by language.
const STARTER: [&str; 4] = [
    include_str!("../starter/en.toml"),
    include_str!("../starter/de.toml"),
    include_str!("../starter/fr.toml"),
    include_str!("../starter/nl.toml"),
];

/// The rules of a person.
#[derive(Clone, Debug)]
pub struct Rules {
    own: Vec<Rule>,
    categories: HashMap<String, Category>,
    own_names: Vec<String>,
    languages: Vec<String>,
}

impl Default for Rules {
    /// Returns the starter rules of every language, without rules of a person.
    fn default() -> Rules {
        let languages = LANGUAGES.map(str::to_owned).to_vec();
        Rules { own: Vec::new(), categories: HashMap::new(), own_names: Vec::new(), languages }
    }
}

impl Rules {
    /// Reads a rules file. `place` is the name of the file in faults.
    ///
    /// # Errors
    /// Every fault of the file.
    pub fn from_toml(text: &str, place: &str) -> Result<Rules, Faults> {
        let FileRules { own, categories, own_names, languages } = file::read(text, place)?;
        let languages = languages.unwrap_or_else(|| LANGUAGES.map(str::to_owned).to_vec());
        Ok(Rules { own, categories, own_names, languages })
    }

    /// Returns the first rule that a line fulfils: a person's rule before a starter rule.
    pub fn first_match(&self, facts: &Facts<'_>) -> Option<(Reason, &Action)> {
        let words = words(facts);
        let number = |position: usize| u16::try_from(position).expect("a file has at most 5,000 rules");
        let own = self.own.iter().position(|rule| rule.applies(facts, &words));
        if let Some(position) = own {
            return Some((Reason::Rule(number(position)), &self.own[position].action));
        }
        let (candidates, starter) = starter();
        let matches = candidates.matches(&words).into_iter().find(|position| {
            let (language, rule) = &starter[*position];
            self.languages.iter().any(|wanted| wanted == language) && rule.applies(facts, &words)
        });
        matches.map(|position| (Reason::Starter(number(position)), &starter[position].1.action))
    }

    /// Returns the rule of a reason, with the language of a starter rule.
    pub fn action(&self, reason: Reason) -> Option<(&Action, Option<&str>)> {
        match reason {
            Reason::Rule(position) => Some((&self.own.get(usize::from(position))?.action, None)),
            Reason::Starter(position) => {
                let (language, rule) = starter().1.get(usize::from(position))?;
                Some((&rule.action, Some(language)))
            }
            _ => None,
        }
    }

    /// Returns the merchant's name that the rule of a reason gives.
    pub fn merchant(&self, reason: Reason) -> Option<&str> {
        self.action(reason)?.0.merchant.as_deref()
    }

    /// Returns the category of an app's category: by the person's map, otherwise by the same name. Of `Food: Groceries`,
    /// the whole name and then the last part are compared.
    pub fn app_category(&self, name: &str) -> Option<Category> {
        let last = name.rsplit([':', '/']).next().unwrap_or(name);
        let mapped = [name, last].iter().find_map(|name| self.categories.get(&folded(name)).copied());
        mapped.or_else(|| Category::parse(&folded(last)).ok())
    }

    /// Returns true if the name of a party is an own name.
    pub fn is_own_name(&self, party: &str) -> bool {
        !self.own_names.is_empty() && self.own_names.contains(&folded(party))
    }
}

/// Returns the text that the condition `text` is compared with: the other party and the description.
fn words(facts: &Facts<'_>) -> String {
    match facts.party {
        Some(party) => format!("{party} {}", facts.text),
        None => facts.text.to_owned(),
    }
}

/// A starter rule with its language.
type StarterRule = (String, Rule);

/// Returns the starter rules, and their patterns as one set. The patterns of the set have no word boundaries, so a rule that
/// the set finds is only a candidate: in texts with other letters than those of ASCII, a search for word boundaries takes
/// five times as long.
fn starter() -> &'static (RegexSet, Vec<StarterRule>) {
    static RULES: OnceLock<(RegexSet, Vec<StarterRule>)> = OnceLock::new();
    RULES.get_or_init(|| {
        let mut rules = Vec::new();
        for (language, text) in LANGUAGES.into_iter().zip(STARTER) {
            let read = file::read(text, language).expect("a test reads every file of starter rules");
            rules.extend(read.own.into_iter().map(|rule| (language.to_owned(), rule)));
        }
        let pattern =
            |rule: &Rule| rule.text.as_ref().map_or(String::new(), |text| without_boundaries(text.as_str()));
        let candidates =
            RegexSet::new(rules.iter().map(|(_, rule)| pattern(rule))).expect("each pattern is valid");
        (candidates, rules)
    })
}

/// Returns a pattern that matches wherever the given one does.
fn without_boundaries(pattern: &str) -> String {
    pattern.replace(r"\b", "")
}

#[cfg(test)]
mod tests;
