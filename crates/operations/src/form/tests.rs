//! Unit tests of forms: faults of text and JSON values, and of undeclared parameters.

use std::cell::Cell;
use std::hash::{Hash, Hasher};

use jiff::civil::Date;
use passbook_domain::Invalid;
use passbook_domain::bounded::Bounded;
use passbook_domain::page::Cursor;
use passbook_domain::range::TimeRange;
use passbook_domain::recurring::ConfidenceMin;
use passbook_domain::transaction::MerchantQuery;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{FAULTS_MAX, Form, LIST_ITEMS_MAX, distinct};
use crate::error::Error;
use crate::parameter::Parameter;
use crate::parameter_value::ParameterValue;

type Limit = Bounded<1, 100>;

const CURSOR: &str = r#"{"date":"2026-01-31","id":"8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d"}"#;

/// Converts names and texts to received query parameters.
fn texts(parameters: &[(&str, &str)]) -> Vec<(String, ParameterValue)> {
    let text = |(name, value): &(&str, &str)| ((*name).to_owned(), ParameterValue::Text((*value).to_owned()));
    parameters.iter().map(text).collect()
}

/// Converts a JSON object to received tool arguments.
fn arguments(arguments: &Value) -> Vec<(String, ParameterValue)> {
    let members = arguments.as_object().expect("an object");
    let json = |(name, value): (&String, &Value)| {
        (name.clone(), ParameterValue::Json(to_raw_value(value).expect("JSON")))
    };
    members.iter().map(json).collect()
}

/// Returns the faults of an error, each as a text with parameter and message.
fn faults<T: std::fmt::Debug>(result: Result<T, Error>) -> Vec<String> {
    match result.expect_err("faults") {
        Error::Invalid(faults) | Error::InvalidCursor(faults) => {
            faults.into_iter().map(|fault| format!("{} {}", fault.parameter, fault.message)).collect()
        }
        other => panic!("{other}"),
    }
}

/// Reads one parameter of each type and returns the faults.
fn read(received: &[(String, ParameterValue)]) -> Result<(), Error> {
    let mut form = Form::new(received);
    form.optional::<Date>("day", "A day.");
    form.or_default::<bool>("pending", "A switch.", true);
    form.or_default("limit", "A number.", Limit::constant::<10>());
    form.optional::<TimeRange>("timeRange", "An enumeration.");
    form.optional::<MerchantQuery>("text", "A text.");
    form.optional::<ConfidenceMin>("confidence", "A fraction.");
    form.list::<Uuid>("ids", "A list.");
    form.optional::<Cursor>("cursor", "A cursor.");
    form.finish()
}

#[test]
fn valid_text_and_valid_json_are_accepted() {
    let text = [
        ("day", "2026-01-31"),
        ("pending", "false"),
        ("limit", "100"),
        ("timeRange", "3m"),
        ("text", "coffee"),
        ("confidence", "0.5"),
        ("ids", "8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d,8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4e"),
        ("cursor", CURSOR),
    ];
    read(&texts(&text)).expect("no fault");
    let cursor: Value = serde_json::from_str(CURSOR).expect("JSON");
    let json = json!({
        "day": "2026-01-31", "pending": false, "limit": 100, "timeRange": "3m", "text": "coffee", "confidence": 0.5,
        "ids": ["8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d"], "cursor": cursor,
    });
    read(&arguments(&json)).expect("no fault");
}

#[test]
fn every_fault_is_reported_at_once_in_the_order_of_the_declarations() {
    let text = [
        ("unknown", "1"),
        ("timeRange", "2m"),
        ("limit", "101"),
        ("pending", "yes"),
        ("day", "2026-02-30"),
        ("day", "2026-01-01"),
        ("cursor", "x"),
        ("ids", "x,,8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d"),
        ("unknown", "2"),
    ];
    assert_eq!(
        faults(read(&texts(&text))),
        [
            "day must be given once; it is repeated",
            "pending must be one of the allowed values; received \"yes\"",
            "limit must be a whole number from 1 to 100; received 101",
            "timeRange must be one of the allowed values; received \"2m\"",
            "ids must be a UUID such as 8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d; received \"x\"",
            "ids must not have an empty item",
            "unknown is not known here",
            "cursor must be exactly the nextCursor of an earlier answer: {\"date\",\"id\"}; received \"x\"",
        ]
    );
}

