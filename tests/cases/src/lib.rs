//! Files of test cases: inputs with the outcome that the tests expect.
//!
//! | line | meaning |
//! |---|---|
//! | `=== name` | begins a case; the lines below are its text |
//! | `# remark` | directly below `=== name`: explains the case |
//! | `--- name value` | begins a section of the case, with any number of lines |
//! | `--- expected` | begins the last section: the outcome of the case |
//! | `--- each` | begins the last section: each unindented line is a text, and the indented lines below are its outcome |
//!
//! Lines before the first case explain the file. Sections before the first case apply to every case without a section of
//! that name. There, the section `text` is a template: `{text}` is replaced by the text of the case.
//!
//! `⟨U+000D⟩` is a character without a visible form, and `⟨x×300⟩` a repeated text.
//!
//! `PASSBOOK_TEST_BLESS=1` writes the received outcomes into the files.

mod case;
mod changes;
mod file;

pub use case::Case;
pub use changes::change;
pub use file::check;

use std::fmt::Display;

/// Returns a text with one item on each line, such as the faults of an input.
pub fn lines<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| format!("{item}\n")).collect()
}
