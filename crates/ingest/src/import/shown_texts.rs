//! Fingerprints of the texts of transactions, which are compared without keeping the texts in memory.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use passbook_matching::rules::{Facts, Reason, Rules};

/// Returns the fingerprint of the texts of a transaction. It is the same within one run of the program only.
pub(super) fn shown(title: &str, provider_category: Option<&str>, merchant: Option<&str>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (title, provider_category, merchant).hash(&mut hasher);
    hasher.finish()
}

/// Returns the fingerprint of the texts that `import_store.sql` stores for a line.
pub(super) fn shown_texts(rules: &Rules, facts: &Facts<'_>, reason: Reason) -> u64 {
    let title = [Some(facts.text), facts.party].into_iter().flatten().find_map(stated);
    let code = facts.code.filter(|code| !code.is_empty());
    let title = title.or(code).unwrap_or("No description");
    let merchant = rules.merchant(reason).or(facts.party).and_then(stated);
    shown(title, facts.category.or(facts.code), merchant)
}

/// Returns a text without spaces around it, like `btrim` and `nullif` of PostgreSQL; `None` if nothing is left.
fn stated(text: &str) -> Option<&str> {
    Some(text.trim_matches(' ')).filter(|text| !text.is_empty())
}
