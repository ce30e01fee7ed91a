//! Own categories, tags and notes of an entry: their separators, and their bounds.

use passbook_records::record::{NAME_CHARS_MAX, NOTE_CHARS_MAX, TAGS_MAX};

use super::Entry;
use super::text::folded;

/// Brings the own words of an entry into the form that is stored. Returns what is left out, as reasons.
pub(super) fn bound(entry: &mut Entry) -> Vec<String> {
    let mut left_out = Vec::new();
    let mut shorten = |text: String, chars_max: usize, noun: &str| {
        let text = folded(&text.replace(char::is_control, " "));
        let Some((end, _)) = text.char_indices().nth(chars_max) else { return text };
        left_out.push(format!("the end of a {noun} after {chars_max} characters"));
        folded(&text[..end])
    };
    let mut name = |text: String| shorten(text, NAME_CHARS_MAX, "name");
    let some = |text: &String| !text.is_empty();
    entry.own_category = entry.own_category.take().map(&mut name).filter(some);
    let parent = entry.own_parent.take().filter(|_| entry.own_category.is_some());
    entry.own_parent = parent.map(&mut name).filter(some);
    let mut tags: Vec<String> = Vec::new();
    for tag in std::mem::take(&mut entry.tags).into_iter().map(name).filter(some) {
        if tags.iter().all(|other| other.to_lowercase() != tag.to_lowercase()) {
            tags.push(tag);
        }
    }
    let note = entry.note.take().map(|note| shorten(note, NOTE_CHARS_MAX, "note"));
    entry.note = note.filter(some);
    let further = tags.len().saturating_sub(TAGS_MAX);
    left_out.extend((0..further).map(|_| format!("the transaction has {TAGS_MAX} other tags")));
    tags.truncate(TAGS_MAX);
    entry.tags = tags;
    left_out
}

/// Returns the tags that a text marks: `#work` after anything but another `#`.
pub(super) fn marked_tags(text: &str, mark: char) -> impl Iterator<Item = String> {
    text.split_whitespace().flat_map(move |word| {
        let parts: Vec<&str> = word.split(mark).collect();
        let is_tag =
            |at: &usize| *at > 0 && !parts[*at].is_empty() && (*at == 1 || !parts[at - 1].is_empty());
        (0..parts.len()).filter(is_tag).map(|at| parts[at].to_owned()).collect::<Vec<_>>()
    })
}
