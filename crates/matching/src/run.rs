//! Runs: statements of which each begins with the closing balance of the one before.
//!
//! A statement is balanced if opening balance and lines give the closing balance. Balanced statements that continue each
//! other share no line, so their lines add up, even if two of them cut a day in two. One case is open: the last lines of a
//! run add up to zero, and the next statement lists lines of the same days and amounts. Then these lines may be listed
//! twice, and the statement does not continue the run.

use std::collections::{BTreeSet, HashMap, HashSet};

use jiff::civil::Date;
use passbook_records::statement::StatementKind;
use uuid::Uuid;

use crate::line::Line;
use crate::period::{Account, Order};

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
pub(crate) fn runs(account: &Account<'_>) -> Runs {
    let balanced = balanced(account);
    let mut statements = Statements::new(account, &balanced);
    let balanced = statements.without_copies(balanced);
    let mut runs: Vec<Run> = Vec::new();
    let mut ends: HashMap<i64, Vec<usize>> = HashMap::new();
    for next in balanced {
        let candidates = ends.get(&next.opening).map_or(&[][..], Vec::as_slice);
        let allowed = candidates.iter().copied().filter(|run| may_continue(&runs[*run], &next));
        let (mut continued, mut overlapped) = (Vec::new(), Vec::new());
        for run in allowed {
            match statements.overlap(&runs[run], &next) {
                None => continued.push(run),
                Some(references) => overlapped.push((run, references)),
            }
        }
        let run = continued.into_iter().max_by_key(|run| {
            let end = &runs[*run];
            (is_next(end.number, next.number), end.closing_day, *run)
        });
        let first_day = next.days.map(|days| days.1);
        let Some(run) = run else {
            let uncertain = overlapped.iter().filter(|(_, references)| *references != References::Equal);
            statements.ambiguous.extend(uncertain.map(|(run, _)| (runs[*run].last().0, next.statement)));
            ends.entry(next.closing).or_default().push(runs.len());
            let first = vec![(next.statement, first_day)];
            runs.push(Run { statements: first, closing_day: next.closing_day, number: next.number });
            continue;
        };
        ends.entry(next.opening).or_default().retain(|other| *other != run);
        ends.entry(next.closing).or_default().push(run);
        let end = &mut runs[run];
        let last_day = end.last().1.max(first_day);
        end.statements.push((next.statement, last_day));
        (end.closing_day, end.number) = (next.closing_day, next.number.or(end.number));
    }
    runs.iter().for_each(|run| statements.note_equal_lines(run));
    let runs =
        runs.into_iter().map(|run| run.statements.into_iter().map(|(statement, _)| statement).collect());
    Runs { runs: runs.collect(), ambiguous: statements.ambiguous }
}

