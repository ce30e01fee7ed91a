//! Derived identifiers: each time a row of a source is loaded, it gets the same identifier.

use uuid::Uuid;

/// UUID namespace of derived identifiers. Changing it would duplicate all stored rows on the next load.
const NAMESPACE: Uuid = Uuid::from_u128(0x8c1e_5d0e_1b57_5b9b_9f4e_2f6f_3a50_0b4d);

/// Derives the identifier (UUID v5) of a row from its user, its kind and its identifier at the source.
pub fn derive(user_id: Uuid, kind: &str, source_id: &str) -> Uuid {
    let name = format!("{user_id}/{kind}/{source_id}");
    Uuid::new_v5(&NAMESPACE, name.as_bytes())
}

/// Derives the identifier of a user from the e-mail address. For users created without an identifier.
pub fn user(email: &str) -> Uuid {
    Uuid::new_v5(&NAMESPACE, email.trim().to_lowercase().as_bytes())
}

/// Derives the identifier of an own category from its name; with a parent, from `Parent: Name`. Case and outer spaces do not
/// matter.
pub fn own_category(user_id: Uuid, parent: Option<&str>, name: &str) -> Uuid {
    let path = parent.map_or_else(|| name.to_owned(), |parent| format!("{parent}: {name}"));
    derive(user_id, "own_category", &path.trim().to_lowercase())
}

/// Derives the identifier of a tag from its name. Case and outer spaces do not matter.
pub fn tag(user_id: Uuid, name: &str) -> Uuid {
    derive(user_id, "tag", &name.trim().to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifier_depends_on_user_kind_and_source_id_only() {
        let (one, other) = (user("one@example.com"), user("other@example.com"));
        assert_eq!(derive(one, "account", "a"), derive(one, "account", "a"));
        let all = [
            derive(one, "account", "a"),
            derive(other, "account", "a"),
            derive(one, "bank", "a"),
            derive(one, "account", "b"),
        ];
        for (at, id) in all.iter().enumerate() {
            assert!(!all[at + 1..].contains(id), "{all:?}");
        }
    }

    #[test]
    fn user_identifier_ignores_the_case_of_the_address() {
        assert_eq!(user(" One@Example.com"), user("one@example.com"));
    }
}
