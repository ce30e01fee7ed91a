//! Personal access tokens: a prefix, 32 random base62 characters, and 6 characters of CRC-32 over everything before.
//!
//! The checksum rejects malformed tokens without a database query and makes matches of secret scanners reliable. The
//! plain token exists only at creation; the database stores its SHA-256.

use std::fmt;

use passbook_domain::Invalid;
use passbook_domain::ports::TokenHash;
use sha2::{Digest, Sha256};

/// Default prefix of personal access tokens.
pub const DEFAULT_PREFIX: &str = "pbk_";

/// Number of random characters in a token: 32 × log₂ 62 ≈ 190 bits.
const RANDOM_CHARACTERS: usize = 32;
/// Number of checksum characters in a token: enough for 32 bits, because 62⁶ exceeds 2³².
const CHECKSUM_CHARACTERS: usize = 6;
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Maximum length of a prefix, in characters.
const PREFIX_CHARACTERS_MAX: usize = 16;

/// Checks a token prefix: up to 16 lower-case letters, digits and underscores that end with an underscore, so that
/// secret scanners can recognise tokens.
///
/// # Errors
/// [`Invalid`] with the rule.
pub fn check_prefix(prefix: &str) -> Result<(), Invalid> {
    let good = (1..=PREFIX_CHARACTERS_MAX).contains(&prefix.len())
        && prefix.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        && prefix.ends_with('_');
    let rule = "must be up to 16 lower-case letters, digits and underscores that end in _";
    if good { Ok(()) } else { Err(Invalid::new(rule)) }
}

/// Returns true if a part of the text is a well-formed token of any prefix. The checksum makes chance matches unlikely:
/// one in 2³² texts of the same form.
pub fn contains_well_formed(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_prefix = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_';
    let underscores = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'_').map(|(index, _)| index);
    underscores.into_iter().any(|underscore| {
        let end = underscore + 1 + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS;
        let before = bytes[..underscore].iter().rev().take(PREFIX_CHARACTERS_MAX - 1);
        let longest = before.take_while(|byte| is_prefix(byte)).count();
        (underscore - longest..=underscore).any(|start| {
            let token = text.get(start..end);
            token.is_some_and(|token| PlainToken::parse(&text[start..=underscore], token).is_some())
        })
    })
}

/// A personal access token in plain text. Its `Debug` output does not contain the token.
pub struct PlainToken(String);

impl PlainToken {
    /// Generates a token from the operating system's secure random source.
    ///
    /// # Panics
    /// If the operating system provides no random bytes.
    pub fn generate(prefix: &str) -> PlainToken {
        let mut text = String::with_capacity(prefix.len() + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS);
        text.push_str(prefix);
        while text.len() < prefix.len() + RANDOM_CHARACTERS {
            let mut bytes = [0; 64];
            getrandom::fill(&mut bytes).expect("the operating system provides random bytes");
            // 248 is the largest multiple of 62 below 256: smaller bytes map to all characters with equal probability.
            let fair = bytes.iter().filter(|byte| **byte < 248);
            let missing = prefix.len() + RANDOM_CHARACTERS - text.len();
            text.extend(fair.take(missing).map(|byte| char::from(ALPHABET[usize::from(byte % 62)])));
        }
        let checksum = checksum(&text);
        text.push_str(&checksum);
        PlainToken(text)
    }

    /// Parses a personal access token. Returns `None` if the prefix, the length, a character or the checksum is wrong.
    pub fn parse(prefix: &str, text: &str) -> Option<PlainToken> {
        let opaque = text.strip_prefix(prefix)?;
        let well_formed = opaque.len() == RANDOM_CHARACTERS + CHECKSUM_CHARACTERS
            && opaque.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !well_formed {
            return None;
        }
        let (body, given) = text.split_at(text.len() - CHECKSUM_CHARACTERS);
        (checksum(body) == given).then(|| PlainToken(text.to_owned()))
    }

    /// Parses a personal access token of any prefix. Returns `None` if a part is wrong.
    pub fn parse_with_any_prefix(text: &str) -> Option<PlainToken> {
        let (prefix, _) =
            text.split_at_checked(text.len().checked_sub(RANDOM_CHARACTERS + CHECKSUM_CHARACTERS)?)?;
        check_prefix(prefix).ok()?;
        PlainToken::parse(prefix, text)
    }

    /// Returns the text of the token. No other method shows the text.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns the SHA-256 of the token, which is stored and looked up instead of the token.
    pub fn hash(&self) -> TokenHash {
        TokenHash::new(Sha256::digest(self.0.as_bytes()).into())
    }

    /// Returns the last four characters, by which a user recognises a token in a list.
    pub fn last_four(&self) -> String {
        self.0[self.0.len() - 4..].to_owned()
    }
}

impl fmt::Debug for PlainToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PlainToken")
    }
}

fn checksum(text: &str) -> String {
    let mut value = crc32fast::hash(text.as_bytes());
    let mut characters = [b'0'; CHECKSUM_CHARACTERS];
    for character in characters.iter_mut().rev() {
        *character = ALPHABET[(value % 62) as usize];
        value /= 62;
    }
    characters.map(char::from).iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_token_parses() {
        let token = PlainToken::generate(DEFAULT_PREFIX);
        assert_eq!(token.reveal().len(), 42);
        let again = PlainToken::parse(DEFAULT_PREFIX, token.reveal()).expect("well formed");
        assert_eq!(again.hash(), token.hash());
        assert!(token.reveal().ends_with(&token.last_four()));
    }

    #[test]
    fn generated_tokens_differ() {
        let (one, other) = (PlainToken::generate("pbk_"), PlainToken::generate("pbk_"));
        assert_ne!(one.reveal(), other.reveal());
    }

    #[test]
    fn checksum_is_crc32_in_base62() {
        // Test value from an independent implementation (Python's zlib.crc32).
        assert!(PlainToken::parse("pfa_", "pfa_000000000000000000000000000000003GrczT").is_some());
    }

    #[test]
    fn malformed_tokens_are_rejected() {
        let good = PlainToken::generate("pbk_").reveal().to_owned();
        let mut flipped = good.clone().into_bytes();
        flipped[10] = if flipped[10] == b'a' { b'b' } else { b'a' };
        let flipped = String::from_utf8(flipped).expect("ASCII");
        for text in [
            "",
            "pbk_",
            &good[1..],
            &good[..41],
            &format!("{good}0"),
            &flipped,
            &good.replace("pbk_", "pbq_"),
        ] {
            assert!(PlainToken::parse("pbk_", text).is_none(), "{text}");
        }
    }

    #[test]
    fn well_formed_token_is_found_anywhere_in_a_text() {
        for prefix in ["pbk_", "acme_2_", "_"] {
            let token = PlainToken::generate(prefix);
            let token = token.reveal();
            for text in [token, &format!("user={token}"), &format!("é/x{token}.csv é")] {
                assert!(contains_well_formed(text), "{prefix}");
            }
            assert!(!contains_well_formed(&token[..token.len() - 1]));
            assert!(PlainToken::parse_with_any_prefix(token).is_some());
            assert!(PlainToken::parse_with_any_prefix(&format!("A{token}")).is_none());
        }
        let almost = "pfa_000000000000000000000000000000003GrczU";
        assert!(!contains_well_formed(almost) && !contains_well_formed("") && !contains_well_formed("_"));
    }

    #[test]
    fn debug_output_does_not_contain_the_token() {
        assert_eq!(format!("{:?}", PlainToken::generate("pbk_")), "PlainToken");
    }
}
