//! The booked rows of one account, amount and currency: how many there are, on which days, and the row of each line.
//!
//! Virtual files are compared in their order. A file that lists more lines of a day than there are rows adds rows
//! (surplus). A file that should list a row and lacks it (deficit) moves the row if the file has the same amount on
//! another day nearby; otherwise the row stays and is reported. Neither texts nor identifiers change the number of rows:
//! they only choose the row of a line.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use uuid::Uuid;

use super::line::Line;
use super::virtual_file::VirtualFile;

/// Maximum distance of the two days between which a row moves, in days.
pub(crate) const MOVE_DAYS_MAX: i64 = 5;

/// A row of the bucket.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) day: Date,
    /// The day from which a later file moved the row.
    pub(crate) moved_from: Option<Date>,
    /// Index of an authoritative row; `None` for a row that only counts make.
    pub(crate) authoritative: Option<usize>,
    /// The newest line of the row.
    pub(crate) shown: u32,
    /// True if a file with the option to replace removed the row.
    pub(crate) is_removed: bool,
    /// The files that have a line of the row.
    files: Vec<[u8; 32]>,
    id: Option<Uuid>,
    text: u64,
}

/// The lines of one virtual file in the bucket, by day.
type Days = BTreeMap<Date, Vec<u32>>;

/// The rows of one bucket.
pub(crate) struct Bucket<'a> {
    pub(crate) slots: Vec<Slot>,
    /// Line and slot.
    pub(crate) bound: Vec<(u32, usize)>,
    /// Slots that a virtual file should list and lacks: file and slot.
    pub(crate) missing: Vec<(usize, usize)>,
    by_day: BTreeMap<Date, Vec<usize>>,
    lines: &'a [Line],
    digests: &'a dyn Fn(u32) -> [u8; 32],
}

impl std::fmt::Debug for Bucket<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bucket").field("slots", &self.slots).finish_non_exhaustive()
    }
}

