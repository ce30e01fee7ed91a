//! Reads bundles: Passbook's own JSON format for everything that can be loaded.
//!
//! `docs/loading-data.md` explains the format, and `docs/bundle.schema.json` is its JSON Schema. Each element is
//! declared once, in `people`, `transaction`, `portfolio`, `credential` or `deleted`; the declaration yields the reader
//! and the schema. A thread reads the file and sends the elements in batches through a bounded channel, so that neither a large
//! file nor a slow database fills the memory.

mod arrays;
mod credential;
mod deleted;
mod element;
mod node;
mod people;
mod portfolio;
mod schema;
mod stream;
mod text;
mod transaction;
mod value;

use std::io::Read;
use std::sync::mpsc::{Receiver, sync_channel};

use passbook_input::{Fault, Faults};

pub use deleted::DELETED_USERS;
pub use element::{CREATED_IN_FUTURE, CredentialRules};
pub use schema::json_schema;

use crate::Located;
use stream::{Element, Message};

/// Capacity of the channel between the reading thread and the caller, in batches.
const BATCHES_WAITING_MAX: usize = 16;

/// Reads a bundle. Yields the record or the faults of each element, in the order of the file. Text that is not JSON
/// ends the iteration with one fault that names line and column.
pub fn read(
    reader: impl Read + Send + 'static,
    rules: CredentialRules,
) -> impl Iterator<Item = Result<Located, Faults>> + Send {
    let (sender, receiver) = sync_channel(BATCHES_WAITING_MAX);
    // If the thread cannot be started, the channel closes at once, which the iterator reports as an interruption.
    let _ = std::thread::Builder::new().name("bundle".to_owned()).spawn(move || {
        stream::run(reader, rules, sender);
    });
    Reading { receiver, batch: Vec::new().into_iter(), ended: false }
}

/// The receiving end of the channel.
struct Reading {
    receiver: Receiver<Message>,
    /// The received elements that the caller has not taken.
    batch: std::vec::IntoIter<Element>,
    ended: bool,
}

impl Iterator for Reading {
    type Item = Element;

    fn next(&mut self) -> Option<Element> {
        loop {
            if let Some(element) = self.batch.next() {
                return Some(element);
            }
            if self.ended {
                return None;
            }
            match self.receiver.recv() {
                Ok(Message::Elements(batch)) => self.batch = batch.into_iter(),
                Ok(Message::End) => self.ended = true,
                Err(_) => {
                    self.ended = true;
                    let rule = "must be read to its end, but reading was interrupted";
                    return Some(Err(Fault::new("the bundle", rule).into()));
                }
            }
        }
    }
}