#[test]
fn json_of_the_wrong_type_is_never_converted() {
    let json = json!({
        "day": 20_260_131, "pending": "true", "limit": "10", "timeRange": 3, "text": 7, "confidence": "0.5",
        "ids": "8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d", "cursor": CURSOR,
    });
    let expected = [
        "confidence must be a number, without quotation marks; received \"0.5\"",
        "cursor must be exactly the nextCursor of an earlier answer: {\"date\",\"id\"}; received ",
        "day must be text, in quotation marks; received 20260131",
        "ids must be a list, in brackets; received \"8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d\"",
        "limit must be a whole number from 1 to 100, without quotation marks; received \"10\"",
        "pending must be true or false, without quotation marks; received \"true\"",
        "text must be text, in quotation marks; received 7",
        "timeRange must be one of the allowed values; received 3",
    ];
    let mut found = faults(read(&arguments(&json)));
    found.sort();
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found}");
    }
}

#[test]
fn json_items_are_checked_one_by_one() {
    let read_items = |items: Value| faults(read(&arguments(&json!({ "ids": items }))));
    assert_eq!(read_items(json!([7])), ["ids each item must be text, in quotation marks; received 7"]);
    assert_eq!(read_items(json!([""])), ["ids must not have an empty item"]);
    assert_eq!(read_items(json!([])), ["ids must have 1 to 100 items; received 0"]);
    assert_eq!(read_items(json!([null])), ["ids each item must be text, in quotation marks; received null"]);
    assert_eq!(read_items(json!({})), ["ids must be a list, in brackets; received {}"]);
}

#[test]
fn list_has_at_most_100_items() {
    let id = "8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d";
    let list = |count: usize| read(&texts(&[("ids", &vec![id; count].join(","))]));
    assert!(list(LIST_ITEMS_MAX).is_ok());
    assert_eq!(faults(list(LIST_ITEMS_MAX + 1)), ["ids must have 1 to 100 items; received 101"]);
    assert_eq!(faults(read(&texts(&[("ids", "")]))), ["ids must not have an empty item"]);
}

/// A parameter that accepts no value and counts the values that it parses.
struct Counted;

thread_local! {
    static PARSED: Cell<usize> = const { Cell::new(0) };
}

impl Parameter for Counted {
    fn parse(_: &str) -> Result<Counted, Invalid> {
        PARSED.set(PARSED.get() + 1);
        Err(Invalid::new("must be absent"))
    }

    fn schema() -> Value {
        json!({ "type": "string" })
    }

    fn example() -> Value {
        json!("")
    }

    fn to_json(&self) -> Value {
        json!("")
    }
}

#[test]
fn items_of_a_list_that_is_too_long_are_not_parsed() {
    let read_items = |received: &[(String, ParameterValue)]| {
        PARSED.set(0);
        let mut form = Form::new(received);
        form.list::<Counted>("items", "A list.");
        (faults(form.finish()), PARSED.get())
    };
    let long = (vec!["items must have 1 to 100 items; received 100000".to_owned()], 0);
    assert_eq!(read_items(&arguments(&json!({ "items": vec![0; 100_000] }))), long);
    assert_eq!(read_items(&texts(&[("items", &vec!["x"; 100_000].join(","))])), long);
    assert_eq!(read_items(&texts(&vec![("items", "x,x"); 50_000])), long);
    let (found, parsed) = read_items(&texts(&[("items", &vec!["x"; LIST_ITEMS_MAX].join(","))]));
    assert_eq!((found.len(), parsed), (FAULTS_MAX + 1, LIST_ITEMS_MAX));
}

#[test]
fn repeated_and_comma_separated_items_are_one_list() {
    let items = |received: &[(&str, &str)]| {
        let received = texts(received);
        let mut form = Form::new(&received);
        let items = form.list::<Limit>("limits", "A list.");
        form.finish().map(|()| items.map(|items| items.into_iter().map(Bounded::get).collect::<Vec<i64>>()))
    };
    assert_eq!(items(&[("limits", "1,2"), ("limits", "3")]).expect("a list"), Some(vec![1, 2, 3]));
    assert_eq!(items(&[("limits", "1"), ("limits", "1")]).expect("a list"), Some(vec![1, 1]));
    assert_eq!(faults(items(&[("limits", "1"), ("limits", "")])), ["limits must not have an empty item"]);
    let many = vec![("limits", "1"); LIST_ITEMS_MAX + 1];
    assert_eq!(faults(items(&many)), ["limits must have 1 to 100 items; received 101"]);
    let repeated = [arguments(&json!({ "ids": [] })), arguments(&json!({ "ids": [] }))].concat();
    assert_eq!(faults(read(&repeated)), ["ids must be given once; it is repeated"]);
}