impl<'a> Bucket<'a> {
    /// Creates a bucket. `digests` returns the file of a line.
    pub(crate) fn new(lines: &'a [Line], digests: &'a dyn Fn(u32) -> [u8; 32]) -> Bucket<'a> {
        let (slots, bound, missing) = (Vec::new(), Vec::new(), Vec::new());
        Bucket { slots, bound, missing, by_day: BTreeMap::new(), lines, digests }
    }

    /// Adds an authoritative row, whose deciding line is `line`.
    pub(crate) fn add_authoritative(&mut self, row: usize, line: u32) {
        self.push(line, Some(row));
    }

    /// Returns the slot of an authoritative row on a day.
    fn authoritative_slot(&self, row: usize, day: Date) -> Option<usize> {
        let slots = self.by_day.get(&day)?;
        slots.iter().copied().find(|slot| self.slots[*slot].authoritative == Some(row))
    }

    /// Compares the next virtual file. `days` are its lines, and `authoritative` returns the row of a line with an
    /// authoritative identifier.
    pub(crate) fn compare(
        &mut self,
        number: usize,
        file: &VirtualFile,
        days: &Days,
        authoritative: &dyn Fn(u32) -> Option<usize>,
    ) {
        let mut taken = vec![false; self.slots.len()];
        let mut surplus: Vec<(Date, Vec<u32>)> = Vec::new();
        for (day, lines) in days {
            let mut open = Vec::new();
            for &line in lines {
                let slot = authoritative(line).map(|row| self.authoritative_slot(row, *day));
                match slot {
                    Some(Some(slot)) => self.bind(line, slot, &mut taken),
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
        let mut deficit = self.deficit(file, days, &taken);
        self.move_rows(&mut surplus, &mut deficit);
        for line in surplus.into_iter().flat_map(|(_, lines)| lines) {
            self.push(line, None);
        }
        for (day, slots) in deficit {
            let counted = slots.into_iter().filter(|slot| self.slots[*slot].authoritative.is_none());
            let counted: Vec<usize> = counted.collect();
            if file.replace {
                counted.iter().for_each(|slot| self.slots[*slot].is_removed = true);
                self.forget(day);
            } else {
                self.missing.extend(counted.into_iter().map(|slot| (number, slot)));
            }
        }
    }

    /// Binds the lines of one day to rows: first those with the same identifier, then those with the same text, then the
    /// others in order. Returns the lines that are left.
    fn match_day(&mut self, day: Date, lines: Vec<u32>, taken: &mut [bool]) -> Vec<u32> {
        let mut by_file: BTreeMap<[u8; 32], Vec<u32>> = BTreeMap::new();
        for line in lines {
            by_file.entry((self.digests)(line)).or_default().push(line);
        }
        let mut left = Vec::new();
        for (digest, lines) in by_file {
            let known = self.by_day.get(&day).map_or(&[][..], Vec::as_slice);
            let free: Vec<usize> = known
                .iter()
                .copied()
                .filter(|slot| !taken[*slot] && !self.slots[*slot].files.contains(&digest))
                .collect();
            if free.is_empty() {
                left.extend(lines);
                continue;
            }
            let lines =
                self.match_by(lines, &free, taken, |slot| slot.id, |line| line.id().map(|id| id.name));
            let lines = self.match_by(lines, &free, taken, |slot| Some(slot.text), |line| Some(line.text));
            let mut others = free.into_iter().filter(|slot| !taken[*slot]).collect::<Vec<_>>().into_iter();
            for line in lines {
                match others.next() {
                    Some(slot) => self.bind(line, slot, taken),
                    None => left.push(line),
                }
            }
        }
        left
    }

    /// Binds lines to free slots with an equal key. Returns the other lines.
    fn match_by<K: std::hash::Hash + Eq>(
        &mut self,
        lines: Vec<u32>,
        free: &[usize],
        taken: &mut [bool],
        key_of_slot: impl Fn(&Slot) -> Option<K>,
        key_of_line: impl Fn(&Line) -> Option<K>,
    ) -> Vec<u32> {
        let mut slots: HashMap<K, Vec<usize>> = HashMap::new();
        for &slot in free.iter().rev().filter(|slot| !taken[**slot]) {
            if let Some(key) = key_of_slot(&self.slots[slot]) {
                slots.entry(key).or_default().push(slot);
            }
        }
        let mut left = Vec::new();
        for line in lines {
            let key = key_of_line(&self.lines[line as usize]);
            match key.and_then(|key| slots.get_mut(&key)).and_then(Vec::pop) {
                Some(slot) => self.bind(line, slot, taken),
                None => left.push(line),
            }
        }
        left
    }

    /// Returns the rows that the file should list and lacks, by day.
    fn deficit(&self, file: &VirtualFile, days: &Days, taken: &[bool]) -> BTreeMap<Date, Vec<usize>> {
        let mut deficit: BTreeMap<Date, Vec<usize>> = BTreeMap::new();
        for (first, last) in &file.ranges {
            if first >= last {
                continue;
            }
            for (day, slots) in self.by_day.range(*first..*last).filter(|(day, _)| *day > first) {
                let has_lines = days.contains_key(day);
                let lacking = slots.iter().copied().filter(|slot| {
                    let own = |files: &[[u8; 32]]| {
                        has_lines && days[day].iter().any(|line| files.contains(&(self.digests)(*line)))
                    };
                    !taken[*slot] && !own(&self.slots[*slot].files)
                });
                deficit.entry(*day).or_default().extend(lacking);
            }
        }
        for slots in deficit.values_mut() {
            slots.sort_unstable();
            slots.dedup();
        }
        deficit
    }

    /// Pairs surplus lines with lacking rows at most [`MOVE_DAYS_MAX`] days apart, the nearest first. The row takes the
    /// day of the line, unless its identifier decides its day.
    fn move_rows(&mut self, surplus: &mut [(Date, Vec<u32>)], deficit: &mut BTreeMap<Date, Vec<usize>>) {
        if deficit.values().all(Vec::is_empty) {
            return;
        }
        let former: Vec<Date> = deficit.keys().copied().collect();
        for distance in 1..=MOVE_DAYS_MAX {
            for (day, lines) in surplus.iter_mut() {
                for step in [-distance, distance] {
                    let Ok(other) = day.checked_add(jiff::Span::new().days(step)) else { continue };
                    let Some(slots) = deficit.get_mut(&other) else { continue };
                    for _ in 0..lines.len().min(slots.len()) {
                        let pair = lines.pop().zip(slots.pop());
                        let (line, slot) = pair.expect("both lists are as long as the shorter one");
                        self.move_to(slot, line);
                    }
                }
            }
        }
        former.into_iter().for_each(|day| self.forget(day));
    }

    fn move_to(&mut self, slot: usize, line: u32) {
        let to = self.lines[line as usize].day;
        let row = &mut self.slots[slot];
        row.files.push((self.digests)(line));
        if row.authoritative.is_none() {
            row.moved_from = Some(std::mem::replace(&mut row.day, to));
            (row.shown, row.text) = (line, self.lines[line as usize].text);
            row.id = self.lines[line as usize].id().map(|id| id.name).or(row.id);
            self.by_day.entry(to).or_default().push(slot);
        }
        self.bound.push((line, slot));
    }

    fn bind(&mut self, line: u32, slot: usize, taken: &mut [bool]) {
        taken[slot] = true;
        let facts = &self.lines[line as usize];
        let row = &mut self.slots[slot];
        row.files.push((self.digests)(line));
        if row.authoritative.is_none() {
            (row.shown, row.text) = (line, facts.text);
            row.id = facts.id().map(|id| id.name).or(row.id);
        }
        self.bound.push((line, slot));
    }

    fn push(&mut self, line: u32, authoritative: Option<usize>) {
        let facts = &self.lines[line as usize];
        let slot = self.slots.len();
        self.slots.push(Slot {
            day: facts.day,
            moved_from: None,
            authoritative,
            shown: line,
            is_removed: false,
            files: Vec::new(),
            id: facts.id().map(|id| id.name),
            text: facts.text,
        });
        self.by_day.entry(facts.day).or_default().push(slot);
        if authoritative.is_none() {
            self.slots[slot].files.push((self.digests)(line));
            self.bound.push((line, slot));
        }
    }

    /// Removes the rows that moved away or were removed from the list of a day.
    fn forget(&mut self, day: Date) {
        let slots = &self.slots;
        if let Some(known) = self.by_day.get_mut(&day) {
            known.retain(|slot| slots[*slot].day == day && !slots[*slot].is_removed);
        }
    }

    /// Returns true if a row lies inside a range of days.
    pub(crate) fn has_row_inside(&self, (first, last): (Date, Date)) -> bool {
        first < last && self.by_day.range(first..last).any(|(day, slots)| *day > first && !slots.is_empty())
    }

    /// Returns the slots of each day that count, in the order of the days.
    pub(crate) fn days(&self) -> impl Iterator<Item = (Date, &[usize])> {
        self.by_day.iter().map(|(day, slots)| (*day, slots.as_slice()))
    }
}
