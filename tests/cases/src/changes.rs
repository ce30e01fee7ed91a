//! Changes to a JSON document, each written on one line.

use serde_json::{Map, Value};

/// Applies one change to a document.
///
/// `users[0].email = "a@example.org"` sets a member or an item; an index after the last item adds one. On the right is a
/// JSON value, or the path of a value to copy. `users[0].email =` removes a member, `users[0] =` an item.
///
/// # Panics
/// If the line is not a change, or the place does not exist.
pub fn change(document: &mut Value, line: &str) {
    let (place, value) =
        line.split_once('=').unwrap_or_else(|| panic!("{line}: must have the form place = value"));
    let path = pointer(place.trim());
    let value = match value.trim() {
        "" => None,
        text => Some(serde_json::from_str(text).unwrap_or_else(|_| {
            let copied = document.pointer(&pointer(text));
            copied.unwrap_or_else(|| panic!("{line}: must be JSON or the path of a value")).clone()
        })),
    };
    let (parent, key) = path.rsplit_once('/').unwrap_or_else(|| panic!("{line}: must have a place"));
    let parent = document.pointer_mut(parent).unwrap_or_else(|| panic!("{line}: no such place"));
    if parent.is_null() {
        *parent = Value::Object(Map::new());
    }
    match (parent, value) {
        (Value::Object(members), Some(value)) => drop(members.insert(key.to_owned(), value)),
        (Value::Object(members), None) => {
            assert!(members.remove(key).is_some(), "{line}: no such member");
        }
        (Value::Array(items), value) => {
            let index: usize = key.parse().unwrap_or_else(|_| panic!("{line}: must have an index"));
            match value {
                Some(value) if index == items.len() => items.push(value),
                Some(value) => items[index] = value,
                None => drop(items.remove(index)),
            }
        }
        (other, _) => panic!("{line}: {other} has no members"),
    }
}

/// Returns `users[0].id` as a JSON pointer (RFC 6901): `/users/0/id`.
fn pointer(path: &str) -> String {
    format!("/{}", path.replace('[', "/").replace(']', "").replace('.', "/"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn change_sets_adds_copies_and_removes() {
        let mut document = json!({ "a": [{ "b": 1, "c": 2 }] });
        for line in ["a[0].b = [3]", "a[1] = a[0]", "a[0].c =", "d = {\"e\": 4}", "a[0].f = null"] {
            change(&mut document, line);
        }
        let expected = json!({ "a": [{ "b": [3], "f": null }, { "b": [3], "c": 2 }], "d": { "e": 4 } });
        assert_eq!(document, expected);
    }
}
