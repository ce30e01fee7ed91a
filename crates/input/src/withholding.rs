//! The parts of a received text that a message may repeat. A secret that was sent in the wrong place is withheld.
//!
//! There are two rules, because the inputs differ:
//!
//! | input | rule | reason |
//! |---|---|---|
//! | parameters of a request | [`excerpt`] withholds the whole text if a word is long enough to be a token | Valid values are short, and access tokens of any provider are recognised without a prefix. |
//! | files and commands of the operator | [`without_tokens`] replaces each token that has a prefix | Long words such as hashes and account identifiers are ordinary there, and the operator needs the text around a token. |

/// Maximum number of characters of a received value that a message repeats.
const CHARACTERS_MAX: usize = 80;

/// Minimum length of a word that [`excerpt`] treats as a possible token. A UUID is shorter.
const WORD_CHARACTERS_MIN: usize = 38;

/// Minimum number of letters and digits after an underscore for a text to look like a token. Real tokens have more; the
/// margin also covers truncated ones.
const OPAQUE_CHARACTERS_MIN: usize = 30;

/// Replacement of a token.
const WITHHELD: &str = "(withheld)";

/// Returns the part of a received parameter that an error message may repeat: its first 80 characters.
///
/// A text with a word as long as a token is replaced by `(withheld)`.
pub fn excerpt(text: &str) -> String {
    let may_be_in_token = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    if text.split(|letter| !may_be_in_token(letter)).any(|word| word.len() >= WORD_CHARACTERS_MIN) {
        return WITHHELD.to_owned();
    }
    shortened(text)
}

/// Replaces every part that looks like a token: a lower-case prefix that ends in an underscore, followed by at least 30
/// letters and digits. For the texts of files and commands.
pub fn without_tokens(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((start, end)) = next_token(rest) {
        shown.push_str(&rest[..start]);
        shown.push_str(WITHHELD);
        rest = &rest[end..];
    }
    shown + rest
}

/// Returns true if [`without_tokens`] would replace a part of the text.
pub fn contains_token(text: &str) -> bool {
    next_token(text).is_some()
}

/// Truncates a text after 80 characters.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(CHARACTERS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns start and end of the first part that looks like a token.
fn next_token(text: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let is_prefix = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_';
    let mut underscores = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'_').map(|(at, _)| at);
    underscores.find_map(|at| {
        let opaque = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let prefix = bytes[..at].iter().rev().take_while(|byte| is_prefix(byte)).count();
        // After a capital letter the text is a code, such as a provider's category.
        let is_code =
            prefix == 0 && at.checked_sub(1).is_some_and(|before| bytes[before].is_ascii_uppercase());
        (opaque >= OPAQUE_CHARACTERS_MIN && !is_code).then_some((at - prefix, at + 1 + opaque))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_after_eighty_characters() {
        let text = "é ".repeat(40);
        assert_eq!(excerpt(&text), text);
        assert_eq!(excerpt(&format!("{text}x")), format!("{text}…"));
    }

    #[test]
    fn text_with_a_word_as_long_as_a_token_is_withheld() {
        let uuid = "8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d";
        assert_eq!(excerpt(uuid), uuid);
        assert_eq!(excerpt(&format!("x {uuid}x")), format!("x {uuid}x"));
        assert_eq!(excerpt(&format!("x {uuid}xy")), "(withheld)");
    }

    #[test]
    fn underscore_alone_is_a_prefix() {
        assert_eq!(without_tokens("_0123456789abcdefghijABCDEFGHIJ"), WITHHELD);
    }

    #[test]
    fn texts_that_are_not_tokens_are_repeated() {
        for text in [
            "",
            "_",
            "personal_access_tokens_token_hash_key",
            "pbk_0123456789abcdefghijABCDEFGHI",
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "INCOME_0123456789abcdefghijABCDEFGHIJ",
            "é_é",
        ] {
            assert_eq!(without_tokens(text), text);
            assert!(!contains_token(text), "{text}");
        }
    }
}
