//! Personal access tokens: prefix, 32 random base62 characters, 6 of CRC-32 over all before them.
//!
//! The checksum lets garbage be refused without asking the database, and lets secret scanners be sure. The
//! plain token exists once, at creation; everything else sees its SHA-256.

use std::fmt;

use domain::Invalid;
use domain::ports::TokenHash;
use sha2::{Digest, Sha256};

/// The prefix of tokens where a deployment chose none.
pub const DEFAULT_PREFIX: &str = "pbk_";

/// Random characters in a token: 32 × log₂ 62 ≈ 190 bits.
const RANDOM_CHARACTERS: usize = 32;
/// Characters that hold the checksum: 62⁶ exceeds 2³².
const CHECKSUM_CHARACTERS: usize = 6;
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Characters of a prefix at most.
const PREFIX_CHARACTERS_MAX: usize = 16;

/// Refuses text that tokens must not start with: a prefix is up to 16 lower-case letters, digits and underscores,
/// the last an underscore, so that secret scanners know it.
pub fn check_prefix(prefix: &str) -> Result<(), Invalid> {
    let good = (1..=PREFIX_CHARACTERS_MAX).contains(&prefix.len())
        && prefix.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        && prefix.ends_with('_');
    let rule = "must be up to 16 lower-case letters, digits and underscores that end in _";
    if good { Ok(()) } else { Err(Invalid::new(rule)) }
}

/// A token in plain text. It prints as its type's name only.
pub struct PlainToken(String);

impl PlainToken {
    /// A new token from the operating system's secure random source.
    ///
    /// # Panics
    /// When the operating system has no random bytes to give: nothing secret can be made then.
    pub fn generate(prefix: &str) -> PlainToken {
        let mut text = String::with_capacity(prefix.len() + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS);
        text.push_str(prefix);
        while text.len() < prefix.len() + RANDOM_CHARACTERS {
            let mut bytes = [0; 64];
            getrandom::fill(&mut bytes).expect("the operating system provides random bytes");
            // 248 is the largest multiple of 62 in a byte: taking less keeps every character equally likely.
            let fair = bytes.iter().filter(|byte| **byte < 248);
            let missing = prefix.len() + RANDOM_CHARACTERS - text.len();
            text.extend(fair.take(missing).map(|byte| char::from(ALPHABET[usize::from(byte % 62)])));
        }
        let checksum = checksum(&text);
        text.push_str(&checksum);
        PlainToken(text)
    }

    /// Reads a token. None when it is not one: wrong prefix, length, alphabet or checksum.
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

    /// The token itself. The one place that shows it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is stored and looked up instead of the token.
    pub fn hash(&self) -> TokenHash {
        TokenHash::new(Sha256::digest(self.0.as_bytes()).into())
    }

    /// The last four characters, by which a person recognises a token in a list.
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
    fn a_generated_token_reads_back() {
        let token = PlainToken::generate(DEFAULT_PREFIX);
        assert_eq!(token.reveal().len(), 42);
        let again = PlainToken::parse(DEFAULT_PREFIX, token.reveal()).expect("well formed");
        assert_eq!(again.hash(), token.hash());
        assert!(token.reveal().ends_with(&token.last_four()));
    }

    #[test]
    fn two_tokens_differ() {
        let (one, other) = (PlainToken::generate("pbk_"), PlainToken::generate("pbk_"));
        assert_ne!(one.reveal(), other.reveal());
    }

    #[test]
    fn the_checksum_is_crc32_in_base62() {
        // A vector made with an independent implementation (Python's zlib.crc32).
        assert!(PlainToken::parse("pfa_", "pfa_000000000000000000000000000000003GrczT").is_some());
    }

    #[test]
    fn anything_else_is_refused() {
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
    fn a_token_cannot_be_printed() {
        assert_eq!(format!("{:?}", PlainToken::generate("pbk_")), "PlainToken");
    }
}
