//! Writes a payload as JSON into a buffer. The bytes are those of `serde_json`; text is searched for characters that need an
//! escape eight bytes at a time, because the text of names and identifiers is most of a payload.

use std::fmt::{self, Display, Write as _};

use serde::ser::{self, Error as _, Serialize};
use serde_json::Error;

/// The same byte at each position of a word.
const ONES: u64 = u64::MAX / 255;
/// The highest bit of each byte of a word.
const HIGH_BITS: u64 = ONES << 7;
/// Control characters below this one need an escape.
const FIRST_PRINTED: u8 = b' ';
const HEXADECIMAL: &[u8; 16] = b"0123456789abcdef";
/// Maximum number of digits of an integer of 64 bits.
const DIGITS_MAX: usize = 20;

/// Appends `value` as JSON.
///
/// # Errors
/// An error of the `Serialize` implementation, or a key of a map that is no text.
pub(crate) fn write(json: &mut Vec<u8>, value: &impl Serialize) -> Result<(), Error> {
    value.serialize(&mut Writer { json })
}

struct Writer<'a> {
    json: &'a mut Vec<u8>,
}

impl Writer<'_> {
    fn text(&mut self, text: &str) {
        self.json.push(b'"');
        write_escaped(self.json, text.as_bytes());
        self.json.push(b'"');
    }

    fn literal(&mut self, literal: &str) {
        self.json.extend_from_slice(literal.as_bytes());
    }

    fn integer(&mut self, is_negative: bool, magnitude: u64) {
        let mut digits = [0; DIGITS_MAX];
        let mut start = DIGITS_MAX;
        let mut rest = magnitude;
        loop {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if is_negative {
            self.json.push(b'-');
        }
        self.json.extend_from_slice(&digits[start..]);
    }

    /// Writes the start of an enum variant with content.
    fn variant(&mut self, name: &str) {
        self.json.push(b'{');
        self.text(name);
        self.json.push(b':');
    }
}

/// Appends text with the escapes of JSON.
fn write_escaped(json: &mut Vec<u8>, text: &[u8]) {
    let mut rest = text;
    loop {
        let plain = plain_bytes(rest);
        json.extend_from_slice(&rest[..plain]);
        let Some((special, after)) = rest[plain..].split_first() else { return };
        write_escape(json, *special);
        rest = after;
    }
}

/// Returns the number of bytes before the first byte that needs an escape.
fn plain_bytes(text: &[u8]) -> usize {
    let mut plain = 0;
    while let Some(chunk) = text[plain..].first_chunk() {
        let word = u64::from_ne_bytes(*chunk);
        // For each byte of the word: its high bit is set if the byte is below a limit, or equal to another byte. A borrow sets
        // a bit too much only above a byte that was found.
        let below = |word: u64, limit: u8| word.wrapping_sub(ONES * u64::from(limit)) & !word & HIGH_BITS;
        let equal = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
        if below(word, FIRST_PRINTED) | equal(b'"') | equal(b'\\') != 0 {
            break;
        }
        plain += chunk.len();
    }
    let rest = &text[plain..];
    plain + rest.iter().position(|byte| needs_escape(*byte)).unwrap_or(rest.len())
}

const fn needs_escape(byte: u8) -> bool {
    byte < FIRST_PRINTED || byte == b'"' || byte == b'\\'
}

fn write_escape(json: &mut Vec<u8>, byte: u8) {
    let letter = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        0x0c => b'f',
        b'\r' => b'r',
        _ => {
            let [high, low] = [byte >> 4, byte & 15].map(|digit| HEXADECIMAL[usize::from(digit)]);
            json.extend_from_slice(&[b'\\', b'u', b'0', b'0', high, low]);
            return;
        }
    };
    json.extend_from_slice(&[b'\\', letter]);
}

/// Appends the text that a value displays, piece by piece.
struct Displayed<'a>(&'a mut Vec<u8>);

impl fmt::Write for Displayed<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        write_escaped(self.0, text.as_bytes());
        Ok(())
    }
}

