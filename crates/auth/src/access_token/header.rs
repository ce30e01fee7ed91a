//! The header of an access token (RFC 7515 section 4): how it is signed, and nothing else.

use jsonwebtoken::Algorithm;
use serde_json::Value;

use super::{Invalid, Members};
use crate::Error;
use crate::provider::key::{KEY_ID_BYTES_MAX, algorithm};

/// Members that change how a token is to be read, or bring a key along. None of them is followed, so none is accepted:
/// extensions, unencoded and compressed payloads, keys and addresses of keys.
const REFUSED: &[&str] = &["crit", "b64", "zip", "enc", "jwk", "jku", "x5u", "x5c"];
/// What an access token may call itself, in any case; or nothing.
const TYPES: [&str; 3] = ["JWT", "at+jwt", "application/at+jwt"];

/// What a header says.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) algorithm: Algorithm,
    pub(super) key_id: Option<String>,
}

impl Header {
    pub(super) fn read(bytes: &[u8]) -> Result<Header, Error> {
        let members = Members::read(bytes).ok_or(Invalid::Header)?;
        if REFUSED.iter().any(|name| members.has(name)) {
            return Err(Invalid::HeaderMember.into());
        }
        match members.get("typ") {
            None => {}
            Some(Value::String(named)) if TYPES.iter().any(|known| named.eq_ignore_ascii_case(known)) => {}
            Some(_) => return Err(Invalid::Type.into()),
        }
        let algorithm =
            members.get("alg").and_then(Value::as_str).and_then(algorithm).ok_or(Invalid::Algorithm)?;
        let key_id = match members.get("kid") {
            None => None,
            Some(Value::String(id)) if (1..=KEY_ID_BYTES_MAX).contains(&id.len()) => Some(id.clone()),
            Some(_) => return Err(Invalid::Key.into()),
        };
        Ok(Header { algorithm, key_id })
    }
}
