//! Tests of the example bundle, the JSON Schema, and bundles that no file of cases can contain.

use std::io::Read;

use passbook_input::Faults;
use passbook_records::Located;
use passbook_records::bundle::{json_schema, read};
use passbook_records::id::derive;
use passbook_records::record::{Deleted, Record};
use serde_json::{Value, json};

use crate::{EXAMPLE, rules};

const USER: &str = "6f9f3c1e-6d6a-4c0e-9d2c-0a4f8f1f2b11";

fn read_text(text: impl Into<String>) -> Vec<Result<Located, Faults>> {
    read(std::io::Cursor::new(text.into()), rules()).collect()
}

fn faults(text: impl Into<String>) -> Vec<String> {
    read_text(text).into_iter().filter_map(Result::err).flatten().map(|fault| fault.to_string()).collect()
}

/// Returns the example bundle without a key of an element.
fn without(array: &str, key: &str) -> String {
    let mut bundle: Value = serde_json::from_str(EXAMPLE).expect("the example is JSON");
    bundle[array][0].as_object_mut().expect("an object").remove(key);
    bundle.to_string()
}

#[test]
fn example_contains_every_array_and_key() {
    let example: Value = serde_json::from_str(EXAMPLE).unwrap();
    let schema = json_schema();
    for (array, property) in schema["properties"].as_object().unwrap() {
        let Some(reference) = property["items"]["$ref"].as_str() else { continue };
        let definition = &schema["$defs"][reference.trim_start_matches("#/$defs/")];
        for key in definition["properties"].as_object().unwrap().keys() {
            let given = example[array].as_array().unwrap().iter().any(|element| element.get(key).is_some());
            assert!(given, "the example of {array} shows {key}");
        }
    }
    for (array, property) in schema["properties"]["deleted"]["properties"].as_object().unwrap() {
        let reference = property["items"]["$ref"].as_str().unwrap();
        let definition = &schema["$defs"][reference.trim_start_matches("#/$defs/")];
        let keys = definition["properties"].as_object().unwrap().keys();
        let shown = example["deleted"][array][0].as_object().unwrap().keys();
        assert!(keys.eq(shown), "the example shows every key of deleted.{array}");
    }
    let records: Vec<Located> = read_text(EXAMPLE).into_iter().collect::<Result<_, _>>().unwrap();
    assert_eq!(records.len(), 37, "every element is read");
    assert_eq!(records[2].place, "users[0]");
}

#[test]
fn committed_schema_equals_the_generated_schema() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/bundle.schema.json");
    let schema = json_schema();
    #[expect(
        clippy::disallowed_methods,
        reason = "a test is asked to rewrite its expectation in no other way"
    )]
    let bless = std::env::var("PASSBOOK_TEST_BLESS").is_ok();
    if bless {
        std::fs::write(path, format!("{schema:#}\n")).unwrap();
    }
    // Compared as JSON values, because the order of keys may change with a dependency.
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    let committed: Value = serde_json::from_str(&committed).unwrap_or_default();
    assert!(
        committed == schema,
        "docs/bundle.schema.json is out of date: run this test with PASSBOOK_TEST_BLESS=1"
    );
}

#[test]
fn missing_required_keys_are_reported() {
    let schema = json_schema();
    for (array, property) in schema["properties"].as_object().unwrap() {
        let Some(reference) = property["items"]["$ref"].as_str() else { continue };
        let definition = &schema["$defs"][reference.trim_start_matches("#/$defs/")];
        for key in definition["required"].as_array().unwrap() {
            let key = key.as_str().unwrap();
            assert_eq!(faults(without(array, key)), [format!("{array}[0].{key}: must be given")]);
        }
    }
}

#[test]
fn dropping_the_iterator_stops_the_reading_thread() {
    /// An input that never ends. It signals when it is dropped.
    struct Endless(Option<std::sync::mpsc::Sender<()>>, bool);
    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let text: &[u8] = if self.1 { b"0," } else { b"{\"users\":[" };
            self.1 = true;
            buffer[..text.len()].copy_from_slice(text);
            Ok(text.len())
        }
    }
    impl Drop for Endless {
        fn drop(&mut self) {
            let _ = self.0.take().map(|sender| sender.send(()));
        }
    }
    let (sender, dropped) = std::sync::mpsc::channel();
    let mut elements = read(Endless(Some(sender), false), rules());
    assert!(elements.next().unwrap().is_err());
    drop(elements);
    dropped.recv_timeout(std::time::Duration::from_secs(30)).expect("the reader is let go");
}

#[test]
fn interrupted_reading_is_reported_as_a_fault() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is gone"))
        }
    }
    struct Panicking;
    impl Read for Panicking {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            panic!("a defect in the source")
        }
    }
    let texts: Vec<String> =
        read(Broken, rules()).filter_map(Result::err).flatten().map(|fault| fault.to_string()).collect();
    assert_eq!(texts, ["the bundle: must be readable: the disk is gone"]);
    let texts: Vec<String> =
        read(Panicking, rules()).filter_map(Result::err).flatten().map(|fault| fault.to_string()).collect();
    assert_eq!(texts, ["the bundle: must be read to its end, but reading was interrupted"]);
}

#[test]
fn object_with_many_members_ends_reading() {
    let members = |count: usize| {
        let members: Vec<String> = (0..count).map(|number| format!("\"k{number}\":0")).collect();
        members.join(",")
    };
    let expected = "must be a bundle: an object has more than 64 members";
    for text in [
        format!("{{{}}}", members(200_000)),
        format!(r#"{{"format":"passbook-bundle","version":1,"deleted":{{{}}}}}"#, members(200_000)),
        format!(r#"{{"format":"passbook-bundle","version":1,"users":[{{{}}}]}}"#, members(200_000)),
    ] {
        let faults = faults(text);
        assert!(faults.last().is_some_and(|fault| fault.contains(expected)), "{faults:?}");
    }
}

#[test]
fn deleted_row_is_named_by_its_source_id_or_by_the_shown_id() {
    let shown = "0b8a4a52-2f0e-4f5c-9d0a-6f1f8f0f7a01";
    let key = |id: &str| {
        let deleted = json!({ "transactions": [{ "user": USER, "id": id }] });
        let text = json!({ "format": "passbook-bundle", "version": 1, "deleted": deleted }).to_string();
        match read_text(text).as_slice() {
            [Ok(Located { place, record: Record::Deleted(Deleted::Transaction(row)) })] => {
                assert_eq!(place, "deleted.transactions[0]");
                row.id
            }
            other => panic!("{other:?}"),
        }
    };
    let user: uuid::Uuid = USER.parse().unwrap();
    assert_eq!(key("t-1").derived, derive(user, "transaction", "t-1"));
    assert_eq!(key("t-1").shown, None);
    assert_eq!(key(shown).derived, derive(user, "transaction", shown));
    assert_eq!(key(shown).shown, Some(shown.parse().unwrap()));
    assert_eq!(
        key(&shown.replace('-', "")).shown,
        None,
        "only the spelling that Passbook shows is a shown id"
    );
}