/// Returns the balanced statements in the order of their closing days.
fn balanced(account: &Account<'_>) -> Vec<Balanced> {
    let mut balanced: Vec<Balanced> = account
        .members
        .iter()
        .filter_map(|member| {
            let (statement, period) = (account.statement(*member), account.period(*member));
            let (opening, closing) = statement.ends()?;
            (statement.kind == StatementKind::Sequence && account.is_balanced(*member)).then(|| Balanced {
                statement: *member,
                opening: opening.cents,
                closing: closing.cents,
                closing_day: closing.day,
                days: period.days,
                number: statement.number_and_part(),
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
struct Statements<'a> {
    account: &'a Account<'a>,
    /// The booked lines of each balanced statement, by day and amount.
    lines: HashMap<u32, Vec<&'a Line>>,
    ambiguous: Vec<(u32, u32)>,
}

impl<'a> Statements<'a> {
    fn new(account: &'a Account<'a>, balanced: &[Balanced]) -> Statements<'a> {
        let mut lines: HashMap<u32, Vec<&Line>> =
            balanced.iter().map(|one| (one.statement, Vec::new())).collect();
        for (_, line) in account.lines().filter(|(_, line)| !line.pending) {
            if let Some(lines) = lines.get_mut(&line.statement) {
                lines.push(line);
            }
        }
        lines.values_mut().for_each(|lines| lines.sort_by_key(|line| key(line)));
        Statements { account, lines, ambiguous: Vec::new() }
    }

    /// Leaves out statements that another file has too. Formats and downloads number the same statement differently, so only
    /// within one file another number makes another statement.
    fn without_copies(&mut self, mut balanced: Vec<Balanced>) -> Vec<Balanced> {
        let mut counted: HashMap<_, Vec<u32>> = HashMap::new();
        let mut numbers: HashMap<_, HashSet<Option<&str>>> = HashMap::new();
        let account = self.account;
        balanced.retain(|one| {
            let statement = account.statement(one.statement);
            let content = account.period(one.statement).content;
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
        let own = &self.lines[&statement];
        own.is_empty()
            || others.iter().any(|other| {
                self.number(*other).is_some_and(|number| self.number(statement) == Some(number))
                    || references(own, &self.lines[other]) == References::Equal
            })
    }

    fn number(&self, statement: u32) -> Option<u64> {
        Some(self.account.statement(statement).number_and_part()?.0)
    }

    /// Returns how the references of the lines agree if `next` lists the last lines of the run, and these lines add up to zero,
    /// so that the balances cannot tell an overlap from a continuation.
    fn overlap(&self, run: &Run, next: &Balanced) -> Option<References> {
        let tail = self.tail(run, next);
        let (last, _) = run.last();
        let (one, other) = (self.account.statement(last), self.account.statement(next.statement));
        let is_page = one.digest == other.digest
            && run.number.zip(next.number).is_some_and(|(one, other)| (one.0, one.1 + 1) == other);
        if tail.is_empty() || is_page {
            return None;
        }
        let keys: HashSet<_> = tail.iter().map(|line| key(line)).collect();
        let own = self.lines[&next.statement].iter().copied();
        let equal: Vec<&Line> = own.filter(|line| keys.contains(&key(line))).collect();
        let references = references(&tail, &equal);
        let has_one_source = |line: &&Line| self.account.statement(line.statement).origin == other.origin;
        let differ = references == References::Different && tail.iter().all(has_one_source);
        (!differ).then_some(references)
    }

    /// Returns the lines of the run from the first day of `next` on, if `next` lists all of them and they add up to zero.
    fn tail(&self, run: &Run, next: &Balanced) -> Vec<&'a Line> {
        let Some((first, _)) = next.days else { return Vec::new() };
        let own = &self.lines[&next.statement];
        let mut tail = Vec::new();
        for (statement, _) in run.statements.iter().rev().take_while(|(_, last)| *last >= Some(first)) {
            let lines = &self.lines[statement];
            tail.extend_from_slice(&lines[lines.partition_point(|line| line.day < first)..]);
            if tail.len() > own.len() {
                return Vec::new();
            }
        }
        tail.sort_by_key(|line| key(line));
        let mut rest = own.iter();
        let is_listed = tail.iter().all(|line| rest.any(|other| key(other) == key(line)));
        let total: i128 = tail.iter().map(|line| line.effect()).sum();
        if is_listed && total == 0 { tail } else { Vec::new() }
    }

    /// Notes statements of a run that have a day and equal lines in common, unless references tell the lines apart. Pages of
    /// one number are one statement.
    fn note_equal_lines(&mut self, run: &Run) {
        let shares_day = |pair: &[(u32, Option<Date>)]| {
            let first = self.account.period(pair[1].0).days.map(|days| days.0);
            first.is_some() && pair[0].1 >= first
        };
        if !run.statements.windows(2).any(shares_day) {
            return;
        }
        let page = |one: u32| (self.account.statement(one).digest, self.number(one));
        let mut by_amount: HashMap<(Date, i64), u32> = HashMap::new();
        let mut by_id: HashMap<(Date, i64, Option<Uuid>), u32> = HashMap::new();
        let mut found: BTreeSet<(u32, u32)> = BTreeSet::new();
        for (statement, _) in &run.statements {
            for line in &self.lines[statement] {
                let (day, cents) = key(line);
                let equal = match line.id() {
                    None => by_amount.get(&(day, cents)),
                    id => by_id.get(&(day, cents, id)).or_else(|| by_id.get(&(day, cents, None))),
                };
                let is_page = |other: &&u32| page(**other).1.is_some() && page(**other) == page(*statement);
                if let Some(other) = equal.filter(|other| !is_page(other)) {
                    found.insert((*other, *statement));
                }
            }
            for line in &self.lines[statement] {
                by_amount.insert(key(line), *statement);
                by_id.insert((line.day, line.cents, line.id()), *statement);
            }
        }
        self.ambiguous.extend(found);
    }
}

fn references(lines: &[&Line], others: &[&Line]) -> References {
    let ids = |lines: &[&Line]| -> Option<HashSet<Uuid>> { lines.iter().map(|line| line.id()).collect() };
    match ids(lines).zip(ids(others)) {
        Some((ids, others)) if ids.is_subset(&others) => References::Equal,
        Some((ids, others)) if ids.is_disjoint(&others) => References::Different,
        _ => References::Unknown,
    }
}

fn key(line: &Line) -> (Date, i64) {
    (line.day, line.cents)
}
