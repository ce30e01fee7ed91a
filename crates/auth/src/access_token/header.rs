//! The header of an access token (RFC 7515 section 4). It may only name the algorithm and the key of the signature.

use jsonwebtoken::Algorithm;
use passbook_input::Object;
use serde_json::Value;

use super::invalid::Invalid;
use crate::error::Error;
use crate::provider::key::{KEY_ID_BYTES_MAX, parse_algorithm};

/// Members of a token's header that Passbook rejects. They change how the token is read or supply a key: extensions,
/// unencoded or compressed payloads, keys, and addresses of keys.
const REJECTED: &[&str] = &["crit", "b64", "zip", "enc", "jwk", "jku", "x5u", "x5c"];
/// Accepted values of the header member `typ`, compared without regard to case. The member may be absent.
const TYPES: [&str; 3] = ["JWT", "at+jwt", "application/at+jwt"];

/// A header that passed all checks.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) algorithm: Algorithm,
    pub(super) key_id: Option<String>,
}

impl Header {
    pub(super) fn read(bytes: &[u8]) -> Result<Header, Error> {
        let members: Object<Value> = serde_json::from_slice(bytes).map_err(|_| Invalid::Header)?;
        // Of two members with one name, this parser and the provider's could each read another one (RFC 8725 section
        // 3.13 of its revision).
        if members.repeated_name().is_some() {
            return Err(Invalid::Header.into());
        }
        if REJECTED.iter().any(|name| members.contains(name)) {
            return Err(Invalid::HeaderMember.into());
        }
        match members.get("typ") {
            None => {}
            Some(Value::String(named)) if TYPES.iter().any(|known| named.eq_ignore_ascii_case(known)) => {}
            Some(_) => return Err(Invalid::Type.into()),
        }
        let algorithm =
            members.get("alg").and_then(Value::as_str).and_then(parse_algorithm).ok_or(Invalid::Algorithm)?;
        let key_id = match members.get("kid") {
            None => None,
            Some(Value::String(id)) if (1..=KEY_ID_BYTES_MAX).contains(&id.len()) => Some(id.clone()),
            Some(_) => return Err(Invalid::Key.into()),
        };
        Ok(Header { algorithm, key_id })
    }
}
