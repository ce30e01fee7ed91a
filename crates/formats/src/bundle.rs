//! The bundle: one JSON document that can hold everything a person's books are made of.
//!
//! `docs/loading-data.md` explains it and `docs/bundle.schema.json` describes it. Each element is declared
//! once (`people`, `movement`, `portfolio`, `credential`): that declaration reads it and makes its schema. A
//! bundle is read on a thread of its own that hands elements over one by one through a bounded channel, so
//! that neither the size of the file nor the pace of the database fills the memory.

mod arrays;
mod credential;
mod element;
mod header;

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

pub use schema::json_schema;

use crate::{Fault, Faults, Located};
use stream::Message;

/// The number of elements that may wait to be taken.
const ELEMENTS_WAITING_MAX: usize = 1_024;

/// Reads a bundle. Yields each element's record, or everything wrong with that element, in the order of the
/// file; a text that is not JSON ends with one fault that names line and column.
pub fn read(reader: impl Read + Send + 'static) -> impl Iterator<Item = Result<Located, Faults>> + Send {
    let (sender, receiver) = sync_channel(ELEMENTS_WAITING_MAX);
    // Where no thread can be had, the channel closes at once, which is reported like any other interruption.
    let _ = std::thread::Builder::new().name("bundle".to_owned()).spawn(move || stream::run(reader, sender));
    Reading { receiver, ended: false }
}

/// The taking end of the channel.
struct Reading {
    receiver: Receiver<Message>,
    ended: bool,
}

impl Iterator for Reading {
    type Item = Result<Located, Faults>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        match self.receiver.recv() {
            Ok(Some(result)) => Some(result),
            Ok(None) => {
                self.ended = true;
                None
            }
            Err(_) => {
                self.ended = true;
                Some(Err(Fault::new("the bundle", "must be read to its end, and was not").into()))
            }
        }
    }
}

#[cfg(test)]
mod tests;
