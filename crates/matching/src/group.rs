//! The booked rows of one account, amount and currency: how many there are, on which days, and the row of each line.
//!
//! Sources are compared in their order. A source that lists more lines of a day than there are rows adds rows
//! (surplus). A source that should list a row and lacks it (deficit) moves the row if the source has the same amount on
//! another day nearby; otherwise the row stays and is reported, unless the balances of the source prove its lines. Identifiers and texts choose the row of a line. They change
//! the number of rows in one case: a row does not move to a line with another identifier and another payee.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::civil::Date;
use uuid::Uuid;

use super::line::Line;
use super::source::Source;

/// Maximum distance of the two days between which a row moves, in days.
pub(crate) const MOVE_DAYS_MAX: i64 = 5;

/// A row of a group.
pub(crate) struct GroupRow {
    pub(crate) day: Date,
    /// The day from which a later source moved the row.
    pub(crate) moved_from: Option<Date>,
    /// Index of an authoritative row; `None` for a row that only counts make.
    pub(crate) authoritative: Option<usize>,
    /// The newest line of the row.
    pub(crate) shown: u32,
    /// True if a newer source removed the row: a file with the option to replace, or one whose balances prove its lines.
    pub(crate) is_removed: bool,
    /// The files that have a line of the row.
    files: Vec<[u8; 32]>,
    id: Option<Uuid>,
    payee: u32,
    text: u64,
    /// The balance after the row, if it tells the rows of the day apart.
    balance: Option<i64>,
}

impl GroupRow {
    /// Shows the texts of a newer line.
    fn show(&mut self, line: u32, facts: &Line) {
        (self.shown, self.payee, self.text) = (line, facts.payee, facts.text);
        self.id = facts.id().or(self.id);
    }
}

/// The lines of one source in the group, by day.
type Days = BTreeMap<Date, Vec<u32>>;

/// The rows of one account, amount and currency.
pub(crate) struct Group<'a> {
    pub(crate) rows: Vec<GroupRow>,
    /// The row of each line.
    pub(crate) bound: Vec<(u32, usize)>,
    /// Rows that a source should list and lacks: source and row.
    pub(crate) missing: Vec<(usize, usize)>,
    by_day: BTreeMap<Date, Vec<usize>>,
    lines: &'a [Line],
    digests: &'a dyn Fn(u32) -> [u8; 32],
    /// The balances that tell the lines of a day apart.
    balances: &'a HashMap<u32, i64>,
}

