//! Keeps control characters from the terminal. Files of banks, and their names, may have such characters: a terminal obeys
//! them, and can even write the clipboard.

/// The character that stands for a control character.
const REPLACEMENT: &str = "\u{fffd}";

/// Replaces the control characters in text of any number of lines. Everything that this program prints passes through here,
/// except backups.
pub(crate) fn terminal_text(text: &str) -> String {
    text.replace(|character: char| character.is_control() && !matches!(character, '\n' | '\t'), REPLACEMENT)
}

/// Replaces all control characters by spaces, so that the text has one line.
pub(crate) fn printable(text: &str) -> String {
    text.replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_but_line_breaks_and_tabs_is_left() {
        let text = "a\x1b]0;T\x07\tb\u{9b}c\x7f\r\nä";
        assert_eq!(terminal_text(text), "a\u{fffd}]0;T\u{fffd}\tb\u{fffd}c\u{fffd}\u{fffd}\nä");
        assert_eq!(printable(text), "a ]0;T  b c   ä");
    }
}
