//! Reads the JSON text of a bundle and sends its elements in batches.

use std::fmt;
use std::io::{self, BufReader, Read};
use std::sync::mpsc::SyncSender;

use passbook_domain::Currency;
use passbook_input::{Fault, Faults, MEMBERS_MAX};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;

use super::arrays::{ARRAYS, Array};
use super::deleted;
use super::element::{CredentialRules, at_key};
use super::node::{AnyNode, Node};
use super::schema::{FORMAT, VERSION};
use super::value::Value;
use crate::record::Record;
use crate::{FAULTS_LISTED_MAX, Located};

/// Number of elements that the reading thread sends together. One at a time, the threads would wake each other for each
/// element.
const BATCH_ELEMENTS: usize = 128;

/// Size of the buffer that receives the text, in bytes.
const BUFFER_BYTES: usize = 64 * 1024;

/// The byte-order mark: the character U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The record or the faults of an element.
pub(super) type Element = Result<Located, Faults>;

/// A message of the reading thread. If the channel closes without [`Message::End`], reading was interrupted.
pub(super) enum Message {
    Elements(Vec<Element>),
    End,
}

/// Reads the whole JSON text and sends its elements. The last message is always [`Message::End`].
pub(super) fn run(reader: impl Read, rules: CredentialRules, sender: SyncSender<Message>) {
    let mut outlet = Outlet { sender, rules, batch: Vec::new(), abandoned: false };
    match without_mark(reader) {
        Ok(reader) => read_json(reader, &mut outlet),
        Err(error) => drop(outlet.fault(broken(&error))),
    }
    // If sending fails, the receiver was dropped and needs no end message.
    if outlet.flush().is_ok() {
        let _ = outlet.sender.send(Message::End);
    }
}

fn read_json(reader: BufReader<impl Read>, outlet: &mut Outlet) {
    let mut deserializer = serde_json::Deserializer::from_reader(reader);
    let result = deserializer.deserialize_map(Root { outlet }).and_then(|()| deserializer.end());
    if let (Err(error), false) = (result, outlet.abandoned) {
        let _ = outlet.fault(unreadable(&error));
    }
}

/// Skips the byte-order mark that some programs write first. The buffer is outermost, because the JSON reader takes single
/// bytes.
fn without_mark(mut reader: impl Read) -> io::Result<BufReader<impl Read>> {
    let mut start = Vec::with_capacity(BYTE_ORDER_MARK.len());
    reader.by_ref().take(BYTE_ORDER_MARK.len() as u64).read_to_end(&mut start)?;
    if start == BYTE_ORDER_MARK {
        start.clear();
    }
    Ok(BufReader::with_capacity(BUFFER_BYTES, io::Cursor::new(start).chain(reader)))
}

fn broken(error: &dyn fmt::Display) -> Fault {
    Fault::new("the bundle", format!("must be readable: {error}"))
}

/// Creates the fault for an error of the JSON text, after which reading cannot continue.
fn unreadable(error: &serde_json::Error) -> Fault {
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
    let place = format!("line {}, column {}", error.line().max(1), error.column().max(1));
    match error.classify() {
        Category::Data => Fault::new(place, format!("must be a bundle: {message}")),
        Category::Io => broken(&message),
        Category::Syntax | Category::Eof => Fault::new(place, format!("must be JSON: {message}")),
    }
}

/// The sending end of the channel.
struct Outlet {
    sender: SyncSender<Message>,
    rules: CredentialRules,
    /// The elements that are sent together.
    batch: Vec<Element>,
    /// True if the receiver was dropped.
    abandoned: bool,
}

/// The error that the receiver was dropped, so that reading can stop.
struct Abandoned;

impl Outlet {
    fn send(&mut self, element: Element) -> Result<(), Abandoned> {
        self.batch.push(element);
        if self.batch.len() < BATCH_ELEMENTS { Ok(()) } else { self.flush() }
    }

    /// Sends the elements that wait.
    fn flush(&mut self) -> Result<(), Abandoned> {
        let batch = std::mem::replace(&mut self.batch, Vec::with_capacity(BATCH_ELEMENTS));
        self.sender.send(Message::Elements(batch)).map_err(|_| {
            self.abandoned = true;
            Abandoned
        })
    }

    fn fault(&mut self, fault: Fault) -> Result<(), Abandoned> {
        self.send(Err(fault.into()))
    }
}

fn stopped<E: serde::de::Error>(_: Abandoned) -> E {
    E::custom("the receiver was dropped")
}

/// Ends reading if an object has more members than a bundle needs, because comparing names takes quadratic time.
fn check_members<E: serde::de::Error>(seen: &[String]) -> Result<(), E> {
    match seen.len() {
        MEMBERS_MAX.. => Err(E::custom(format_args!("an object has more than {MEMBERS_MAX} members"))),
        _ => Ok(()),
    }
}

/// Visitor of the outermost object of a bundle.
struct Root<'a> {
    outlet: &'a mut Outlet,
}

