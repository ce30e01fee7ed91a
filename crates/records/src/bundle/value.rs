//! The types of field values. Each type implements its reader, its rule for faults and its JSON Schema together, so
//! that the three cannot disagree.

use jiff::Timestamp;
use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::bank::BankStatus;
use passbook_domain::category::{Category, ExpenseCategory};
use passbook_domain::money::AMOUNT_CENTS_MAX;
use passbook_domain::portfolio::{AccountType, PositionSide, SecurityType};
use passbook_domain::scope::Scope;
use passbook_domain::transaction::TransactionType;
use passbook_input::{Fault, Faults};
use rust_decimal::Decimal;
use schemars::{Schema, SchemaGenerator, json_schema};
use uuid::Uuid;

use super::node::Node;

/// First and last year of dates and times.
const YEARS: std::ops::RangeInclusive<i16> = 1900..=2200;

/// Maximum number of items of a list in a field.
const ITEMS_MAX: usize = 100;

/// A type of field values.
pub(super) trait Value: Sized {
    /// Reads a value. If the value is invalid, adds every fault and returns `None`.
    fn read(node: &Node, place: &str, faults: &mut Faults) -> Option<Self>;

    /// Returns the value of an absent key, or `None` if the key is required.
    fn absent() -> Option<Self> {
        None
    }

    /// Returns the JSON Schema of the type.
    fn schema(generator: &mut SchemaGenerator) -> Schema;
}

impl<T: Value> Value for Option<T> {
    fn read(node: &Node, place: &str, faults: &mut Faults) -> Option<Self> {
        T::read(node, place, faults).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        T::schema(generator)
    }
}

/// Reads a list without repetitions, in the order received.
impl<T: Value + PartialEq> Value for Vec<T> {
    fn read(node: &Node, place: &str, faults: &mut Faults) -> Option<Self> {
        let Node::List(items) = node else {
            return reject(node, place, "must be an array", faults);
        };
        if items.len() > ITEMS_MAX {
            let rule = format!("must have at most {ITEMS_MAX} items");
            faults.push(Fault::new(place, rule).received(format!("{} items", items.len())));
            return None;
        }
        let known = faults.count();
        let mut list = Vec::with_capacity(items.len());
        for (number, item) in items.iter().enumerate() {
            let place = format!("{place}[{number}]");
            match T::read(item, &place, faults) {
                Some(value) if list.contains(&value) => {
                    faults.push(
                        Fault::new(place, "must not repeat an earlier item").received(item.to_string()),
                    );
                }
                value => list.extend(value),
            }
        }
        (faults.count() == known).then_some(list)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let items = T::schema(generator);
        json_schema!({ "type": "array", "uniqueItems": true, "maxItems": ITEMS_MAX, "items": items })
    }
}

/// A boolean field, with the value that applies if the key is absent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flag<const DEFAULT: bool>(pub(super) bool);

impl<const DEFAULT: bool> Value for Flag<DEFAULT> {
    fn read(node: &Node, place: &str, faults: &mut Faults) -> Option<Self> {
        match node {
            Node::Bool(value) => Some(Flag(*value)),
            _ => reject(node, place, "must be true or false", faults),
        }
    }

    fn absent() -> Option<Self> {
        Some(Flag(DEFAULT))
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "boolean", "default": DEFAULT })
    }
}

/// An amount of money in hundredths, from `MIN` to [`AMOUNT_CENTS_MAX`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Cents<const MIN: i64>(pub(super) i64);

/// An amount of money without a sign, in hundredths.
pub(super) type Magnitude = Cents<0>;
/// An amount of money with a sign, in hundredths.
pub(super) type SignedCents = Cents<{ -AMOUNT_CENTS_MAX }>;

impl<const MIN: i64> Value for Cents<MIN> {
    fn read(node: &Node, place: &str, faults: &mut Faults) -> Option<Self> {
        match node {
            Node::Number(number)
                if number.as_i64().is_some_and(|cents| (MIN..=AMOUNT_CENTS_MAX).contains(&cents)) =>
            {
                number.as_i64().map(Cents)
            }
            _ => reject(
                node,
                place,
                &format!("must be a whole number of cents from {MIN} to {AMOUNT_CENTS_MAX}"),
                faults,
            ),
        }
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": MIN, "maximum": AMOUNT_CENTS_MAX })
    }
}

/// An exact decimal number. In JSON it is a string, so that no JSON reader turns it into a binary fraction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exact<const SIGN: u8>(pub(super) Decimal);

const ANY: u8 = 0;
const NOT_NEGATIVE: u8 = 1;
const POSITIVE: u8 = 2;