impl<'a> Group<'a> {
    /// Creates a group. `digests` returns the file of a line, and `balances` tell lines of a day apart.
    pub(crate) fn new(
        lines: &'a [Line],
        digests: &'a dyn Fn(u32) -> [u8; 32],
        balances: &'a HashMap<u32, i64>,
    ) -> Group<'a> {
        let (rows, bound, missing) = (Vec::new(), Vec::new(), Vec::new());
        Group { rows, bound, missing, by_day: BTreeMap::new(), lines, digests, balances }
    }

    /// Returns the authoritative row with this number on a day.
    fn authoritative_row(&self, number: usize, day: Date) -> Option<usize> {
        let rows = self.by_day.get(&day)?;
        rows.iter().copied().find(|row| self.rows[*row].authoritative == Some(number))
    }

    /// Compares the next source. `days` are its lines, and `authoritative` returns the row of a line with an
    /// authoritative identifier.
    pub(crate) fn compare(
        &mut self,
        number: usize,
        source: &Source,
        days: &Days,
        authoritative: &dyn Fn(u32) -> Option<usize>,
    ) {
        let mut taken = vec![false; self.rows.len()];
        let mut surplus: Vec<(Date, Vec<u32>)> = Vec::new();
        for (day, lines) in days {
            let mut open = Vec::new();
            for &line in lines {
                let row = authoritative(line).map(|number| self.authoritative_row(number, *day));
                match row {
                    Some(Some(row)) => self.bind(line, row, &mut taken),
                    // Another state of a row with an identifier, which the newest file decides.
                    Some(None) => {}
                    None => open.push(line),
                }
            }
            let left = self.match_day(*day, open, &mut taken);
            if !left.is_empty() {
                surplus.push((*day, left));
            }
        }
        let mut deficit = self.deficit(source, days, &taken);
        self.move_rows(&mut surplus, &mut deficit, source.is_proven);
        for line in surplus.into_iter().flat_map(|(_, lines)| lines) {
            self.push(line, None);
        }
        for (day, rows) in deficit {
            let counted = rows.into_iter().filter(|row| self.rows[*row].authoritative.is_none());
            let counted: Vec<usize> = counted.collect();
            if source.replace || source.is_proven {
                counted.iter().for_each(|row| self.rows[*row].is_removed = true);
                self.forget(day);
            } else {
                self.missing.extend(counted.into_iter().map(|row| (number, row)));
            }
        }
    }

    /// Binds the lines of one day to rows: first those with the same balance, then those with the same identifier, then those
    /// with the same text, then the others in order. Returns the lines that are left.
    fn match_day(&mut self, day: Date, lines: Vec<u32>, taken: &mut [bool]) -> Vec<u32> {
        let mut by_file: BTreeMap<[u8; 32], Vec<u32>> = BTreeMap::new();
        for line in lines {
            by_file.entry((self.digests)(line)).or_default().push(line);
        }
        let mut left = Vec::new();
        for (digest, lines) in by_file {
            let known = self.by_day.get(&day).map_or(&[][..], Vec::as_slice);
            let mut free: Vec<usize> = known
                .iter()
                .copied()
                .filter(|row| !taken[*row] && !self.rows[*row].files.contains(&digest))
                .collect();
            if free.is_empty() {
                left.extend(lines);
                continue;
            }
            let (balances, all) = (self.balances, self.lines);
            let lines =
                self.match_by(lines, &free, taken, |row| row.balance, |line| balances.get(&line).copied());
            if lines.iter().any(|line| balances.contains_key(line)) {
                free.retain(|row| self.rows[*row].balance.is_none());
            }
            let id = |line: u32| all[line as usize].id();
            let lines = self.match_by(lines, &free, taken, |row| row.id, id);
            let text = |line: u32| Some(all[line as usize].text);
            let lines = self.match_by(lines, &free, taken, |row| Some(row.text), text);
            let mut others = free.into_iter().filter(|row| !taken[*row]).collect::<Vec<_>>().into_iter();
            for line in lines {
                match others.next() {
                    Some(row) => self.bind(line, row, taken),
                    None => left.push(line),
                }
            }
        }
        left
    }

    /// Binds lines to free rows with an equal key. Returns the other lines.
    fn match_by<K: std::hash::Hash + Eq>(
        &mut self,
        lines: Vec<u32>,
        free: &[usize],
        taken: &mut [bool],
        key_of_row: impl Fn(&GroupRow) -> Option<K>,
        key_of_line: impl Fn(u32) -> Option<K>,
    ) -> Vec<u32> {
        let mut rows: HashMap<K, Vec<usize>> = HashMap::new();
        for &row in free.iter().rev().filter(|row| !taken[**row]) {
            if let Some(key) = key_of_row(&self.rows[row]) {
                rows.entry(key).or_default().push(row);
            }
        }
        let mut left = Vec::new();
        for line in lines {
            match key_of_line(line).and_then(|key| rows.get_mut(&key)).and_then(Vec::pop) {
                Some(row) => self.bind(line, row, taken),
                None => left.push(line),
            }
        }
        left
    }

    /// Returns the rows that the source should list and lacks, by day.
    fn deficit(&self, source: &Source, days: &Days, taken: &[bool]) -> BTreeMap<Date, Vec<usize>> {
        let mut deficit: BTreeMap<Date, Vec<usize>> = BTreeMap::new();
        for (first, last) in &source.ranges {
            if first >= last {
                continue;
            }
            for (day, rows) in self.by_day.range(*first..*last).filter(|(day, _)| *day > first) {
                let has_lines = days.contains_key(day);
                let lacking = rows.iter().copied().filter(|row| {
                    let own = |files: &[[u8; 32]]| {
                        has_lines && days[day].iter().any(|line| files.contains(&(self.digests)(*line)))
                    };
                    !taken[*row] && !own(&self.rows[*row].files)
                });
                deficit.entry(*day).or_default().extend(lacking);
            }
        }
        for rows in deficit.values_mut() {
            rows.sort_unstable();
            rows.dedup();
        }
        deficit
    }

    /// Pairs surplus lines with lacking rows at most [`MOVE_DAYS_MAX`] days apart, the nearest first. The row takes the
    /// day of the line, unless its identifier decides its day.
    fn move_rows(
        &mut self,
        surplus: &mut [(Date, Vec<u32>)],
        deficit: &mut BTreeMap<Date, Vec<usize>>,
        is_proven: bool,
    ) {
        if deficit.values().all(Vec::is_empty) {
            return;
        }
        let former: Vec<Date> = deficit.keys().copied().collect();
        for distance in 1..=MOVE_DAYS_MAX {
            for (day, lines) in surplus.iter_mut() {
                for step in [-distance, distance] {
                    let Ok(other) = day.checked_add(jiff::Span::new().days(step)) else { continue };
                    let Some(rows) = deficit.get_mut(&other) else { continue };
                    for (line, row) in self.pairs(lines, rows, is_proven) {
                        self.move_to(row, line);
                    }
                }
            }
        }
        former.into_iter().for_each(|day| self.forget(day));
    }

    /// Removes lines and rows that may be the same transaction, and returns them in pairs. Another identifier and another
    /// payee make another transaction, unless the balances of the source prove its lines.
    fn pairs(&self, lines: &mut Vec<u32>, rows: &mut Vec<usize>, is_proven: bool) -> Vec<(u32, usize)> {
        let id = |line: u32| self.lines[line as usize].id();
        let payee = |line: u32| Some(self.lines[line as usize].payee).filter(|payee| *payee != 0);
        let payee_of = |row: usize| Some(self.rows[row].payee).filter(|payee| *payee != 0);
        let mut pairs = Vec::new();
        take_pairs(lines, rows, id, |row| self.rows[row].id, &mut pairs);
        take_pairs(lines, rows, payee, payee_of, &mut pairs);
        let is_open_line = |line: u32| is_proven || id(line).is_none() || payee(line).is_none();
        let is_open_row = |row: usize| is_proven || self.rows[row].id.is_none() || payee_of(row).is_none();
        take_pairs(lines, rows, |line| is_open_line(line).then_some(()), |_| Some(()), &mut pairs);
        take_pairs(lines, rows, |_| Some(()), |row| is_open_row(row).then_some(()), &mut pairs);
        pairs
    }

    fn move_to(&mut self, row: usize, line: u32) {
        let to = self.lines[line as usize].day;
        let changed = &mut self.rows[row];
        changed.files.push((self.digests)(line));
        if changed.authoritative.is_none() {
            changed.moved_from = Some(std::mem::replace(&mut changed.day, to));
            changed.show(line, &self.lines[line as usize]);
            changed.balance = self.balances.get(&line).copied();
            self.by_day.entry(to).or_default().push(row);
        }
        self.bound.push((line, row));
    }

    fn bind(&mut self, line: u32, row: usize, taken: &mut [bool]) {
        taken[row] = true;
        let facts = &self.lines[line as usize];
        let changed = &mut self.rows[row];
        changed.files.push((self.digests)(line));
        if changed.authoritative.is_none() {
            changed.show(line, facts);
        }
        changed.balance = changed.balance.or(self.balances.get(&line).copied());
        self.bound.push((line, row));
    }

    /// Adds a row that a line makes, or the authoritative row whose deciding line it is.
    pub(crate) fn push(&mut self, line: u32, authoritative: Option<usize>) {
        let facts = &self.lines[line as usize];
        let row = self.rows.len();
        self.rows.push(GroupRow {
            day: facts.day,
            moved_from: None,
            authoritative,
            shown: line,
            is_removed: false,
            files: Vec::new(),
            id: facts.id(),
            payee: facts.payee,
            text: facts.text,
            balance: authoritative.is_none().then(|| self.balances.get(&line).copied()).flatten(),
        });
        self.by_day.entry(facts.day).or_default().push(row);
        if authoritative.is_none() {
            self.rows[row].files.push((self.digests)(line));
            self.bound.push((line, row));
        }
    }

    /// Removes the rows that moved away or were removed from the list of a day.
    fn forget(&mut self, day: Date) {
        let rows = &self.rows;
        if let Some(known) = self.by_day.get_mut(&day) {
            known.retain(|row| rows[*row].day == day && !rows[*row].is_removed);
        }
    }

    /// Returns true if a row lies inside a range of days.
    pub(crate) fn has_row_inside(&self, (first, last): (Date, Date)) -> bool {
        first < last && self.by_day.range(first..last).any(|(day, rows)| *day > first && !rows.is_empty())
    }

    /// Returns the rows of each day that count, in the order of the days.
    pub(crate) fn days(&self) -> impl Iterator<Item = (Date, &[usize])> {
        self.by_day.iter().map(|(day, rows)| (*day, rows.as_slice()))
    }
}

/// Removes lines and rows with an equal key from their lists, the last ones first, and adds them to `pairs`.
fn take_pairs<K: std::hash::Hash + Eq>(
    lines: &mut Vec<u32>,
    rows: &mut Vec<usize>,
    key_of_line: impl Fn(u32) -> Option<K>,
    key_of_row: impl Fn(usize) -> Option<K>,
    pairs: &mut Vec<(u32, usize)>,
) {
    if lines.is_empty() || rows.is_empty() {
        return;
    }
    let mut by_key: HashMap<K, Vec<usize>> = HashMap::new();
    for &row in rows.iter() {
        if let Some(key) = key_of_row(row) {
            by_key.entry(key).or_default().push(row);
        }
    }
    let taken = pairs.len();
    for &line in lines.iter().rev() {
        let row = key_of_line(line).and_then(|key| by_key.get_mut(&key)).and_then(Vec::pop);
        pairs.extend(row.map(|row| (line, row)));
    }
    let taken: HashSet<(bool, usize)> =
        pairs[taken..].iter().flat_map(|(line, row)| [(true, *line as usize), (false, *row)]).collect();
    lines.retain(|line| !taken.contains(&(true, *line as usize)));
    rows.retain(|row| !taken.contains(&(false, *row)));
}
