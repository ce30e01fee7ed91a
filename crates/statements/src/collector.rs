//! Collects the statements and faults of one file, and checks that no record was lost.

use passbook_input::{Fault, Faults};

use crate::{
    ENTRIES_MAX, Entry, FAULTS_MAX, STATEMENTS_MAX, Skipped, Statement, TEXT_BYTES_MAX, Unreadable, own_words,
};

/// Receives each entry with the index of its statement.
pub(super) type Receive<'a> = &'a mut dyn FnMut(usize, Entry);

/// The statements of a file while it is read. Entries leave through a callback, so that the memory stays constant.
pub(super) struct Collector<'a> {
    receive: Receive<'a>,
    /// The statements so far. They stay if the file cannot be read.
    statements: &'a mut Vec<Statement>,
    faults: Faults,
    /// Records that became entries, were skipped or had faults.
    accounted: u64,
    entries: u64,
    /// True if the file has more statements than [`STATEMENTS_MAX`].
    has_too_many: bool,
}

impl std::fmt::Debug for Collector<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Collector").field("statements", &self.statements).finish_non_exhaustive()
    }
}

impl<'a> Collector<'a> {
    pub(super) fn new(receive: Receive<'a>, statements: &'a mut Vec<Statement>) -> Collector<'a> {
        let faults = Faults::with_limit(FAULTS_MAX);
        Collector { receive, statements, faults, accounted: 0, entries: 0, has_too_many: false }
    }

    /// Adds a statement. Returns its index. Beyond [`STATEMENTS_MAX`] the file has a fault, and the index is that of the
    /// last statement.
    pub(super) fn open(&mut self, statement: Statement) -> usize {
        if self.statements.len() < STATEMENTS_MAX {
            self.statements.push(statement);
        } else if !std::mem::replace(&mut self.has_too_many, true) {
            let rule = format!("must have at most {STATEMENTS_MAX} statements; divide the file");
            self.faults.push(Fault::new("file", rule));
        }
        self.statements.len() - 1
    }

    /// Returns the statement with this index, which [`Self::open`] returned.
    pub(super) fn statement(&mut self, index: usize) -> &mut Statement {
        &mut self.statements[index]
    }

    /// Returns the statements so far.
    pub(super) fn statements(&self) -> &[Statement] {
        self.statements
    }

    /// Adds the entry of a record.
    pub(super) fn entry(&mut self, statement: usize, entry: Entry) {
        self.accounted += 1;
        self.further_entry(statement, entry);
    }

    /// Adds one more entry of a record that [`Self::entry`] already received.
    pub(super) fn further_entry(&mut self, statement: usize, mut entry: Entry) {
        self.entries += 1;
        own_words::bound(&mut entry).iter().for_each(|reason| self.leave_out(statement, reason));
        let texts = [&entry.party, &entry.code, &entry.category, &entry.reference, &entry.transfer_with];
        let texts = texts.into_iter().flatten().chain([&entry.text]);
        if texts.map(String::len).max() > Some(TEXT_BYTES_MAX) {
            let rule = format!("must have texts of at most {TEXT_BYTES_MAX} bytes");
            self.faults.push(Fault::new(format!("line {}", entry.line), rule));
        }
        if self.entries == ENTRIES_MAX + 1 {
            let rule = format!("must have at most {ENTRIES_MAX} entries; divide the file");
            self.faults.push(Fault::new(format!("line {}", entry.line), rule));
        }
        if self.entries <= ENTRIES_MAX {
            (self.receive)(statement, entry);
        }
    }

    /// Leaves a record out for a stated reason.
    pub(super) fn skip(&mut self, statement: usize, reason: &str) {
        self.accounted += 1;
        self.leave_out(statement, reason);
    }

    /// Counts a record, or a part of one, that is left out for a stated reason.
    fn leave_out(&mut self, statement: usize, reason: &str) {
        count(&mut self.statements[statement].skipped, reason);
    }

    /// Records the faults of one record, which becomes no entry.
    pub(super) fn faulty_record(&mut self, faults: impl IntoIterator<Item = Fault>) {
        self.accounted += 1;
        self.faults.extend(faults);
    }

    /// Records a fault outside the records.
    pub(super) fn fault(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// Counts a record that is no transaction, such as a category.
    pub(super) fn other_record(&mut self) {
        self.accounted += 1;
    }

    /// Returns the statements.
    ///
    /// `visible` is the number of records in the text, counted without parsing them, and `noun` their name in a
    /// message: `<STMTTRN>`.
    ///
    /// # Errors
    /// The faults of the file, or a difference between the visible and the accounted records.
    pub(super) fn finish(mut self, visible: u64, noun: &str) -> Result<Vec<Statement>, Unreadable> {
        if self.faults.is_empty() && visible != self.accounted {
            let rule = format!(
                "must be readable completely: {visible} records ({noun}) are visible, {} were read",
                self.accounted
            );
            self.faults.push(Fault::new("file", rule));
        }
        if self.faults.is_empty() && self.statements.is_empty() {
            self.faults.push(Fault::new("file", "must contain a statement"));
        }
        self.faults.none_or(())?;
        Ok(std::mem::take(self.statements))
    }
}

