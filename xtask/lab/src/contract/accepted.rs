//! Reads `docs/contract/breaking.txt`, the list of accepted breaking changes.

/// Text between a change and its reason.
const SEPARATOR: &str = " | ";

/// A breaking change that was accepted with a reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Accepted {
    /// The change, exactly as [`super::breaking_changes`] returns it.
    pub(super) change: String,
    /// The reason for accepting the change.
    pub(super) reason: String,
}

/// Parses the list of accepted changes. Each line has one change and its reason. Skips empty lines and lines that start
/// with `#`.
///
/// # Errors
/// The number of a line without a change or a reason, and the remedy.
pub(super) fn parse(text: &str) -> Result<Vec<Accepted>, (usize, String)> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let entries = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    entries
        .map(|(number, line)| match line.split_once(SEPARATOR) {
            Some((change, reason)) if !change.trim().is_empty() && !reason.trim().is_empty() => {
                Ok(Accepted { change: change.trim().to_owned(), reason: reason.trim().to_owned() })
            }
            _ => Err((number, format!("write the change, `{SEPARATOR}` and the reason"))),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_without_change_or_reason_is_an_error() {
        let entry =
            |change: &str, reason: &str| Accepted { change: change.to_owned(), reason: reason.to_owned() };
        let text = "# comment\n\nGET /v1/me: operation removed | Unused.\n  /b: path removed  |  a | b \n";
        let expected =
            vec![entry("GET /v1/me: operation removed", "Unused."), entry("/b: path removed", "a | b")];
        assert_eq!(parse(text), Ok(expected));
        for (text, line) in [("/b: path removed", 1), ("\n/b: path removed | ", 2), ("\n\n | because", 3)] {
            assert_eq!(parse(text).map_err(|(line, _)| line), Err(line), "{text:?}");
        }
    }
}
