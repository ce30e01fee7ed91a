//! The ends of messages: the blocks of the network around them, and the closing balance.

use passbook_input::Fault;

/// Start of the block that contains the message, after the header blocks of the network.
const TEXT_BLOCK: &str = "{4:";

/// Returns true if a line has header blocks of the network (`{1:…}{2:…}{4:`). The end of the message before may be on
/// the same line.
pub(super) fn is_header(line: &str) -> bool {
    let line = line.trim_start_matches('\u{feff}');
    let is_block = |line: &str| {
        line.strip_prefix('{').is_some_and(|rest| rest.starts_with(|c: char| ('1'..='4').contains(&c)))
    };
    is_block(line) || ends_message(line) && (line.contains(TEXT_BLOCK) || line.contains("{1:"))
}

/// Returns a line without its line end and without the header blocks before a field.
pub(super) fn content(line: &str) -> &str {
    let content = line.trim_end_matches(['\r', '\n']).trim_start_matches('\u{feff}');
    if !is_header(content) {
        return content;
    }
    content.rsplit_once(TEXT_BLOCK).map_or("", |(_, content)| content)
}

/// Returns true if a line ends a message: `-`, or `-}` with the trailer blocks of the network.
pub(super) fn ends_message(line: &str) -> bool {
    matches!(line.trim(), "-" | "--") || line.starts_with("-}")
}

/// Checks that each message has its closing balance, without which it is truncated.
#[derive(Debug, Default)]
pub(super) struct Ending {
    /// Line of the message, or of its first entry after a closing balance, that no closing balance has ended yet.
    incomplete: Option<u64>,
    /// True if `incomplete` is the line of header blocks, which the message follows.
    is_header: bool,
    /// Opening balance and entries of the message, in hundredths.
    sum: Option<i128>,
    /// True if the last closing balance is the sum.
    adds_up: bool,
}

impl Ending {
    /// Begins a message. Returns the fault of the message before.
    pub(super) fn begin(&mut self, line: u64, is_header: bool) -> Option<Fault> {
        let before = self.incomplete.filter(|_| !self.is_header);
        *self = Ending { incomplete: Some(line), is_header, ..Ending::default() };
        before.map(incomplete)
    }

    /// Adds the opening balance. Of several pages the first one counts.
    pub(super) fn open(&mut self, cents: i64) {
        self.sum.get_or_insert(i128::from(cents));
    }

    /// Adds an entry.
    pub(super) fn add(&mut self, line: u64, cents: i64) {
        self.sum = self.sum.map(|sum| sum + i128::from(cents));
        self.incomplete.get_or_insert(line);
    }

    /// Ends the message with its closing balance.
    pub(super) fn close(&mut self, cents: i64) {
        self.incomplete = None;
        self.adds_up = self.sum == Some(i128::from(cents));
    }

    /// Returns the fault of the end of a file. Without a line end behind it, the last balance may be cut: then the
    /// entries prove it.
    pub(super) fn fault_at_end(&self, text: &str) -> Option<Fault> {
        if let Some(line) = self.incomplete {
            return Some(incomplete(line));
        }
        // Old programs end a file with a control character.
        let text = text.trim_end_matches([' ', '\u{3}', '\u{1a}']);
        let last = text.lines().next_back().unwrap_or_default();
        let is_whole = text.ends_with('\n') || ends_message(last) || last.starts_with(":62") && self.adds_up;
        let line = text.lines().count();
        let rule = "must have a line end behind it: the file is truncated";
        (!is_whole).then(|| Fault::new(format!("line {line}"), rule))
    }
}

fn incomplete(line: u64) -> Fault {
    let rule =
        "must have a closing balance (:62F: or :62M:) at the end of the message: the file is truncated";
    Fault::new(format!("line {line}"), rule)
}
