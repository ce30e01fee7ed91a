//! Secrets on the command line. A command line is visible to all users of the machine, so no command takes a secret as
//! an argument. A secret that was given by mistake is not repeated.

use std::ffi::OsString;
use std::path::Path;

use passbook_auth::personal_access_token::{DEFAULT_PREFIX, contains_well_formed};

/// Replacement of a word that may be a secret.
pub(crate) const WITHHELD: &str = "(withheld)";

/// Minimum number of letters and digits after an underscore for a word to be withheld. Tokens have 38; the margin
/// covers truncated ones.
const AFTER_UNDERSCORE_MIN: usize = 12;
/// Minimum number of mixed letters and digits without an underscore for a word to be withheld.
const OPAQUE_CHARACTERS_MIN: usize = 30;
/// Start of every JSON Web Token: `{"` in base64url.
const JSON_WEB_TOKEN: &str = "eyJ";

/// Returns true if an argument contains a personal access token.
pub(crate) fn contain_token(arguments: &[OsString]) -> bool {
    arguments.iter().any(|argument| contains_well_formed(&argument.to_string_lossy()))
}

/// The words of a command line that may be secrets: complete and truncated tokens, and URLs with a password.
#[derive(Debug)]
pub(crate) struct WithheldWords(Vec<String>);

impl WithheldWords {
    /// Finds the words.
    pub(crate) fn in_arguments(arguments: &[OsString]) -> WithheldWords {
        // The name of a file is no secret, however long its words are.
        let is_file = |argument: &OsString| Path::new(argument).is_file();
        let texts = arguments.iter().filter(|argument| !is_file(argument)).map(|one| one.to_string_lossy());
        let texts: Vec<_> = texts.collect();
        let mut words: Vec<String> =
            texts.iter().flat_map(|text| words_of(text)).map(str::to_owned).collect();
        // A word can be part of another word.
        words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        WithheldWords(words)
    }

    /// Replaces the words in a message.
    pub(crate) fn withhold(&self, message: &str) -> String {
        self.0.iter().fold(message.to_owned(), |message, word| message.replace(word, WITHHELD))
    }
}

/// Returns the words of an argument that may be secrets.
fn words_of(argument: &str) -> impl Iterator<Item = &str> {
    let url = argument.find("://").filter(|_| argument.contains('@')).map(|scheme| &argument[scheme..]);
    let may_be_in_token = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    let words = argument.split(move |letter| !may_be_in_token(letter)).filter(|word| may_be_token(word));
    url.into_iter().chain(words)
}

/// Returns true for a personal access token, a part of one, and a JSON Web Token.
fn may_be_token(word: &str) -> bool {
    let has_default_prefix = word.len() > DEFAULT_PREFIX.len() && word.contains(DEFAULT_PREFIX);
    let is_web_token = word.starts_with(JSON_WEB_TOKEN) && word.len() >= OPAQUE_CHARACTERS_MIN;
    let after_underscore =
        word.split('_').skip(1).any(|part| part.len() >= AFTER_UNDERSCORE_MIN && is_opaque(part));
    let is_long = |part: &str| part.len() >= OPAQUE_CHARACTERS_MIN && is_opaque(part);
    has_default_prefix || is_web_token || after_underscore || word.split(['_', '-', '.']).any(is_long)
}

/// Returns true if a word mixes digits with capital and small letters, as random characters do.
fn is_opaque(word: &str) -> bool {
    let has = |kind: fn(&u8) -> bool| word.bytes().any(|byte| kind(&byte));
    has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn withhold(argument: &str) -> String {
        WithheldWords::in_arguments(&[argument.into()]).withhold(&format!("'{argument}' is wrong"))
    }

    #[test]
    fn words_that_may_be_tokens_are_withheld() {
        for word in [
            "pfa_000000000000000000000000000000003GrczT",
            "pbk_0",
            "acme_2_0123456789Ab",
            "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
            "0123456789abcdefghijABCDEFGHIJ",
        ] {
            assert_eq!(withhold(word), "'(withheld)' is wrong", "{word}");
            assert_eq!(withhold(&format!("a,{word}")), "'a,(withheld)' is wrong", "{word}");
        }
    }

    #[test]
    fn password_in_a_url_is_withheld() {
        assert_eq!(withhold("postgresql://x:hunter2@h/d"), "'postgresql(withheld)' is wrong");
    }

    #[test]
    fn ordinary_words_are_repeated() {
        for word in [
            "",
            "you@example.org",
            "8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d",
            "statement_2024-01-01_to_2024-12-31.beancount",
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "https://claude.ai/api/mcp/auth_callback",
            "--expires-in-days=366",
        ] {
            assert_eq!(withhold(word), format!("'{word}' is wrong"));
        }
    }

    #[test]
    fn well_formed_token_is_found_in_any_argument() {
        let token = "pfa_000000000000000000000000000000003GrczT";
        assert!(contain_token(&["a".into(), format!("--x={token}").into()]));
        assert!(!contain_token(&["pbk_".into(), token[1..].into()]));
    }
}
