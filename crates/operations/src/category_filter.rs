//! The parameters `categories` and `categoryGroups`, which take names too. Their values are known without the ledger.

use std::sync::LazyLock;

use passbook_domain::Invalid;
use passbook_domain::category::{Category, CategoryGroup, ExpenseCategory};
use passbook_domain::names::Resolved;
use serde_json::{Value, json};

use crate::form::Form;
use crate::names::{Found, find, key};
use crate::parameter::Parameter;

/// Keys of the names of all categories and of all groups.
static CATEGORIES: LazyLock<Vec<(String, &'static str)>> = LazyLock::new(|| keys(Category::wire_strings()));
static GROUPS: LazyLock<Vec<(String, &'static str)>> =
    LazyLock::new(|| keys(CategoryGroup::ALL.iter().map(|group| group.as_str())));

fn keys(words: impl Iterator<Item = &'static str>) -> Vec<(String, &'static str)> {
    words.map(|word| (key(word), word)).collect()
}

/// A category or group, and the name by which the request gives it; none for an identifier.
#[derive(Clone, Debug)]
struct Named<T> {
    value: T,
    given: Option<String>,
}

/// Reads an identifier or a name. `words` are the identifiers with the keys of their names.
fn parse<T>(
    text: &str,
    noun: &str,
    words: &[(String, &'static str)],
    from_word: impl Fn(&str) -> Result<T, Invalid>,
) -> Result<Named<T>, Invalid> {
    if let Ok(value) = from_word(text) {
        return Ok(Named { value, given: None });
    }
    let (rule, allowed) = match find(text, words) {
        Found::One(word) => return Ok(Named { value: from_word(word)?, given: Some(text.to_owned()) }),
        Found::Several(words) => (format!("must name one {noun}, and {} fit", words.len()), words),
        Found::Nearest(nearest) => {
            let own = if noun == "category" { " (ownCategories has own ones)" } else { "" };
            let rule = format!("must name a {noun}{own}; the nearest are {}", nearest.join(", "));
            (rule, words.iter().map(|(_, word)| *word).collect())
        }
    };
    Err(Invalid::new(rule).with_allowed(allowed))
}

impl Parameter for Named<Category> {
    fn parse(text: &str) -> Result<Named<Category>, Invalid> {
        let named = key(text);
        // "food" would begin FOOD_AND_DRINK, and "transport" is one category of the group TRANSPORT.
        let is_group = Category::parse(text).is_err() && GROUPS.iter().any(|(name, _)| *name == named);
        if is_group {
            let group = CATEGORIES.iter().filter(|(name, _)| *name == named).map(|(_, word)| *word);
            let rule = match group.clone().next() {
                Some(word) => {
                    format!("names a group too: give it as categoryGroups, or {word} for the category alone")
                }
                None => "names a group: give it as categoryGroups".to_owned(),
            };
            return Err(Invalid::new(rule).with_allowed(group));
        }
        parse(text, "category", &CATEGORIES, Category::parse)
    }

    fn schema() -> Value {
        json!({ "type": "string" })
    }

    fn example() -> Value {
        json!("GROCERIES")
    }

    fn to_json(&self) -> Value {
        json!(self.value.as_str())
    }
}

impl Parameter for Named<CategoryGroup> {
    fn parse(text: &str) -> Result<Named<CategoryGroup>, Invalid> {
        parse(text, "group", &GROUPS, CategoryGroup::parse)
    }

    fn schema() -> Value {
        json!({ "type": "string" })
    }

    fn example() -> Value {
        json!("FOOD")
    }

    fn to_json(&self) -> Value {
        json!(self.value.as_str())
    }
}

/// The categories that a request selects.
pub(crate) struct CategoryFilter {
    /// Those that `categories` names; none if it is missing.
    pub(crate) named: Option<Vec<Category>>,
    /// Those that also are in `categoryGroups`; none if both are missing.
    pub(crate) selected: Option<Vec<Category>>,
}

/// Reads `categories` and `categoryGroups`.
pub(crate) fn category_filter(form: &mut Form<'_>, description: &'static str) -> CategoryFilter {
    let categories: Option<Vec<Named<Category>>> = form.list("categories", description);
    let named = categories.map(|list| values(form, "categories", list, Category::as_str));
    let groups: Option<Vec<Named<CategoryGroup>>> =
        form.list("categoryGroups", "Only expenses of these groups, such as FOOD, HOUSING, TRANSPORT.");
    let Some(groups) = groups else { return CategoryFilter { selected: named.clone(), named } };
    let groups = values(form, "categoryGroups", groups, CategoryGroup::as_str);
    let grouped = ExpenseCategory::ALL.iter().filter(|category| groups.contains(&category.group()));
    let is_named = |category: &Category| named.as_ref().is_none_or(|named| named.contains(category));
    let selected: Vec<Category> =
        grouped.map(|category| Category::Expense(*category)).filter(is_named).collect();
    if selected.is_empty() {
        let rule = "must have a category in common with categories: both apply; give one of them";
        form.reject("categoryGroups", &Invalid::new(rule));
    }
    CategoryFilter { named, selected: Some(selected) }
}

/// Returns the values of a list, and records what its names were taken for.
fn values<T: Copy>(
    form: &mut Form<'_>,
    argument: &'static str,
    list: Vec<Named<T>>,
    word: fn(T) -> &'static str,
) -> Vec<T> {
    let value = |Named { value, given }| {
        if let Some(given) = given {
            let id = word(value).to_owned();
            form.resolve(Resolved { argument, given, name: id.to_lowercase().replace('_', " "), id });
        }
        value
    };
    list.into_iter().map(value).collect()
}