/// Counts a record that is left out for a reason.
pub(super) fn count(skipped: &mut Vec<Skipped>, reason: &str) {
    match skipped.iter_mut().find(|known| known.reason == reason) {
        Some(known) => known.count += 1,
        None => skipped.push(Skipped { reason: reason.to_owned(), count: 1 }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{AccountReference, Format, StatementKind};
    use super::*;
    use jiff::civil::date;

    fn statement() -> Statement {
        Statement::new(Format::Ofx, StatementKind::Window, AccountReference::default())
    }

    fn rule(result: Result<Vec<Statement>, Unreadable>) -> String {
        match result {
            Err(Unreadable::Faults(faults)) => {
                faults.into_iter().map(|fault| fault.to_string()).collect::<Vec<_>>().join("|")
            }
            other => format!("{other:?}"),
        }
    }

    /// Returns the result of a file with this number of visible rows, and the number of entries that were received.
    fn collected(
        visible: u64,
        read: impl FnOnce(&mut Collector<'_>),
    ) -> (Result<Vec<Statement>, Unreadable>, u64) {
        let mut entries = 0;
        let mut receive = |_, _| entries += 1;
        let mut statements = Vec::new();
        let mut collector = Collector::new(&mut receive, &mut statements);
        read(&mut collector);
        (collector.finish(visible, "row"), entries)
    }

    #[test]
    fn lost_records_reject_the_file() {
        let (result, entries) = collected(3, |collector| {
            let index = collector.open(statement());
            collector.entry(index, Entry::new(1, date(2026, 1, 2), 5));
            collector.skip(index, "State is REVERTED");
        });
        let lost = "file: must be readable completely: 3 records (row) are visible, 2 were read";
        assert_eq!((rule(result).as_str(), entries), (lost, 1));
    }

    #[test]
    fn complete_file_is_accepted() {
        let (result, _) = collected(2, |collector| {
            let index = collector.open(statement());
            collector.skip(index, "zero");
            collector.skip(index, "zero");
        });
        assert_eq!(result.unwrap()[0].skipped, [Skipped { reason: "zero".to_owned(), count: 2 }]);
    }

    #[test]
    fn too_many_statements_reject_the_file() {
        let (result, _) = collected(0, |collector| {
            let last = (0..STATEMENTS_MAX + 3).map(|_| collector.open(statement())).last();
            assert_eq!(last, Some(STATEMENTS_MAX - 1));
        });
        assert_eq!(rule(result), "file: must have at most 10000 statements; divide the file");
    }

    #[test]
    fn too_many_entries_reject_the_file() {
        let (result, entries) = collected(ENTRIES_MAX + 5, |collector| {
            let index = collector.open(statement());
            for line in 0..ENTRIES_MAX + 5 {
                collector.entry(index, Entry::new(line, date(2026, 1, 2), 5));
            }
        });
        assert_eq!(rule(result), "line 1000000: must have at most 1000000 entries; divide the file");
        assert_eq!(entries, ENTRIES_MAX);
    }
}
