//! Compares the bytes with those of `serde_json`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::*;

/// Compares the result with that of `serde_json`.
fn check(value: &impl Serialize) {
    let mut json = b"before".to_vec();
    write(&mut json, value).expect("the value can be written");
    let expected = serde_json::to_string(value).expect("the value can be written");
    assert_eq!(std::str::from_utf8(&json).expect("UTF-8"), format!("before{expected}"));
}

#[derive(Serialize)]
struct Unit;

#[derive(Serialize)]
struct Newtype(u32);

#[derive(Serialize)]
struct Pair(i8, char);

#[derive(Serialize)]
enum Variant {
    Unit,
    Newtype(Option<f64>),
    Tuple(u16, bool),
    Struct { text: &'static str, none: Option<i32> },
}

#[derive(Serialize)]
struct Everything {
    unit: Unit,
    newtype: Newtype,
    pair: Pair,
    variants: Vec<Variant>,
    map: BTreeMap<&'static str, (f32, ())>,
    empty: Vec<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    absent: Option<u8>,
    #[serde(flatten)]
    flat: BTreeMap<String, i64>,
    date: jiff::civil::Date,
    id: uuid::Uuid,
}

#[test]
fn every_kind_of_value_is_written_as_by_serde_json() {
    let value = Everything {
        unit: Unit,
        newtype: Newtype(u32::MAX),
        pair: Pair(i8::MIN, '"'),
        variants: vec![
            Variant::Unit,
            Variant::Newtype(Some(-0.25)),
            Variant::Newtype(None),
            Variant::Tuple(7, false),
            Variant::Struct { text: "a\"b", none: None },
        ],
        map: BTreeMap::from([("a", (1.5, ())), ("é\n", (f32::NAN, ()))]),
        empty: Vec::new(),
        absent: None,
        flat: BTreeMap::from([("x".to_owned(), i64::MIN), ("y".to_owned(), 0)]),
        date: jiff::civil::date(2026, 11, 21),
        id: uuid::Uuid::from_u128(7),
    };
    check(&value);
    check(&vec![&value.date; 0]);
}

#[test]
fn every_character_is_escaped_at_every_position() {
    let characters = (0..=0x300).chain([0x2028, 0xffff, 0x1f600]).filter_map(char::from_u32);
    for character in characters {
        for before in 0..17 {
            let text = format!("{}{character}{}", "x".repeat(before), "é".repeat(5));
            check(&text);
            check(&format!("{character}{text}{character}{character}"));
        }
    }
}

#[test]
fn integers_are_written_in_full() {
    for value in [0, 9, 10, -1, 1_234_567_890, i64::MAX, i64::MIN] {
        check(&value);
    }
    check(&[u64::MAX, 0]);
    check(&(u8::MAX, i32::MIN, i16::MAX));
}

#[test]
fn displayed_text_is_escaped() {
    struct Shown;
    impl Serialize for Shown {
        fn serialize<S: ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(&format_args!("{}\"{}\\", 1, '\n'))
        }
    }
    check(&Shown);
}

#[test]
fn key_that_is_no_text_is_an_error() {
    let error = write(&mut Vec::new(), &BTreeMap::from([(1, 2)])).expect_err("the key is a number");
    assert!(error.to_string().contains("key"), "{error}");
}
