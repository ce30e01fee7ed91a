//! Runs: statements of which each begins with the closing balance of the one before.
//!
//! A statement is balanced if opening balance and lines give the closing balance. Balanced statements that continue each
//! other share no line, so their lines add up, even if two of them cut a day in two. One case is open: the last lines of a
//! run add up to zero, and the next statement lists lines of the same days and amounts. Then these lines may be listed
//! twice, and the statement does not continue the run.

use std::collections::{BTreeSet, HashMap, HashSet};

use jiff::civil::Date;
use passbook_records::statement::{BalanceKind, StatementKind};
use uuid::Uuid;

use super::line::{FileStatement, Line};
use super::period::{Order, Period};
use super::source::{is_balanced, number};

/// The runs of one account.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    /// The statements of each run in the order of the account. A statement alone is a run too.
    pub(crate) runs: Vec<Vec<u32>>,
    /// Pairs of statements with equal lines that may be the same transactions or others.
    pub(crate) ambiguous: Vec<(u32, u32)>,
}

/// A balanced statement.
struct Balanced {
    statement: u32,
    opening: i64,
    closing: i64,
    closing_day: Date,
    days: Option<(Date, Date)>,
    number: Option<(u64, u64)>,
    order: Order,
}

/// The end of a run.
struct Run {
    /// The statements, each with the last day of the lines of the run until then.
    statements: Vec<(u32, Option<Date>)>,
    closing_day: Date,
    number: Option<(u64, u64)>,
}

impl Run {
    fn last(&self) -> (u32, Option<Date>) {
        *self.statements.last().expect("a run has a statement")
    }
}

/// Returns the runs of one account's statements. Copies of statements, statements that are not balanced and statements of
/// other kinds are in no run.
pub(crate) fn runs(
    statements: &[FileStatement],
    periods: &[Period],
    members: &[u32],
    all: &[Line],
    own: &[u32],
) -> Runs {
    let balanced = balanced(statements, periods, members);
    let mut account = Account { statements, periods, all, lines: HashMap::new(), ambiguous: Vec::new() };
    account.sort_lines(&balanced, own);
    let balanced = account.without_copies(balanced);
    let mut runs: Vec<Run> = Vec::new();
    let mut ends: HashMap<i64, Vec<usize>> = HashMap::new();
    for next in balanced {
        let candidates = ends.get(&next.opening).map_or(&[][..], Vec::as_slice);
        let allowed = candidates.iter().copied().filter(|run| may_continue(&runs[*run], &next));
        let (continued, overlapped): (Vec<usize>, Vec<usize>) =
            allowed.partition(|run| !account.overlaps(&runs[*run], &next));
        let run = continued.into_iter().max_by_key(|run| {
            let end = &runs[*run];
            (is_next(end.number, next.number), end.closing_day, *run)
        });
        let first_day = next.days.map(|days| days.1);
        let Some(run) = run else {
            for run in overlapped {
                account.note_overlap(&runs[run], &next);
            }
            ends.entry(next.closing).or_default().push(runs.len());
            let statements = vec![(next.statement, first_day)];
            runs.push(Run { statements, closing_day: next.closing_day, number: next.number });
            continue;
        };
        ends.entry(next.opening).or_default().retain(|other| *other != run);
        ends.entry(next.closing).or_default().push(run);
        let end = &mut runs[run];
        let last_day = end.last().1.max(first_day);
        end.statements.push((next.statement, last_day));
        (end.closing_day, end.number) = (next.closing_day, next.number.or(end.number));
    }
    runs.iter().for_each(|run| account.note_equal_lines(run));
    let runs =
        runs.into_iter().map(|run| run.statements.into_iter().map(|(statement, _)| statement).collect());
    Runs { runs: runs.collect(), ambiguous: account.ambiguous }
}

/// Returns the balanced statements in the order of their closing days.
fn balanced(statements: &[FileStatement], periods: &[Period], members: &[u32]) -> Vec<Balanced> {
    let mut balanced: Vec<Balanced> = members
        .iter()
        .filter_map(|member| {
            let (statement, period) = (&statements[*member as usize], &periods[*member as usize]);
            let (opening, closing) =
                (statement.balance(BalanceKind::Opening)?, statement.balance(BalanceKind::Closing)?);
            (statement.kind == StatementKind::Sequence && is_balanced(statement, period)).then(|| Balanced {
                statement: *member,
                opening: opening.cents,
                closing: closing.cents,
                closing_day: closing.day,
                days: period.days,
                number: statement.number.as_deref().and_then(number),
                order: period.order,
            })
        })
        .collect();
    balanced.sort_by_key(|one| (one.closing_day, one.number, one.days, one.order));
    balanced
}

