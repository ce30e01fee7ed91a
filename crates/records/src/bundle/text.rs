//! The types of text values in a bundle. No text may be blank or contain control characters: PostgreSQL cannot store
//! NUL, and a terminal that shows a text would obey others.

use passbook_input::{Fault, Faults};
use schemars::{Schema, SchemaGenerator, json_schema};

use super::element::with_rule;
use super::node::Node;
use super::value::{Value, read_text};
use crate::provider_category::Direction;
use crate::record::{NAME_CHARS_MAX, TAGS_MAX};

/// Text of at most `CHARS_MAX` characters that is not blank.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Text<const CHARS_MAX: usize>(pub(super) String);

/// The identifier of a row in the system from which the bundle was exported.
pub(super) type SourceId = Text<200>;
/// A name that is shown to people.
pub(super) type Name = Text<NAME_CHARS_MAX>;
/// The name of an own category, or `Parent: Name`.
pub(super) type CategoryPath = Text<{ 2 * NAME_CHARS_MAX + 2 }>;
/// The name of a token or an OAuth client.
pub(super) type CredentialName = Text<100>;

impl<const CHARS_MAX: usize> Value for Text<CHARS_MAX> {
    fn read(node: &Node, place: &str, faults: &mut Faults) -> Option<Self> {
        let rule =
            format!("must be text of 1 to {CHARS_MAX} characters, not blank and without control characters");
        read_text(node, place, &rule, faults, |text| plain(text, CHARS_MAX).then(|| Text(text.to_owned())))
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "maxLength": CHARS_MAX })
    }
}

fn plain(text: &str, chars_max: usize) -> bool {
    !text.trim().is_empty() && !text.contains(char::is_control) && text.chars().count() <= chars_max
}

fn is_code(text: &str, chars_max: usize) -> bool {
    let allowed = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    plain(text, chars_max) && text.bytes().all(allowed)
}

/// Declares text types with a fixed form: the type, the rule for faults, the schema's pattern, and the check.
macro_rules! forms {
    ($($(#[$doc:meta])* $name:ident: $rule:literal, $pattern:literal, $holds:expr;)+) => {
        $($(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub(super) struct $name(pub(super) String);

        impl Value for $name {
            fn read(node: &Node, place: &str, faults: &mut Faults) -> Option<Self> {
                let holds: fn(&str) -> bool = $holds;
                read_text(node, place, $rule, faults, |text| holds(text).then(|| $name(text.to_owned())))
            }

            fn schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "pattern": $pattern })
            }
        })+
    };
}

forms! {
    /// An e-mail address.
    Email: "must be an e-mail address of at most 320 characters", "^.+@.+$",
        |text| plain(text, 320) && text.trim_start_matches('@').trim_end_matches('@').contains('@');

    /// A provider's error code.
    ErrorCode: "must be 1 to 64 upper-case letters, digits and underscores", "^[A-Z0-9_]{1,64}$",
        |text| is_code(text, 64);

    /// The name of a network or a provider.
    Code: "must be 1 to 32 upper-case letters, digits and underscores", "^[A-Z0-9_]{1,32}$",
        |text| is_code(text, 32);

    /// The subtype of an account.
    Subtype: "must be lower-case text of 1 to 64 characters, such as checking", "^[^A-Z]{1,64}$",
        |text| plain(text, 64) && text.chars().flat_map(char::to_lowercase).eq(text.chars());

    /// An International Securities Identification Number.
    Isin: "must be an ISIN: two upper-case letters, nine letters or digits, one digit",
        "^[A-Z]{2}[A-Z0-9]{9}[0-9]$",
        |text| is_code(text, 12) && text.len() == 12 && !text.contains('_')
            && text.bytes().take(2).all(|byte| byte.is_ascii_uppercase())
            && text.bytes().last().is_some_and(|byte| byte.is_ascii_digit());

    /// A wallet's address.
    Address: "must be text of 8 to 128 characters, not blank and without control characters", "^.{8,128}$",
        |text| plain(text, 128) && text.chars().count() >= 8;

    /// The last four characters of a token, by which its owner recognises it.
    LastFour: "must be the last four characters of the token", "^.{4}$",
        |text| plain(text, 4) && text.chars().count() == 4;
}

/// The tags of a transaction.
#[derive(Clone, Debug, Default)]
pub(super) struct Tags(pub(super) Vec<Name>);

impl Value for Tags {
    fn read(node: &Node, place: &str, faults: &mut Faults) -> Option<Self> {
        let tags = Vec::<Name>::read(node, place, faults)?;
        let known = faults.count();
        if tags.len() > TAGS_MAX {
            let rule = format!("must have at most {TAGS_MAX} items");
            faults.push(Fault::new(place, rule).received(format!("{} items", tags.len())));
        }
        for (number, tag) in tags.iter().enumerate() {
            if tags[..number].iter().any(|other| other.0.to_lowercase() == tag.0.to_lowercase()) {
                let rule = "must not repeat an earlier item, without regard to case";
                faults.push(Fault::new(format!("{place}[{number}]"), rule).received(format!("{:?}", tag.0)));
            }
        }
        (faults.count() == known).then_some(Tags(tags))
    }

    fn absent() -> Option<Self> {
        Some(Tags::default())
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        with_rule(Vec::<Name>::schema(generator), ("maxItems", TAGS_MAX.into()))
    }
}

/// The SHA-256 of a token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sha256(pub(super) [u8; 32]);

impl Value for Sha256 {
    fn read(node: &Node, place: &str, faults: &mut Faults) -> Option<Self> {
        let rule = "must be a SHA-256 in 64 lower-case hexadecimal digits";
        let hash = match node {
            Node::Text(text) => read_hash(text),
            _ => None,
        };
        // The received value is not repeated, because it may be the token itself.
        hash.or_else(|| {
            faults.push(Fault::new(place, rule));
            None
        })
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[0-9a-f]{64}$" })
    }
}

fn read_hash(text: &str) -> Option<Sha256> {
    let digits = text.as_bytes();
    if digits.len() != 64 || !digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')) {
        return None;
    }
    let mut hash = [0; 32];
    for (byte, pair) in hash.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(Sha256(hash))
}

impl Value for Direction {
    fn read(node: &Node, place: &str, faults: &mut Faults) -> Option<Self> {
        read_text(node, place, "must be in or out", faults, |text| match text {
            "in" => Some(Direction::In),
            "out" => Some(Direction::Out),
            _ => None,
        })
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": ["in", "out"] })
    }
}
