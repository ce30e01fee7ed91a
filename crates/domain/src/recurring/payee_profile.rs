//! Facts about all rows of one payee, from which the rules for the payee's candidate streams are chosen.

use crate::category::Category;

/// The categories and the number of rows of a payee.
#[derive(Clone, Copy, Debug)]
pub(super) struct PayeeProfile {
    /// True if most of the payee's rows have a category that is usually billed, such as rent or insurance.
    pub(super) billed: bool,
    /// True if most of the payee's rows have a category of separate decisions, such as travel or clothing.
    pub(super) occasional: bool,
    /// True if most rows have a category of habitual spending, such as restaurants or fuel.
    pub(super) habitual: bool,
    /// Number of the payee's rows in the searched months.
    pub(super) rows: usize,
}

impl PayeeProfile {
    /// Summarises the categories of all rows of one payee. "Most" is more than half.
    pub(super) fn from_categories(categories: &[Category]) -> PayeeProfile {
        let most_are = |predicate: fn(Category) -> bool| {
            categories.iter().filter(|category| predicate(**category)).count() * 2 > categories.len()
        };
        PayeeProfile {
            billed: most_are(Category::is_billed),
            occasional: most_are(Category::is_occasional),
            habitual: most_are(Category::is_habitual),
            rows: categories.len(),
        }
    }
}
