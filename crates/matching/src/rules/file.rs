//! Reads a rules file (TOML).

use std::collections::HashMap;
use std::ops::RangeInclusive;

use passbook_domain::category::Category;
use passbook_input::{Fault, Faults};
use passbook_records::record::{NAME_CHARS_MAX, TAGS_MAX};
use regex::{Regex, RegexBuilder};
use serde::Deserialize;
use toml::Spanned;

use super::named_category;
use super::rule::{Action, FILE_BYTES_MAX, LANGUAGES, PATTERN_BYTES_MAX, RULES_MAX, Rule, folded};

/// Maximum number of faults that are listed.
const FAULTS_MAX: usize = 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesFile {
    #[serde(default)]
    own_names: Vec<String>,
    languages: Option<Vec<String>>,
    #[serde(default)]
    categories: HashMap<String, String>,
    #[serde(default)]
    rule: Vec<Spanned<RuleTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleTable {
    name: Option<String>,
    text: Option<String>,
    party: Option<String>,
    account: Option<String>,
    iban: Option<String>,
    code: Option<String>,
    amount: Option<String>,
    direction: Option<String>,
    category: Option<String>,
    own_category: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    transfer: bool,
    merchant: Option<String>,
    #[serde(default)]
    skip: bool,
}

/// The content of a rules file.
#[derive(Debug, Default)]
pub(super) struct FileRules {
    pub(super) own: Vec<Rule>,
    pub(super) categories: HashMap<String, Category>,
    pub(super) own_names: Vec<String>,
    pub(super) languages: Option<Vec<String>>,
}

/// Reads a rules file.
pub(super) fn read(text: &str, place: &str) -> Result<FileRules, Faults> {
    if text.len() > FILE_BYTES_MAX {
        return Err(Fault::new(place, format!("must be at most {FILE_BYTES_MAX} bytes")).into());
    }
    let line_of = |byte: usize| text.get(..byte).unwrap_or_default().matches('\n').count() + 1;
    let file: RulesFile = toml::from_str(text).map_err(|error| {
        let line = line_of(error.span().map_or(0, |span| span.start));
        let rule = format!("must be a rules file: {}", error.message().replace('\n', " "));
        Fault::new(format!("{place}:{line}"), rule)
    })?;
    let mut faults = Faults::with_limit(FAULTS_MAX);
    let mut rules = FileRules {
        own_names: file.own_names.iter().map(|name| folded(name)).collect(),
        ..FileRules::default()
    };
    if let Some(languages) = file.languages {
        for language in languages.iter().filter(|one| !LANGUAGES.contains(&one.as_str())) {
            let rule = format!("must be a language with starter rules: {}", LANGUAGES.join(", "));
            faults.push(Fault::new(format!("{place}, languages"), rule).received(language.clone()));
        }
        rules.languages = Some(languages);
    }
    for (name, category) in &file.categories {
        match named_category(category) {
            Ok(category) => drop(rules.categories.insert(folded(name), category)),
            Err(rule) => faults
                .push(Fault::new(format!("{place}, categories, {name}"), rule).received(category.clone())),
        }
    }
    if file.rule.len() > RULES_MAX {
        faults.push(Fault::new(place, format!("must have at most {RULES_MAX} rules")));
    }
    for table in file.rule.iter().take(RULES_MAX) {
        let line = line_of(table.span().start);
        match rule(table.get_ref()) {
            Ok(rule) => rules.own.push(rule),
            Err((field, rule, received)) => {
                faults.push(Fault::new(format!("{place}:{line}, {field}"), rule).received(received));
            }
        }
    }
    faults.none_or(rules)
}

/// Field, rule and received value of a fault.
type Wrong = (&'static str, String, String);

fn rule(table: &RuleTable) -> Result<Rule, Wrong> {
    let conditions = [&table.text, &table.party, &table.account, &table.iban, &table.code, &table.amount];
    if conditions.iter().all(|condition| condition.is_none()) {
        let rule = "must have a condition: text, party, account, iban, code or amount";
        return Err(("rule", rule.to_owned(), "a rule without one".to_owned()));
    }
    let has_words = table.own_category.is_some() || !table.tags.is_empty();
    let has_meaning = table.category.is_some() || table.merchant.is_some() || table.transfer || table.skip;
    if !has_words && !has_meaning {
        let rule = "must have an effect: category, own_category, tags, transfer, merchant or skip";
        return Err(("rule", rule.to_owned(), "a rule without one".to_owned()));
    }
    let category = table
        .category
        .as_deref()
        .map(|text| named_category(text).map_err(|rule| ("category", rule, text.to_owned())));
    let incoming = table.direction.as_deref().map(|text| match text {
        "in" => Ok(true),
        "out" => Ok(false),
        _ => Err(("direction", "must be in or out".to_owned(), text.to_owned())),
    });
    let cents = table.amount.as_deref().map(|text| {
        let rule = "must be a range of amounts without a sign, such as 9.00..11.00";
        range(text).ok_or_else(|| ("amount", rule.to_owned(), text.to_owned()))
    });
    check_own_words(table)?;
    Ok(Rule {
        text: pattern("text", table.text.as_deref())?,
        party: pattern("party", table.party.as_deref())?,
        account: pattern("account", table.account.as_deref())?,
        iban: table.iban.as_deref().map(|iban| iban.split_whitespace().collect()),
        code: pattern("code", table.code.as_deref())?,
        cents: cents.transpose()?,
        incoming: incoming.transpose()?,
        action: Action {
            name: table.name.clone().unwrap_or_else(|| words(table)),
            category: category.transpose()?,
            own_category: table.own_category.clone(),
            tags: table.tags.clone(),
            transfer: table.transfer,
            merchant: table.merchant.clone().filter(|name| !name.trim().is_empty()),
            skip: table.skip,
        },
    })
}

/// Checks own category and tags, which must be storable as they are.
fn check_own_words(table: &RuleTable) -> Result<(), Wrong> {
    let is_plain = |text: &str| !text.trim().is_empty() && !text.contains(char::is_control);
    if let Some(path) = &table.own_category {
        let mut names = path.splitn(2, ": ");
        if !names.all(|name| is_plain(name) && name.chars().count() <= NAME_CHARS_MAX) {
            let rule = format!("must be a name of 1 to {NAME_CHARS_MAX} characters, or \"Parent: Name\"");
            return Err(("own_category", rule, path.clone()));
        }
    }
    for (number, tag) in table.tags.iter().enumerate() {
        let is_new = table.tags[..number].iter().all(|other| other.to_lowercase() != tag.to_lowercase());
        if !is_new || !is_plain(tag) || tag.chars().count() > NAME_CHARS_MAX {
            let rule = format!("must be different names of 1 to {NAME_CHARS_MAX} characters");
            return Err(("tags", rule, tag.clone()));
        }
    }
    if table.tags.len() > TAGS_MAX {
        return Err(("tags", format!("must be at most {TAGS_MAX} names"), table.tags.len().to_string()));
    }
    Ok(())
}

/// Returns the conditions of a rule in one line.
fn words(table: &RuleTable) -> String {
    let conditions = [
        ("text", &table.text),
        ("party", &table.party),
        ("account", &table.account),
        ("iban", &table.iban),
        ("code", &table.code),
        ("amount", &table.amount),
        ("direction", &table.direction),
    ];
    let words = conditions.iter().filter_map(|(key, text)| Some(format!("{key} {}", text.as_deref()?)));
    words.collect::<Vec<_>>().join(", ")
}

fn pattern(field: &'static str, text: Option<&str>) -> Result<Option<Regex>, Wrong> {
    let compiled = text.map(|text| RegexBuilder::new(text).size_limit(PATTERN_BYTES_MAX).build());
    compiled.transpose().map_err(|error| {
        let reason = error.to_string();
        let last = reason.lines().last().unwrap_or_default().trim().to_owned();
        (field, format!("must be a regular expression: {last}"), text.unwrap_or_default().to_owned())
    })
}

/// Parses `9.00..11.00`, both ends included, or one amount.
fn range(text: &str) -> Option<RangeInclusive<i64>> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let (least, most) = (cents(least)?, cents(most)?);
    (least <= most).then_some(least..=most)
}

fn cents(text: &str) -> Option<i64> {
    let (whole, decimals) = text.trim().split_once('.').unwrap_or((text.trim(), "00"));
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !are_digits(whole) || !are_digits(decimals) || decimals.len() > 2 {
        return None;
    }
    let decimals: i64 = format!("{decimals:0<2}").parse().ok()?;
    whole.parse::<i64>().ok()?.checked_mul(100)?.checked_add(decimals)
}
