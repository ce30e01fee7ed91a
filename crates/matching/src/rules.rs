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

    /// Returns the first rule with an effect beside own category and tags that a line fulfils: a person's rule before a
    /// starter rule.
    pub fn first_match(&self, facts: &Facts<'_>) -> Option<(Reason, &Action)> {
        let words = words(facts);
        let own = self.own.iter().position(|rule| rule.action.has_meaning() && rule.applies(facts, &words));
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

    /// Returns the position of the first rule that gives an own category or tags and that a line fulfils. Other rules do not
    /// hide it, so that it changes no fixed category.
    pub fn own_words(&self, facts: &Facts<'_>) -> Option<u16> {
        let rules = self.own.iter().enumerate();
        let mut rules = rules.filter(|(_, rule)| rule.action.has_own_words()).peekable();
        rules.peek()?;
        let words = words(facts);
        rules.find(|(_, rule)| rule.applies(facts, &words)).map(|(position, _)| number(position))
    }

    /// Returns the rules that give an own category or tags, with their positions.
    pub fn labelling(&self) -> impl Iterator<Item = (u16, &Action)> {
        let rules = self.own.iter().enumerate().filter(|(_, rule)| rule.action.has_own_words());
        rules.map(|(position, rule)| (number(position), &rule.action))
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

fn number(position: usize) -> u16 {
    u16::try_from(position).expect("a file has at most 5,000 rules")
}

/// Start of the rule about a category.
pub const CATEGORY_RULE: &str = "must be a category, such as ";
/// Number of similar categories that a message lists.
const SIMILAR: usize = 3;

/// Returns the category that a text names in any case and spelling of its English name: `Pet care`, `PET_CARE`, `petcare`.
///
/// # Errors
/// No category of that name: the rule, with the nearest. The category of a starter rule that the text fulfils comes first.
pub fn named_category(text: &str) -> Result<Category, String> {
    let wanted = letters(text);
    let known = Category::wire_strings().find(|name| letters(name) == wanted);
    if let Some(category) = known.and_then(|name| Category::parse(name).ok()) {
        return Ok(category);
    }
    let rules = Rules::default();
    let by_rule = [-1, 1].into_iter().find_map(|cents| {
        let facts = Facts { text, cents, ..Facts::default() };
        rules.first_match(&facts)?.1.category.map(Category::as_str)
    });
    let mut names: Vec<&str> = Category::wire_strings().collect();
    // A name that contains the text is nearer than any other.
    let distance = |name: &str| (!name.contains(&wanted), strsim::osa_distance(&wanted, name));
    names.sort_by_key(|name| (Some(*name) != by_rule, distance(&letters(name))));
    Err(format!("{CATEGORY_RULE}{}", names[..SIMILAR].join(", ")))
}

fn letters(text: &str) -> String {
    text.chars().filter(|one| one.is_alphanumeric()).flat_map(char::to_lowercase).collect()
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
