//! Facts about a payee as a whole, apart from the rows of one candidate stream.

use crate::category::Category;

/// Categories and size of a payee's history.
#[derive(Clone, Copy, Debug)]
pub(super) struct PayeeProfile {
    /// True if most rows have a category that is usually billed, such as rent or insurance.
    pub(super) billed: bool,
    /// True if most rows have a category of separate decisions, such as travel or clothing.
    pub(super) occasional: bool,
    /// True if most rows have a category of habitual spending, such as restaurants or fuel.
    pub(super) habitual: bool,
    /// Number of rows in the window.
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
