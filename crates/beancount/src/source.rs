//! Reads the files of a ledger and splits them into directives.
//!
//! The parser treats a line that it does not understand as a comment. A posting with a typing error would be dropped
//! and the transaction would change its meaning. Therefore each directive is parsed alone and must be understood to its
//! end, and every line between directives must be one that Beancount ignores.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use passbook_input::{Fault, Faults};

use super::ledger::{BeancountLedger, Content, Place, sort};
use super::report::Notes;
use super::text::Chunk;
use super::{ledger_file, parse, text};

/// Reads a file and its included files, each file once.
pub(super) fn read(file: &Path, notes: &mut Notes, faults: &mut Faults) -> BeancountLedger {
    let mut ledger = BeancountLedger::default();
    let mut seen = HashSet::new();
    let mut pending = vec![(file.to_path_buf(), None)];
    let mut budget = ledger_file::Budget::default();
    while let Some((path, included_at)) = pending.pop() {
        let known = path.canonicalize().unwrap_or_else(|_| path.clone());
        if !seen.insert(known) {
            continue;
        }
        match budget.read(&path) {
            Ok(text) => {
                let includes = read_text(&path, &text, &mut ledger, notes, faults);
                pending.extend(includes.into_iter().rev().map(|(path, place)| (path, Some(place))));
            }
            Err(error) => faults.push(unreadable(&path, included_at.as_ref(), error)),
        }
    }
    sort(&mut ledger.directives);
    ledger
}

fn unreadable(path: &Path, included_at: Option<&Place>, error: ledger_file::Error) -> Fault {
    let place = included_at.map_or_else(|| path.display().to_string(), Place::to_string);
    Fault::new(place, error.to_string()).received(path.display().to_string())
}

fn read_text(
    path: &Path,
    text: &str,
    ledger: &mut BeancountLedger,
    notes: &mut Notes,
    faults: &mut Faults,
) -> Vec<(PathBuf, Place)> {
    let (mut includes, mut pushed) = (Vec::new(), Vec::new());
    let text = &without_control_characters(path, text, faults);
    for chunk in chunks(path, text, faults) {
        match parse::entry(&chunk, notes) {
            Ok(parse::Parsed::Directive(mut directive)) => {
                if let Content::Transaction(transaction) = &mut directive.content {
                    transaction.add_tags(&pushed);
                }
                ledger.directives.push(*directive);
            }
            Ok(parse::Parsed::Tag { tag, is_pushed: true }) => pushed.push(tag),
            Ok(parse::Parsed::Tag { tag, .. }) => pushed.retain(|other| *other != tag),
            Ok(parse::Parsed::Option(name, value)) => {
                if let Err(rule) = ledger.options.set(&name, &value) {
                    faults.push(chunk.place.fault(format!("option {name} {rule}")).received(value));
                }
            }
            Ok(parse::Parsed::Include(pattern)) => match ledger_file::included(path, &pattern) {
                Ok(paths) => includes.extend(paths.into_iter().map(|path| (path, chunk.place.clone()))),
                Err(rule) => faults.push(chunk.place.fault(rule).received(pattern)),
            },
            Ok(parse::Parsed::OpensAccounts) => ledger.options.opens_accounts = true,
            Ok(parse::Parsed::Nothing) => {}
            Err(fault) => faults.push(fault),
        }
    }
    includes
}

/// Replaces control characters by spaces, because PostgreSQL may not store them. Adds a fault for each line that
/// contains one.
fn without_control_characters(path: &Path, text: &str, faults: &mut Faults) -> String {
    let is_odd = |character: char| character.is_control() && !matches!(character, '\t' | '\n');
    for (line, number) in text.lines().zip(1_u32..) {
        if let Some(character) = line.chars().find(|character| is_odd(*character)) {
            let place = Place { file: path.display().to_string().into(), line: number };
            let rule = "a line must not contain control characters other than tabs";
            faults.push(place.fault(rule).received(format!("U+{:04X}", u32::from(character))));
        }
    }
    text.replace("\r\n", "\n").replace(is_odd, " ")
}

fn chunks(path: &Path, text: &str, faults: &mut Faults) -> Vec<Chunk> {
    let file: Arc<str> = path.display().to_string().into();
    let mut chunks: Vec<Chunk> = Vec::new();
    let mut open = false;
    let mut inside_string = false;
    for (line, number) in text.trim_start_matches('\u{feff}').lines().zip(1_u32..) {
        let place = Place { file: file.clone(), line: number };
        let continues = inside_string || line.starts_with([' ', '\t', ';']) || line.trim().is_empty();
        if continues && open {
            let chunk = chunks.last_mut().expect("an open chunk was pushed");
            chunk.lines.push(line.to_owned());
        } else if !continues {
            // Beancount ignores lines that start with these characters, such as outline headings.
            open = !line.starts_with(['*', ':', '#', '!', '&', '?', '%']);
            if open {
                chunks.push(Chunk { place, lines: vec![line.to_owned()] });
            }
        } else if !line.trim_start().is_empty() && !line.trim_start().starts_with(';') {
            let rule = "an indented line must belong to a directive";
            faults.push(place.fault(rule).received(line.trim()));
        }
        inside_string = open && text::outside_strings(line, inside_string).1;
    }
    chunks
}