/// Returns true if the numbers of two statements show that no statement is between them.
fn is_next(last: Option<(u64, u64)>, next: Option<(u64, u64)>) -> bool {
    match (last, next) {
        (Some((last, part)), Some((number, next_part))) => {
            number == last + 1 || (number == last && next_part == part + 1) || (number == 1 && last > 1)
        }
        _ => false,
    }
}

/// Returns true if the days allow that `next`, which begins with the closing balance of the run, continues it.
fn may_continue(run: &Run, next: &Balanced) -> bool {
    if next.closing_day < run.closing_day {
        return false;
    }
    let Some((last, (first, _))) = run.last().1.zip(next.days) else { return true };
    last <= first || is_next(run.number, next.number)
}

/// The relation of two lists of lines by the references of the bank.
#[derive(Clone, Copy, PartialEq, Eq)]
enum References {
    /// Each line of the first list has the reference of a line of the second one.
    Equal,
    /// Each line has a reference, and no reference is in both lists.
    Different,
    Unknown,
}

/// The balanced statements of one account, with their lines.
struct Account<'a> {
    statements: &'a [FileStatement],
    periods: &'a [Period],
    all: &'a [Line],
    /// The booked lines of each balanced statement, by day and amount.
    lines: HashMap<u32, Vec<u32>>,
    ambiguous: Vec<(u32, u32)>,
}

