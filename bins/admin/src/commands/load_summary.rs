//! The part of a load's summary that names people and credentials.

use passbook_ingest::load::{CredentialChange, Summary};

use crate::output;

/// Maximum number of people, and of credentials, that are named.
const LISTED_MAX: usize = 20;

/// Returns the lines that name the people whose rows a load wrote, and the credentials that it changed.
pub(super) fn lines(summary: &Summary) -> Vec<String> {
    let mut lines: Vec<String> =
        listed(&summary.people, Clone::clone).into_iter().map(|email| format!("rows of: {email}")).collect();
    if !summary.credentials.is_empty() {
        let heading = ["credential", "name", "owner", "change"].map(str::to_owned);
        let rows: Vec<_> =
            std::iter::once(heading).chain(summary.credentials.iter().take(LISTED_MAX).map(row)).collect();
        lines.extend(output::table(&rows));
        lines.extend(more(summary.credentials.len()));
    }
    lines
}

fn listed<T>(items: &[T], text: impl Fn(&T) -> String) -> Vec<String> {
    items.iter().take(LISTED_MAX).map(text).chain(more(items.len())).collect()
}

fn more(count: usize) -> Option<String> {
    count.checked_sub(LISTED_MAX).filter(|more| *more > 0).map(|more| format!("and {more} more"))
}

fn row(change: &CredentialChange) -> [String; 4] {
    let owner = change.owner.clone().unwrap_or_else(|| "everyone".to_owned());
    let inserted = if change.inserted { "inserted" } else { "updated" };
    [change.table.to_owned(), change.name.clone(), owner, inserted.to_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_and_credentials_are_named_up_to_a_limit() {
        let change = |name: &str, owner: Option<&str>| CredentialChange {
            table: "oauth_clients",
            name: name.to_owned(),
            owner: owner.map(str::to_owned),
            inserted: owner.is_some(),
        };
        let summary = Summary {
            people: (0..22).map(|number| format!("{number}@example.org")).collect(),
            credentials: vec![change("a (A)", Some("a@b")), change("b\u{1b}[2J", None)],
            ..Summary::default()
        };
        let lines = lines(&summary);
        assert_eq!(lines[0], "rows of: 0@example.org");
        assert_eq!(
            lines[20..],
            [
                "rows of: and 2 more",
                "credential     name   owner     change",
                "oauth_clients  a (A)  a@b       inserted",
                "oauth_clients  b\u{fffd}[2J  everyone  updated",
            ]
        );
        assert!(super::lines(&Summary::default()).is_empty());
    }
}
