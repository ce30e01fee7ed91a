//! Stable identifiers: the same source row has the same id however often it is loaded.

use uuid::Uuid;

/// The namespace of identifiers derived by the loaders.
const NAMESPACE: Uuid = Uuid::from_u128(0x8c1e_5d0e_1b57_5b9b_9f4e_2f6f_3a50_0b4d);

/// The identifier (UUID v5) of a user's source row: a function of the user, the kind of row and the id it has
/// at its source.
pub fn derive(user_id: Uuid, kind: &str, source_id: &str) -> Uuid {
    let name = format!("{user_id}/{kind}/{source_id}");
    Uuid::new_v5(&NAMESPACE, name.as_bytes())
}

/// The identifier of the user with an e-mail address, where nobody gave one.
pub fn user(email: &str) -> Uuid {
    Uuid::new_v5(&NAMESPACE, email.trim().to_lowercase().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_depends_on_the_user_the_kind_and_the_source_and_on_nothing_else() {
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
    fn an_address_is_the_same_whatever_its_case() {
        assert_eq!(user(" One@Example.com"), user("one@example.com"));
    }
}
