//! The types of parameters: how each is read from text and from JSON, and its JSON Schema.

mod number;

use jiff::civil::Date;
use passbook_domain::Invalid;
use passbook_domain::bounded::Bounded;
use passbook_domain::comparison::CompareTo;
use passbook_domain::page::{Cursor, parse_uuid};
use passbook_domain::period::{CategoryGrouping, GroupBy, MonthGrouping};
use passbook_domain::portfolio::{IntervalChoice, SeriesChoice};
use passbook_domain::range::{NamedPeriod, TimeRange, parse_date};
use passbook_domain::recurring::{ConfidenceMin, RecurringStatus};
use passbook_domain::transaction::{MerchantQuery, TransactionSort, TransactionType};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use uuid::Uuid;

pub use number::JsonFault;
pub(crate) use number::{is_number, whole_number_from};

/// A Rust type that request parameters can have.
pub trait Parameter: Sized {
    /// True if the parameter is written as JSON text in a query string.
    const JSON_TEXT: bool = false;
    /// True if the value is a number.
    const NUMBER: bool = false;

    /// Reads a value from the text of a query parameter.
    ///
    /// # Errors
    /// The rule that the text breaks.
    fn parse(text: &str) -> Result<Self, Invalid>;

    /// Reads a value from JSON. A JSON value of another type than the schema states is never converted. The default
    /// implementation reads a JSON string.
    ///
    /// # Errors
    /// The rule that the value breaks.
    fn from_json(value: &RawValue) -> Result<Self, JsonFault> {
        if let Ok(text) = serde_json::from_str::<String>(value.get()) {
            return Self::parse(&text).map_err(JsonFault::BrokenRule);
        }
        match Self::parse(value.get()) {
            // No other JSON value is among the allowed values. Listing them is more useful than asking for text.
            Err(invalid) if !invalid.allowed().is_empty() => Err(JsonFault::BrokenRule(invalid)),
            _ => Err(JsonFault::WrongType("must be text, in quotation marks".to_owned())),
        }
    }

    /// Returns the JSON Schema of the type's values.
    fn schema() -> Value;
    /// Returns an example of a valid value, as JSON.
    fn example() -> Value;
    /// Returns this value as JSON.
    fn to_json(&self) -> Value;
}

impl Parameter for bool {
    fn parse(text: &str) -> Result<bool, Invalid> {
        match text {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(Invalid::not_one_of(["true", "false"])),
        }
    }

    fn from_json(value: &RawValue) -> Result<bool, JsonFault> {
        serde_json::from_str(value.get())
            .map_err(|_| JsonFault::WrongType("must be true or false, without quotation marks".to_owned()))
    }

    fn schema() -> Value {
        json!({ "type": "boolean" })
    }

    fn example() -> Value {
        json!(true)
    }

    fn to_json(&self) -> Value {
        json!(self)
    }
}

impl<const MIN: i64, const MAX: i64> Parameter for Bounded<MIN, MAX> {
    const NUMBER: bool = true;

    fn parse(text: &str) -> Result<Self, Invalid> {
        Bounded::parse(text)
    }

    fn from_json(value: &RawValue) -> Result<Self, JsonFault> {
        Bounded::new(whole_number_from(value, MIN, MAX)?).map_err(JsonFault::BrokenRule)
    }

    fn schema() -> Value {
        json!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }

    fn example() -> Value {
        // A round number inside the range, so that the example request returns rows.
        json!([2026, 100, 25, 10].into_iter().find(|value| (MIN..=MAX).contains(value)).unwrap_or(MIN))
    }

    fn to_json(&self) -> Value {
        json!(self.get())
    }
}

impl Parameter for ConfidenceMin {
    const NUMBER: bool = true;

    fn parse(text: &str) -> Result<ConfidenceMin, Invalid> {
        ConfidenceMin::parse(text)
    }

    fn from_json(value: &RawValue) -> Result<ConfidenceMin, JsonFault> {
        if !is_number(value.get()) {
            return Err(JsonFault::WrongType("must be a number, without quotation marks".to_owned()));
        }
        ConfidenceMin::parse(value.get()).map_err(JsonFault::BrokenRule)
    }

    fn schema() -> Value {
        json!({ "type": "number", "minimum": 0, "maximum": 1 })
    }

    fn example() -> Value {
        json!(0.8)
    }

    fn to_json(&self) -> Value {
        json!(self.get())
    }
}

impl Parameter for Date {
    fn parse(text: &str) -> Result<Date, Invalid> {
        parse_date(text)
    }

    fn schema() -> Value {
        json!({ "type": "string", "format": "date", "pattern": r"^(19\d\d|20\d\d|21\d\d|2200)-\d\d-\d\d$" })
    }

    fn example() -> Value {
        json!("2026-01-31")
    }

    fn to_json(&self) -> Value {
        json!(self.to_string())
    }
}

impl Parameter for Uuid {
    fn parse(text: &str) -> Result<Uuid, Invalid> {
        parse_uuid(text)
    }

    fn schema() -> Value {
        json!({ "type": "string", "format": "uuid" })
    }

    fn example() -> Value {
        json!("8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d")
    }

    fn to_json(&self) -> Value {
        json!(self)
    }
}

impl Parameter for MerchantQuery {
    fn parse(text: &str) -> Result<MerchantQuery, Invalid> {
        MerchantQuery::parse(text)
    }

    fn schema() -> Value {
        json!({
            "type": "string", "minLength": 1, "maxLength": MerchantQuery::CHARACTERS_MAX, "pattern": r"^[^\u0000]+$"
        })
    }

