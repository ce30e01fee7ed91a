//! Settings of the authorization proxy, which redirects browsers to the identity provider's authorization endpoint.

use passbook_domain::Invalid;

/// The path of the authorization proxy, below the base address.
pub const AUTHORIZE_PATH: &str = "/oauth/authorize";

/// The scope that the authorization proxy removes by default. Clients request this scope wherever a document lists it,
/// and many providers reject requests that contain it.
pub const STRIPPED_SCOPE: &str = "offline_access";

/// Parses the list of scopes that the authorization proxy removes: scopes separated by commas, or `none`.
///
/// # Errors
/// [`Invalid`] if an item is not a scope token (RFC 6749 section 3.3).
pub fn stripped_scopes(text: &str) -> Result<Vec<String>, Invalid> {
    if text == "none" {
        return Ok(Vec::new());
    }
    let scopes: Vec<String> = text.split(',').map(|scope| scope.trim().to_owned()).collect();
    let is_scope_byte = |byte: u8| matches!(byte, 0x21 | 0x23..=0x5b | 0x5d..=0x7e);
    if scopes.iter().all(|scope| !scope.is_empty() && scope.bytes().all(is_scope_byte)) {
        Ok(scopes)
    } else {
        Err(Invalid::new("must be scopes with commas between them, or none"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stripped_scopes_are_a_comma_separated_list_or_none() {
        assert_eq!(stripped_scopes("none"), Ok(Vec::new()));
        assert_eq!(stripped_scopes("a, b"), Ok(vec!["a".to_owned(), "b".to_owned()]));
        for text in ["", "a,,b", "a b", "a,\"", "é"] {
            assert!(stripped_scopes(text).is_err(), "{text}");
        }
    }
}
