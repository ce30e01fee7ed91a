//! ISO 4217 currency codes.

use std::fmt;

use crate::error::Invalid;
use crate::string_enum::json_schema;

/// An ISO 4217 currency code: three upper-case ASCII letters. Unassigned codes are allowed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency([u8; 3]);

impl Currency {
    /// The euro.
    pub const EUR: Currency = Currency(*b"EUR");

    /// Parses a code.
    ///
    /// # Errors
    ///
    /// The text is not exactly three upper-case ASCII letters.
    pub fn parse(text: &str) -> Result<Currency, Invalid> {
        match text.as_bytes() {
            bytes @ [a, b, c] if bytes.iter().all(u8::is_ascii_uppercase) => Ok(Currency([*a, *b, *c])),
            _ => Err(Invalid::new("must be a currency code of three upper-case letters, such as EUR")),
        }
    }

    /// Returns the three letters of the code.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("a currency code is ASCII")
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl serde::Serialize for Currency {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

json_schema!(Currency, "Currency", inline: true, {
    "type": "string",
    "pattern": "^[A-Z]{3}$",
    "description": "ISO 4217 currency code."
});
