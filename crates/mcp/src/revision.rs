//! The revisions of the Model Context Protocol that are served, in one table.

use serde_json::Value;

/// How a revision talks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    /// Begins with `initialize`.
    Legacy,
    /// Each request carries its own metadata; begins, if at all, with `server/discover`.
    Modern,
}

/// One revision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Revision {
    /// Its name, the day it was published.
    pub(crate) name: &'static str,
    /// How it talks.
    pub(crate) era: Era,
}

/// Every revision served, the newest first.
pub(crate) const REVISIONS: [Revision; 5] = [
    Revision { name: "2026-07-28", era: Era::Modern },
    Revision { name: "2025-11-25", era: Era::Legacy },
    Revision { name: "2025-06-18", era: Era::Legacy },
    Revision { name: "2025-03-26", era: Era::Legacy },
    Revision { name: "2024-11-05", era: Era::Legacy },
];

/// The revision of a name.
pub(crate) fn named(name: &str) -> Option<&'static Revision> {
    REVISIONS.iter().find(|revision| revision.name == name)
}

/// The newest revision of an era.
pub(crate) fn newest(era: Era) -> &'static str {
    REVISIONS.iter().find(|revision| revision.era == era).map_or("", |revision| revision.name)
}

/// Whether a name claims the modern era: the oldest modern revision, or a later day than that.
pub(crate) fn claims_modern(name: &str) -> bool {
    let oldest = REVISIONS.iter().rfind(|revision| revision.era == Era::Modern);
    let like_a_day = |name: &str| {
        name.len() == 10
            && name.bytes().enumerate().all(|(at, byte)| match at {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            })
    };
    like_a_day(name) && oldest.is_some_and(|oldest| name >= oldest.name)
}

/// Every name, as JSON.
pub(crate) fn names() -> Value {
    REVISIONS.iter().map(|revision| revision.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_modern_era_begins_with_its_oldest_revision() {
        for (name, modern) in [
            ("2026-07-28", true),
            ("2026-07-29", true),
            ("2031-01-01", true),
            ("2026-07-27", false),
            ("2025-11-25", false),
            ("latest", false),
            ("9", false),
            ("", false),
        ] {
            assert_eq!(claims_modern(name), modern, "{name}");
        }
        assert_eq!((newest(Era::Legacy), newest(Era::Modern)), ("2025-11-25", "2026-07-28"));
    }
}