impl<'de> Visitor<'de> for Root<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the keys of a bundle")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let mut seen: Vec<String> = Vec::new();
        while let Some(key) = entries.next_key::<String>()? {
            check_members(&seen)?;
            if seen.contains(&key) {
                self.outlet.fault(Fault::new(&key, "must be given only once")).map_err(stopped)?;
                entries.next_value::<IgnoredAny>()?;
            } else if let Some(array) = ARRAYS.iter().find(|array| array.key == key) {
                let place = array.key.to_owned();
                entries.next_value_seed(Elements { array, place, outlet: self.outlet })?;
            } else if key == deleted::KEY {
                entries.next_value_seed(DeletedArrays { outlet: self.outlet })?;
            } else {
                let node: Node = entries.next_value()?;
                head(&key, &node).map_or(Ok(()), |result| self.outlet.send(result)).map_err(stopped)?;
            }
            seen.push(key);
        }
        for key in ["format", "version", "rate_base"] {
            let given = |key: &str| seen.iter().any(|seen| seen == key);
            let needed = key != "rate_base" || given("exchange_rates");
            if needed && !given(key) {
                let because = if key == "rate_base" { " with exchange_rates" } else { "" };
                self.outlet.fault(Fault::new(key, format!("must be given{because}"))).map_err(stopped)?;
            }
        }
        Ok(())
    }
}

/// Reads a key of the outermost object whose value is not an array. Returns `None` if the value is valid and yields no
/// record.
fn head(key: &str, node: &Node) -> Option<Element> {
    let fault = |rule: String| Some(Err(Fault::new(at_root(key), rule).received(node.to_string()).into()));
    match (key, node) {
        ("format", Node::Text(format)) if format == FORMAT => None,
        ("format", _) => fault(format!("must be {FORMAT:?}")),
        ("version", Node::Number(version)) if version.as_u64() == Some(VERSION) => None,
        ("version", _) => fault(format!("must be {VERSION}")),
        ("rate_base", _) => {
            let mut faults = Faults::with_limit(FAULTS_LISTED_MAX);
            let base = Currency::read(node, key, &mut faults);
            Some(
                base.map(|base| Located { place: key.to_owned(), record: Record::RateBase(base) })
                    .ok_or(faults),
            )
        }
        _ => {
            let arrays = ARRAYS.iter().map(|array| array.key).collect::<Vec<_>>().join(", ");
            fault(format!(
                "is not a known key: the keys are format, version, rate_base, {}, {arrays}",
                deleted::KEY
            ))
        }
    }
}

/// Returns the JSON path of a key of the outermost object.
fn at_root(key: &str) -> String {
    let path = at_key("", key);
    path.strip_prefix('.').unwrap_or(&path).to_owned()
}

/// Visitor of one array, which sends each element as it is read.
struct Elements<'a> {
    array: &'static Array,
    /// The JSON path of the array.
    place: String,
    outlet: &'a mut Outlet,
}

impl<'de> DeserializeSeed<'de> for Elements<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Elements<'_> {
    fn reject<E: serde::de::Error>(self, node: Result<Node, E>) -> Result<(), E> {
        let fault = Fault::new(&self.place, "must be an array").received(node?.to_string());
        self.outlet.fault(fault).map_err(stopped)
    }
}

impl<'de> Visitor<'de> for Elements<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let mut number = 0;
        while let Some(node) = items.next_element::<Node>()? {
            let place = format!("{}[{number}]", self.place);
            let result = (self.array.read)(&node, &place, &self.outlet.rules);
            self.outlet.send(result.map(|record| Located { place, record })).map_err(stopped)?;
            number += 1;
        }
        Ok(())
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        self.reject(AnyNode.visit_unit())
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<(), E> {
        self.reject(AnyNode.visit_bool(value))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<(), E> {
        self.reject(AnyNode.visit_i64(value))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<(), E> {
        self.reject(AnyNode.visit_u64(value))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<(), E> {
        self.reject(AnyNode.visit_f64(value))
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<(), E> {
        self.reject(AnyNode.visit_str(value))
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<(), A::Error> {
        self.reject(AnyNode.visit_map(entries))
    }
}

/// Visitor of the object `deleted`, whose arrays contain the keys of rows to delete.
struct DeletedArrays<'a> {
    outlet: &'a mut Outlet,
}

impl<'de> DeserializeSeed<'de> for DeletedArrays<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for DeletedArrays<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with arrays in the key {}", deleted::KEY)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let mut seen: Vec<String> = Vec::new();
        while let Some(key) = entries.next_key::<String>()? {
            check_members(&seen)?;
            let place = at_key(deleted::KEY, &key);
            let array = deleted::ARRAYS.iter().find(|array| array.key == key);
            match array.filter(|_| !seen.contains(&key)) {
                Some(array) => entries.next_value_seed(Elements { array, place, outlet: self.outlet })?,
                None => {
                    let rule = match array {
                        Some(_) => "must be given only once".to_owned(),
                        None => deleted::rule_of_other_key(&key),
                    };
                    self.outlet.fault(Fault::new(place, rule)).map_err(stopped)?;
                    entries.next_value::<IgnoredAny>()?;
                }
            }
            seen.push(key);
        }
        Ok(())
    }
}
