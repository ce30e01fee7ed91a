//! Timestamps in the format of the responses.

use std::fmt;

use jiff::Timestamp;

use crate::string_enum::json_schema;

/// A timestamp that is written as RFC 3339 in UTC with whole seconds, such as `2026-11-15T06:12:03Z`. Fractions of a
/// second are truncated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UtcTimestamp(Timestamp);

impl UtcTimestamp {
    /// Returns the timestamp with its fraction of a second.
    pub const fn timestamp(self) -> Timestamp {
        self.0
    }
}

impl From<Timestamp> for UtcTimestamp {
    fn from(timestamp: Timestamp) -> UtcTimestamp {
        UtcTimestamp(timestamp)
    }
}

impl fmt::Display for UtcTimestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.strftime("%Y-%m-%dT%H:%M:%SZ"))
    }
}

impl serde::Serialize for UtcTimestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

// The name of the component in the OpenAPI document, which clients generate types from, must not change.
json_schema!(UtcTimestamp, "Moment", inline: false, { "type": "string", "format": "date-time" });

#[cfg(test)]
mod tests {
    use super::UtcTimestamp;

    #[test]
    fn timestamp_is_written_in_utc_with_whole_seconds() {
        for (stored, shown) in [
            ("2026-11-15T06:12:03Z", "2026-11-15T06:12:03Z"),
            ("2026-11-15T06:12:03.987654Z", "2026-11-15T06:12:03Z"),
            ("2026-11-15T01:12:03-05:00", "2026-11-15T06:12:03Z"),
            ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"),
        ] {
            let timestamp: jiff::Timestamp = stored.parse().expect("a timestamp");
            assert_eq!(UtcTimestamp::from(timestamp).to_string(), shown);
        }
    }
}