/// The elements of an array or the members of an object.
struct Elements<'w, 'a> {
    writer: &'w mut Writer<'a>,
    is_first: bool,
    end: &'static str,
}

impl<'w, 'a> Elements<'w, 'a> {
    fn begin(writer: &'w mut Writer<'a>, start: u8, end: &'static str) -> Elements<'w, 'a> {
        writer.json.push(start);
        Elements { writer, is_first: true, end }
    }

    fn element(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        if !std::mem::take(&mut self.is_first) {
            self.writer.json.push(b',');
        }
        value.serialize(&mut *self.writer)
    }

    fn member(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        self.element(name)?;
        self.writer.json.push(b':');
        value.serialize(&mut *self.writer)
    }

    fn finish(self) {
        self.writer.literal(self.end);
    }
}

macro_rules! integers {
    ($($method:ident: $integer:ty,)+) => {
        $(fn $method(self, value: $integer) -> Result<(), Error> {
            self.serialize_i64(i64::from(value))
        })+
    };
}

impl<'w, 'a> ser::Serializer for &'w mut Writer<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Elements<'w, 'a>;
    type SerializeTuple = Elements<'w, 'a>;
    type SerializeTupleStruct = Elements<'w, 'a>;
    type SerializeTupleVariant = Elements<'w, 'a>;
    type SerializeMap = Elements<'w, 'a>;
    type SerializeStruct = Elements<'w, 'a>;
    type SerializeStructVariant = Elements<'w, 'a>;

    integers! {
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
    }

    fn serialize_i64(self, value: i64) -> Result<(), Error> {
        self.integer(value < 0, value.unsigned_abs());
        Ok(())
    }

    fn serialize_u64(self, value: u64) -> Result<(), Error> {
        self.integer(false, value);
        Ok(())
    }

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.literal(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        serde_json::to_writer(&mut *self.json, &value)
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        serde_json::to_writer(&mut *self.json, &value)
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.text(value.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        self.text(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        ser::Serialize::serialize(value, self)
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.literal("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.variant(variant);
        value.serialize(&mut *self)?;
        self.literal("}");
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Elements<'w, 'a>, Error> {
        Ok(Elements::begin(self, b'[', "]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Elements<'w, 'a>, Error> {
        Ok(Elements::begin(self, b'[', "]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Elements<'w, 'a>, Error> {
        Ok(Elements::begin(self, b'[', "]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Elements<'w, 'a>, Error> {
        self.variant(variant);
        Ok(Elements::begin(self, b'[', "]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Elements<'w, 'a>, Error> {
        Ok(Elements::begin(self, b'{', "}"))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Elements<'w, 'a>, Error> {
        Ok(Elements::begin(self, b'{', "}"))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Elements<'w, 'a>, Error> {
        self.variant(variant);
        Ok(Elements::begin(self, b'{', "}}"))
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Error> {
        self.json.push(b'"');
        write!(Displayed(self.json), "{value}").map_err(Error::custom)?;
        self.json.push(b'"');
        Ok(())
    }
}

macro_rules! elements {
    ($($part:ident::$method:ident,)+) => {
        $(impl ser::$part for Elements<'_, '_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.element(value)
            }

            fn end(self) -> Result<(), Error> {
                self.finish();
                Ok(())
            }
        })+
    };
}

elements! {
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field,
}

macro_rules! members {
    ($($part:ident,)+) => {
        $(impl ser::$part for Elements<'_, '_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                self.member(name, value)
            }

            fn end(self) -> Result<(), Error> {
                self.finish();
                Ok(())
            }
        })+
    };
}

members! {
    SerializeStruct,
    SerializeStructVariant,
}

impl ser::SerializeMap for Elements<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let start = self.writer.json.len() + usize::from(!self.is_first);
        self.element(key)?;
        if self.writer.json.get(start) == Some(&b'"') {
            Ok(())
        } else {
            Err(Error::custom("a key must be text"))
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.writer.json.push(b':');
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), Error> {
        self.finish();
        Ok(())
    }
}

#[cfg(test)]
mod tests;
