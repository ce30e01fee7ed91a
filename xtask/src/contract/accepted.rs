//! The list of breaking changes that are meant, `docs/contract/breaking.txt`.

/// What stands between a change and its reason.
const SEPARATOR: &str = " | ";

/// A breaking change that is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The change, exactly as the comparison names it.
    pub change: String,
    /// Why it is right all the same.
    pub reason: String,
}

/// Reads the list: a change and its reason on each line, empty lines and those that begin with `#` left out. The error
/// names the line that is neither.
pub fn parse(text: &str) -> Result<Vec<Accepted>, (usize, String)> {
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
    fn a_line_is_a_change_and_its_reason() {
        let entry =
            |change: &str, reason: &str| Accepted { change: change.to_owned(), reason: reason.to_owned() };
        let text = "# why\n\nGET /v1/me: operation removed | Nobody asks.\n  /b: path removed  |  a | b \n";
        let expected =
            vec![entry("GET /v1/me: operation removed", "Nobody asks."), entry("/b: path removed", "a | b")];
        assert_eq!(parse(text), Ok(expected));
        for (text, line) in [("/b: path removed", 1), ("\n/b: path removed | ", 2), ("\n\n | because", 3)] {
            assert_eq!(parse(text).map_err(|(line, _)| line), Err(line), "{text:?}");
        }
    }
}