    fn example() -> Value {
        json!("coffee")
    }

    fn to_json(&self) -> Value {
        json!(self.as_str())
    }
}

/// A name or identifier of something that the ledger knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameText(pub String);

impl NameText {
    /// Maximum length in characters: that of a stored name.
    pub const CHARACTERS_MAX: usize = 200;
}

impl Parameter for NameText {
    fn parse(text: &str) -> Result<NameText, Invalid> {
        if !(1..=NameText::CHARACTERS_MAX).contains(&text.chars().count()) || text.contains('\0') {
            return Err(Invalid::new("must be 1 to 200 characters, without NUL"));
        }
        Ok(NameText(text.to_owned()))
    }

    fn schema() -> Value {
        json!({ "type": "string", "minLength": 1, "maxLength": NameText::CHARACTERS_MAX, "pattern": r"^[^\u0000]+$" })
    }

    fn example() -> Value {
        Uuid::example()
    }

    fn to_json(&self) -> Value {
        json!(self.0)
    }
}

impl Parameter for Cursor {
    const JSON_TEXT: bool = true;

    fn parse(text: &str) -> Result<Cursor, Invalid> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Members<'a> {
            #[serde(borrow)]
            date: std::borrow::Cow<'a, str>,
            #[serde(borrow)]
            id: std::borrow::Cow<'a, str>,
        }
        let rule = || Invalid::new("must be exactly the nextCursor of an earlier answer: {\"date\",\"id\"}");
        // Serde would accept a JSON array and take its items as the members in order.
        if !text.trim_start().starts_with('{') {
            return Err(rule());
        }
        let members: Members<'_> = serde_json::from_str(text).map_err(|_| rule())?;
        Cursor::parse(&members.date, &members.id)
    }

    /// Reads a cursor from a JSON object. A string that contains the object is not accepted.
    fn from_json(value: &RawValue) -> Result<Cursor, JsonFault> {
        <Cursor as Parameter>::parse(value.get()).map_err(JsonFault::BrokenRule)
    }

    fn schema() -> Value {
        json!({
            "type": "object", "additionalProperties": false, "required": ["date", "id"],
            "properties": { "date": Date::schema(), "id": Uuid::schema() }
        })
    }

    fn example() -> Value {
        json!({ "date": "2026-01-31", "id": "8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d" })
    }

    fn to_json(&self) -> Value {
        json!(self)
    }
}

/// A period by its name: one of the calendar, or the days since the last income.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestedPeriod {
    Named(NamedPeriod),
    /// From the day of the last income of the largest recurring income up to today.
    SinceIncome,
}

impl RequestedPeriod {
    pub(crate) const SINCE_INCOME: &'static str = "since-income";

    fn words() -> impl Iterator<Item = &'static str> {
        NamedPeriod::ALL.iter().map(|period| period.as_str()).chain([Self::SINCE_INCOME])
    }
}

impl Parameter for RequestedPeriod {
    fn parse(text: &str) -> Result<RequestedPeriod, Invalid> {
        if text == Self::SINCE_INCOME {
            return Ok(RequestedPeriod::SinceIncome);
        }
        let named = NamedPeriod::parse(text).map_err(|_| Invalid::not_one_of(Self::words()))?;
        Ok(RequestedPeriod::Named(named))
    }

    fn schema() -> Value {
        json!({ "type": "string", "enum": Self::words().collect::<Vec<_>>() })
    }

    fn example() -> Value {
        json!("last-month")
    }

    fn to_json(&self) -> Value {
        match self {
            RequestedPeriod::Named(period) => json!(period.as_str()),
            RequestedPeriod::SinceIncome => json!(Self::SINCE_INCOME),
        }
    }
}

/// Implements [`Parameter`] for string enumerations.
macro_rules! string_enum_parameter {
    ($($name:ident = $example:expr;)+) => {
        $(impl Parameter for $name {
            fn parse(text: &str) -> Result<$name, Invalid> {
                $name::parse(text)
            }

            fn schema() -> Value {
                json!({ "type": "string", "enum": $name::ALL.iter().map(|word| word.as_str()).collect::<Vec<_>>() })
            }

            fn example() -> Value {
                json!($example)
            }

            fn to_json(&self) -> Value {
                json!(self.as_str())
            }
        })+
    };
}

string_enum_parameter! {
    TimeRange = "3m";
    CompareTo = "previous-period";
    // By date: the example of `cursor` is rejected when sorting by amount, because its row does not exist.
    TransactionSort = "date_asc";
    GroupBy = "week";
    MonthGrouping = "month";
    CategoryGrouping = "ownCategory";
    SeriesChoice = "type";
    IntervalChoice = "month";
    RecurringStatus = "ACTIVE";
}

/// A transaction type that a filter may name: income or expense. A separate parameter includes transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedType(pub TransactionType);

impl CountedType {
    const ALL: [TransactionType; 2] = [TransactionType::Income, TransactionType::Expense];
}

impl Parameter for CountedType {
    fn parse(text: &str) -> Result<CountedType, Invalid> {
        let found = CountedType::ALL.into_iter().find(|counted| counted.as_str() == text);
        found
            .map(CountedType)
            .ok_or_else(|| Invalid::not_one_of(CountedType::ALL.map(|counted| counted.as_str())))
    }

    fn schema() -> Value {
        json!({ "type": "string", "enum": CountedType::ALL.map(|counted| counted.as_str()) })
    }

    fn example() -> Value {
        json!("EXPENSE")
    }

    fn to_json(&self) -> Value {
        json!(self.0.as_str())
    }
}