#[test]
fn number_outside_its_range_is_repeated_without_quotation_marks() {
    let rule = "limit must be a whole number from 1 to 100";
    for (text, received) in [("200", "200"), ("-1", "-1"), ("1.5", "1.5"), ("2x", "\"2x\"")] {
        let found = faults(read(&texts(&[("limit", text)])));
        assert_eq!(found, [format!("{rule}; received {received}")]);
    }
    assert_eq!(faults(read(&arguments(&json!({ "limit": 200 })))), [format!("{rule}; received 200")]);
    let confidence = faults(read(&texts(&[("confidence", "1.5")])));
    assert!(confidence[0].ends_with("; received 1.5"), "{confidence:?}");
}

#[test]
fn faults_beyond_twenty_are_counted() {
    let unknown: Vec<String> = (0..23).map(|number| format!("unknown{number}")).collect();
    let received: Vec<(&str, &str)> = unknown.iter().map(|name| (name.as_str(), "1")).collect();
    let found = faults(read(&texts(&received)));
    assert_eq!(found.len(), FAULTS_MAX + 1);
    assert_eq!(found[FAULTS_MAX - 1], "unknown19 is not known here");
    assert_eq!(found[FAULTS_MAX], "and more 3 further faults are not listed");
}

#[test]
fn unknown_names_are_compared_a_linear_number_of_times() {
    /// A name that counts its comparisons.
    #[derive(Clone, Copy)]
    struct Name<'a>(usize, &'a Cell<usize>);
    impl PartialEq for Name<'_> {
        fn eq(&self, other: &Self) -> bool {
            self.1.set(self.1.get() + 1);
            self.0 == other.0
        }
    }
    impl Eq for Name<'_> {}
    impl Hash for Name<'_> {
        fn hash<H: Hasher>(&self, state: &mut H) {
            self.0.hash(state);
        }
    }
    let comparisons = Cell::new(0);
    let names = (0..2_700).chain(0..2_700).map(|number| Name(number, &comparisons));
    let distinct: Vec<usize> = distinct(names).map(|name| name.0).collect();
    assert_eq!(distinct, (0..2_700).collect::<Vec<usize>>());
    assert!(comparisons.get() < 10 * 2_700, "{}", comparisons.get());
    let names: Vec<String> = (0..2_700).map(|number| format!("a{number}")).collect();
    let received: Vec<(&str, &str)> = names.iter().chain(&names).map(|name| (name.as_str(), "")).collect();
    let found = faults(read(&texts(&received)));
    assert_eq!(found.len(), FAULTS_MAX + 1);
    assert_eq!(found[FAULTS_MAX], "and more 2680 further faults are not listed");
}

#[test]
fn json_null_means_missing_but_does_not_declare_a_parameter() {
    read(&arguments(&json!({ "limit": null, "ids": null, "cursor": null }))).expect("no fault");
    assert_eq!(faults(read(&arguments(&json!({ "unknown": null })))), ["unknown is not known here"]);
}

#[test]
fn missing_parameter_has_its_default() {
    let mut form = Form::describing();
    assert_eq!(form.or_default("limit", "A number.", Limit::constant::<10>()).get(), 10);
    assert_eq!(form.optional::<Limit>("other", "A number."), None);
    assert_eq!(form.declarations()[0].default, Some(json!(10)));
    assert_eq!(form.declarations()[1].default, None);
}

#[test]
fn unreadable_value_is_a_fault_with_its_rule() {
    let unreadable = |name: &str| {
        let value = ParameterValue::Unreadable("must be percent-encoded UTF-8".to_owned());
        faults(read(&[(name.to_owned(), value)]))
    };
    for name in ["day", "ids", "cursor"] {
        assert_eq!(unreadable(name), [format!("{name} must be percent-encoded UTF-8")]);
    }
}

#[test]
fn allowed_values_are_listed() {
    let Err(Error::Invalid(faults)) = read(&texts(&[("timeRange", "2m")])) else { panic!("a fault") };
    assert_eq!(faults[0].allowed, ["1m", "3m", "6m", "1y", "all"]);
    let Err(Error::Invalid(faults)) = read(&texts(&[("x", "")])) else { panic!("a fault") };
    assert_eq!(faults[0].allowed.len(), 8);
}