/// A decimal number with any sign.
pub(super) type Quantity = Exact<ANY>;
/// A decimal number that is zero or greater.
pub(super) type NotNegative = Exact<NOT_NEGATIVE>;
/// A decimal number that is greater than zero.
pub(super) type Positive = Exact<POSITIVE>;

impl<const SIGN: u8> Exact<SIGN> {
    const RULE: &'static str = match SIGN {
        ANY => "must be a decimal number in quotation marks, such as \"-12.50\", of at most 28 digits",
        NOT_NEGATIVE => {
            "must be a decimal number from 0 in quotation marks, such as \"12.50\", of at most 28 digits"
        }
        _ => "must be a decimal number above 0 in quotation marks, such as \"12.50\", of at most 28 digits",
    };

    fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !plain(whole) || !plain(fraction) || digits.len() > 29 {
            return None;
        }
        let number = Decimal::from_str_exact(text).ok()?;
        let allowed = match SIGN {
            ANY => true,
            NOT_NEGATIVE => number >= Decimal::ZERO,
            _ => number > Decimal::ZERO,
        };
        allowed.then_some(Exact(number))
    }
}

impl<const SIGN: u8> Value for Exact<SIGN> {
    fn read(node: &Node, place: &str, faults: &mut Faults) -> Option<Self> {
        read_text(node, place, Self::RULE, faults, Self::parse)
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        let sign = if SIGN == ANY { "-?" } else { "" };
        json_schema!({ "type": "string", "pattern": format!("^{sign}[0-9]+(\\.[0-9]+)?$"), "maxLength": 30 })
    }
}

impl Value for Uuid {
    fn read(node: &Node, place: &str, faults: &mut Faults) -> Option<Self> {
        let rule = "must be a UUID of 32 hexadecimal digits in five groups";
        // A UUID has other spellings (without hyphens, in braces, as a URN). They would be a second text for the same
        // person.
        read_text(node, place, rule, faults, |text| match text.len() {
            36 => Uuid::try_parse(text).ok(),
            _ => None,
        })
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "uuid" })
    }
}

impl Value for Date {
    fn read(node: &Node, place: &str, faults: &mut Faults) -> Option<Self> {
        let rule = "must be a calendar date YYYY-MM-DD from 1900 to 2200";
        read_text(node, place, rule, faults, |text| match text.len() {
            10 => text.parse::<Date>().ok().filter(|date| YEARS.contains(&date.year())),
            _ => None,
        })
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date" })
    }
}

impl Value for Timestamp {
    fn read(node: &Node, place: &str, faults: &mut Faults) -> Option<Self> {
        let rule = "must be a time with a zone from 1900 to 2200, such as 2026-11-21T06:12:03Z";
        read_text(node, place, rule, faults, |text| {
            let date: Date = text.get(..10)?.parse().ok()?;
            let well_formed = text.as_bytes().get(10) == Some(&b'T') && !text.contains('[');
            (well_formed && YEARS.contains(&date.year())).then(|| text.parse().ok()).flatten()
        })
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date-time" })
    }
}

impl Value for Currency {
    fn read(node: &Node, place: &str, faults: &mut Faults) -> Option<Self> {
        let rule = "must be a currency code of three upper-case letters, such as EUR";
        read_text(node, place, rule, faults, |text| Currency::parse(text).ok())
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<Currency>()
    }
}

/// Implements `Value` for enums with fixed texts.
macro_rules! string_enums {
    ($($word:ty),+ $(,)?) => {
        $(impl Value for $word {
            fn read(node: &Node, place: &str, faults: &mut Faults) -> Option<Self> {
                let error = match node {
                    Node::Text(text) => match <$word>::parse(text) {
                        Ok(word) => return Some(word),
                        Err(error) => error,
                    },
                    _ => <$word>::parse("").expect_err("no word is empty"),
                };
                reject(node, place, &format!("must be one of {}", error.allowed().join(", ")), faults)
            }

            fn schema(generator: &mut SchemaGenerator) -> Schema {
                generator.subschema_for::<$word>()
            }
        })+
    };
}

string_enums!(
    AccountType,
    BankStatus,
    Category,
    ExpenseCategory,
    PositionSide,
    Scope,
    SecurityType,
    TransactionType
);

/// Parses text, and adds a fault with `rule` if the value is not text or does not parse.
pub(super) fn read_text<T>(
    node: &Node,
    place: &str,
    rule: &str,
    faults: &mut Faults,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Option<T> {
    let value = match node {
        Node::Text(text) => parse(text),
        _ => None,
    };
    value.or_else(|| reject(node, place, rule, faults))
}

fn reject<T>(node: &Node, place: &str, rule: &str, faults: &mut Faults) -> Option<T> {
    faults.push(Fault::new(place, rule).received(node.to_string()));
    None
}
