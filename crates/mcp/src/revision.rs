//! The supported revisions of the Model Context Protocol, in one table.

/// A family of revisions with the same handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    /// Revisions in which a client begins with `initialize`.
    Legacy,
    /// Revisions in which each request carries its own metadata. A client may begin with `server/discover`.
    Modern,
}

impl Era {
    /// Both eras, in the order of their numbers.
    pub(crate) const ALL: [Era; 2] = [Era::Legacy, Era::Modern];
}

/// A revision of the protocol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Revision {
    /// Name of the revision: the day of its publication.
    pub(crate) name: &'static str,
    /// The era that the revision belongs to.
    pub(crate) era: Era,
}

/// Every served revision, newest first.
pub(crate) const REVISIONS: [Revision; 5] = [
    Revision { name: "2026-07-28", era: Era::Modern },
    Revision { name: "2025-11-25", era: Era::Legacy },
    Revision { name: "2025-06-18", era: Era::Legacy },
    Revision { name: "2025-03-26", era: Era::Legacy },
    Revision { name: "2024-11-05", era: Era::Legacy },
];

/// Returns the supported revision with this name; `None` if there is none.
pub(crate) fn find(name: &str) -> Option<&'static Revision> {
    REVISIONS.iter().find(|revision| revision.name == name)
}

/// Returns the name of the newest revision of an era.
pub(crate) fn newest(era: Era) -> &'static str {
    REVISIONS.iter().find(|revision| revision.era == era).map_or("", |revision| revision.name)
}

/// Returns true if a revision name belongs to the modern era: it is the oldest modern revision or any later day. The
/// revision need not be supported.
pub(crate) fn claims_modern(name: &str) -> bool {
    let oldest = REVISIONS.iter().rfind(|revision| revision.era == Era::Modern);
    let is_day = name.len() == 10
        && name.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    is_day && oldest.is_some_and(|oldest| name >= oldest.name)
}

/// Returns the name of every served revision, newest first.
pub(crate) fn names() -> Vec<&'static str> {
    REVISIONS.iter().map(|revision| revision.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modern_era_begins_with_its_oldest_revision() {
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
