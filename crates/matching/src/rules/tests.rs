//! Rules files, and the precision of the starter rules.

use super::*;
use passbook_domain::category::{ExpenseCategory, IncomeCategory};

fn faults(text: &str) -> Vec<String> {
    let faults = Rules::from_toml(text, "rules.toml").expect_err("the file has a fault").into_list();
    faults.iter().map(ToString::to_string).collect()
}

fn category_of(rules: &Rules, party: &str, cents: i64) -> Option<&'static str> {
    let facts = Facts { party: Some(party), cents, ..Facts::default() };
    rules.first_match(&facts)?.1.category.map(Category::as_str)
}

#[test]
fn first_matching_rule_wins_and_comes_before_starter_rules() {
    let rules = Rules::from_toml(
        "[[rule]]\ntext = '(?i)metro'\namount = '9.00..11.00'\ncategory = 'PUBLIC_TRANSPORT'\n\
         [[rule]]\ntext = '(?i)metro'\ncategory = 'HOBBY'\n\
         [[rule]]\ntext = 'REWE'\ndirection = 'out'\ncategory = 'PETS'\n",
        "rules.toml",
    )
    .unwrap();
    assert_eq!(category_of(&rules, "METRO", -1_000), Some("PUBLIC_TRANSPORT"));
    assert_eq!(category_of(&rules, "METRO", -1_101), Some("HOBBY"));
    assert_eq!(category_of(&rules, "REWE", -100), Some("PETS"));
    assert_eq!(category_of(&rules, "REWE", 100), Some("GROCERIES"));
    assert_eq!(category_of(&rules, "Nobody", 100), None);
}

#[test]
fn languages_choose_the_starter_rules() {
    let rules = Rules::from_toml("languages = ['en']", "rules.toml").unwrap();
    assert_eq!(category_of(&rules, "REWE", -100), None);
    assert_eq!(category_of(&rules, "Tesco", -100), Some("GROCERIES"));
    assert!(faults("languages = ['xx']")[0].contains("en, de, fr, nl"));
}

#[test]
fn app_categories_are_mapped_by_name() {
    let mapped = "[categories]\n'Eating Out' = 'RESTAURANT'\n'Kids: Eating Out' = 'PETS'";
    let rules = Rules::from_toml(mapped, "rules.toml").unwrap();
    let restaurant = Category::Expense(ExpenseCategory::Restaurant);
    assert_eq!(rules.app_category("Fun: eating out"), Some(restaurant));
    assert_eq!(rules.app_category("Kids: eating out"), Some(Category::Expense(ExpenseCategory::Pets)));
    assert_eq!(rules.app_category("Salary"), Some(Category::Income(IncomeCategory::Salary)));
    assert_eq!(rules.app_category("Food: Fast food"), Some(Category::Expense(ExpenseCategory::FastFood)));
    assert_eq!(rules.app_category("Stuff"), None);
}

#[test]
fn category_is_named_in_any_spelling_and_the_nearest_three_are_suggested() {
    for text in ["GROCERIES", "groceries", " Groceries"] {
        assert_eq!(named_category(text).map(Category::as_str), Ok("GROCERIES"));
    }
    for (text, nearest) in
        [("grocerys", "GROCERIES, CONCERT, SPORTS"), ("Lebensmittel", "GROCERIES, "), ("Gehalt", "SALARY, ")]
    {
        let rule = named_category(text).unwrap_err();
        assert!(rule.starts_with(&format!("{CATEGORY_RULE}{nearest}")), "{rule}");
    }
    let rules = Rules::from_toml("[[rule]]\ntext = 'Zoo'\ncategory = 'Pet care'\n", "rules.toml");
    assert!(rules.is_err());
    let rules =
        Rules::from_toml("[[rule]]\ntext = 'Zoo'\ncategory = 'Food and drink'\n", "rules.toml").unwrap();
    assert_eq!(category_of(&rules, "Zoo", -100), Some("FOOD_AND_DRINK"));
}

#[test]
fn faults_name_line_field_and_remedy() {
    let text = "[[rule]]\ntext = '('\ncategory = 'PETS'\n\n[[rule]]\ntext = 'a'\ncategory = 'Food'\n\
                [[rule]]\ntext = 'a'\n[[rule]]\ncategory = 'PETS'\n\
                [[rule]]\namount = '-1..2'\nskip = true\n[[rule]]\ntext = 'a'\ndirection = 'up'\nskip = true\n\
                [[rule]]\ntext = 'a'\nown_category = ' : x'\n[[rule]]\ntext = 'a'\ntags = ['b', 'B']\n";
    let places: Vec<String> =
        faults(text).iter().map(|fault| fault.split(": ").next().unwrap().to_owned()).collect();
    assert_eq!(
        places,
        [
            "rules.toml:1, text",
            "rules.toml:5, category",
            "rules.toml:8, rule",
            "rules.toml:10, rule",
            "rules.toml:12, amount",
            "rules.toml:15, direction",
            "rules.toml:19, own_category",
            "rules.toml:22, tags"
        ]
    );
    assert!(faults("[[rule]]\nunknown = 1")[0].starts_with("rules.toml:"));
    assert!(faults("[[rule]]\ntext = '(\\w{1000}){1000}'\nskip = true")[0].contains("regular expression"));
}

/// Payees with the category that a person gives them; nothing for a payee without a clear category.
const LABELLED: &str = include_str!("../../starter/labelled.tsv");

#[test]
fn starter_rules_are_precise() {
    let rules = Rules::default();
    let (mut found, mut right, mut total) = (0, 0, 0);
    let mut wrong = Vec::new();
    for line in LABELLED.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [payee, cents, expected] = cells[..] else { panic!("{line}") };
        total += 1;
        let Some(category) = category_of(&rules, payee, cents.parse().unwrap()) else { continue };
        found += 1;
        right += u32::from(category == expected);
        if category != expected {
            wrong.push(format!("{line}: {category}"));
        }
    }
    assert!(f64::from(right) >= 0.98 * f64::from(found), "{wrong:#?}");
    // Coverage: the share of payees that the starter rules categorise.
    assert!(total >= 100 && found * 2 >= total, "{found} of {total}");
}

#[test]
fn candidates_contain_every_rule_that_matches() {
    // A pattern without its word boundaries matches wherever the pattern does, unless `\b` is part of another escape, or the
    // pattern demands that there is no boundary.
    let (candidates, rules) = starter();
    for (language, rule) in rules {
        let text = rule.text.as_ref().map_or("", |text| text.as_str());
        assert!(!text.contains(r"\\") && !text.contains(r"\B"), "{language}: {text}");
    }
    assert_eq!(candidates.len(), rules.len());
    assert!(!candidates.patterns().iter().any(|pattern| pattern.contains(r"\b")));
    let inside = candidates.matches("Straße Xrewex");
    assert!(inside.matched_any(), "a word inside another one is a candidate");
    assert_eq!(category_of(&Rules::default(), "Straße Xrewex", -100), None);
    assert_eq!(category_of(&Rules::default(), "Straße REWE", -100), Some("GROCERIES"));
}