impl Account<'_> {
    fn sort_lines(&mut self, balanced: &[Balanced], own: &[u32]) {
        self.lines = balanced.iter().map(|one| (one.statement, Vec::new())).collect();
        for &line in own.iter().filter(|line| !self.all[**line as usize].pending) {
            if let Some(lines) = self.lines.get_mut(&self.all[line as usize].statement) {
                lines.push(line);
            }
        }
        let all = self.all;
        self.lines.values_mut().for_each(|lines| lines.sort_by_key(|line| key(all, *line)));
    }

    /// Leaves out statements that another file has too. Formats and downloads number the same statement differently, so only
    /// within one file another number makes another statement.
    fn without_copies(&mut self, mut balanced: Vec<Balanced>) -> Vec<Balanced> {
        let mut counted: HashMap<_, Vec<u32>> = HashMap::new();
        let mut numbers: HashMap<_, HashSet<Option<&str>>> = HashMap::new();
        let statements = self.statements;
        balanced.retain(|one| {
            let statement = &statements[one.statement as usize];
            let content = self.periods[one.statement as usize].content;
            let facts = (one.closing_day, one.opening, one.closing, content);
            let of_file = numbers.entry((facts, statement.digest)).or_default();
            let is_other = of_file.insert(statement.number.as_deref());
            let counted = counted.entry(facts).or_default();
            if is_other && of_file.len() > counted.len() {
                counted.push(one.statement);
                return true;
            }
            if is_other && one.opening == one.closing && !self.is_copy(one.statement, counted) {
                self.ambiguous.push((counted[of_file.len() - 1], one.statement));
            }
            false
        });
        balanced
    }

    /// Returns true if numbers or references show that a statement without effect on the balance is one of `others`.
    fn is_copy(&self, statement: u32, others: &[u32]) -> bool {
        let number_of = |one: u32| Some(number(self.statements[one as usize].number.as_deref()?)?.0);
        let own = &self.lines[&statement];
        own.is_empty()
            || others.iter().any(|other| {
                number_of(*other).is_some_and(|number| number_of(statement) == Some(number))
                    || self.references(own, &self.lines[other]) == References::Equal
            })
    }

    /// Returns true if `next` lists the last lines of the run, and these lines add up to zero, so that the balances cannot tell
    /// an overlap from a continuation.
    fn overlaps(&self, run: &Run, next: &Balanced) -> bool {
        let tail = self.tail(run, next);
        let (last, _) = run.last();
        let (one, other) = (&self.statements[last as usize], &self.statements[next.statement as usize]);
        let is_page = one.digest == other.digest
            && run.number.zip(next.number).is_some_and(|(one, other)| (one.0, one.1 + 1) == other);
        let has_one_source =
            |line: &u32| self.statements[self.all[*line as usize].statement as usize].origin == other.origin;
        let differ = || {
            tail.iter().all(has_one_source)
                && self.references(&tail, &self.equal_lines(&tail, next)) == References::Different
        };
        !tail.is_empty() && !is_page && !differ()
    }

    /// Returns the lines of the run from the first day of `next` on, if `next` lists all of them and they add up to zero.
    fn tail(&self, run: &Run, next: &Balanced) -> Vec<u32> {
        let Some((first, _)) = next.days else { return Vec::new() };
        let own = &self.lines[&next.statement];
        let mut tail = Vec::new();
        for (statement, _) in run.statements.iter().rev().take_while(|(_, last)| *last >= Some(first)) {
            let lines = &self.lines[statement];
            tail.extend(&lines[lines.partition_point(|line| self.all[*line as usize].day < first)..]);
            if tail.len() > own.len() {
                return Vec::new();
            }
        }
        tail.sort_by_key(|line| key(self.all, *line));
        let mut rest = own.iter();
        let is_listed =
            tail.iter().all(|line| rest.any(|other| key(self.all, *other) == key(self.all, *line)));
        let total: i128 = tail.iter().map(|line| self.all[*line as usize].effect()).sum();
        if is_listed && total == 0 { tail } else { Vec::new() }
    }

    /// Returns the lines of a statement that equal a line of `tail` in day and amount.
    fn equal_lines(&self, tail: &[u32], next: &Balanced) -> Vec<u32> {
        let keys: HashSet<_> = tail.iter().map(|line| key(self.all, *line)).collect();
        let own = self.lines[&next.statement].iter().copied();
        own.filter(|line| keys.contains(&key(self.all, *line))).collect()
    }

    fn references(&self, lines: &[u32], others: &[u32]) -> References {
        let ids = |lines: &[u32]| -> Option<HashSet<Uuid>> {
            lines.iter().map(|line| self.all[*line as usize].id().map(|id| id.name)).collect()
        };
        match ids(lines).zip(ids(others)) {
            Some((ids, others)) if ids.is_subset(&others) => References::Equal,
            Some((ids, others)) if ids.is_disjoint(&others) => References::Different,
            _ => References::Unknown,
        }
    }

    /// Notes an overlap that is not certain.
    fn note_overlap(&mut self, run: &Run, next: &Balanced) {
        let tail = self.tail(run, next);
        if self.references(&tail, &self.equal_lines(&tail, next)) != References::Equal {
            self.ambiguous.push((run.last().0, next.statement));
        }
    }

    /// Notes statements of a run that have a day and equal lines in common, unless references tell the lines apart. Pages of
    /// one number are one statement.
    fn note_equal_lines(&mut self, run: &Run) {
        let shares_day = |pair: &[(u32, Option<Date>)]| {
            let first = self.periods[pair[1].0 as usize].days.map(|days| days.0);
            first.is_some() && pair[0].1 >= first
        };
        if !run.statements.windows(2).any(shares_day) {
            return;
        }
        let number_of =
            |one: u32| number(self.statements[one as usize].number.as_deref()?).map(|number| number.0);
        let page = |one: u32| (self.statements[one as usize].digest, number_of(one));
        let mut by_amount: HashMap<(Date, i64), u32> = HashMap::new();
        let mut by_id: HashMap<(Date, i64, Option<Uuid>), u32> = HashMap::new();
        let mut found: BTreeSet<(u32, u32)> = BTreeSet::new();
        for (statement, _) in &run.statements {
            let line = |line: &u32| {
                let (day, cents) = key(self.all, *line);
                (day, cents, self.all[*line as usize].id().map(|id| id.name))
            };
            let lines: Vec<_> = self.lines[statement].iter().map(line).collect();
            for (day, cents, id) in &lines {
                let equal = match id {
                    None => by_amount.get(&(*day, *cents)),
                    Some(_) => by_id.get(&(*day, *cents, *id)).or_else(|| by_id.get(&(*day, *cents, None))),
                };
                let is_page = |other: &&u32| page(**other).1.is_some() && page(**other) == page(*statement);
                if let Some(other) = equal.filter(|other| !is_page(other)) {
                    found.insert((*other, *statement));
                }
            }
            for (day, cents, id) in lines {
                by_amount.insert((day, cents), *statement);
                by_id.insert((day, cents, id), *statement);
            }
        }
        self.ambiguous.extend(found);
    }
}

fn key(all: &[Line], line: u32) -> (Date, i64) {
    let line = &all[line as usize];
    (line.day, line.cents)
}
