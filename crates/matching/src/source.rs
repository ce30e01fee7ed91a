//! Sources: what one file, or one run of statements, states about one account.
//!
//! The rules compare sources with each other, in the order of their days. A source is one file, or a run: statements whose
//! balances show that they share no line.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::civil::Date;
use passbook_records::statement::{BalanceKind, StatementKind};

use crate::line::Line;
use crate::period::{Account, Order};
use crate::run;
use crate::run::Runs;

/// The statements of one account in one file, or in one run of statements.
pub(crate) struct Source {
    pub(crate) order: Order,
    /// Ranges of days from the first to the last transaction of each part. Only days strictly inside are complete.
    pub(crate) ranges: Vec<(Date, Date)>,
    /// Ranges of days that the source states to list completely.
    stated: Vec<(Date, Date)>,
    /// True if rows that the source lacks are removed.
    pub(crate) replace: bool,
    /// True if the source is a run of balanced statements.
    pub(crate) is_run: bool,
    /// True if the lines of the source agree with its own balances.
    pub(crate) is_proven: bool,
    pub(crate) statements: Vec<u32>,
}

impl Source {
    /// Returns true if the source lists a day completely.
    pub(crate) fn covers(&self, day: Date) -> bool {
        self.stated.iter().any(|(first, last)| (*first..=*last).contains(&day))
            || self.ranges.iter().any(|(first, last)| *first < day && day < *last)
    }
}

/// Returns the sources of one account in order, and the pairs of statements whose equal lines are ambiguous.
pub(crate) fn sources(account: &Account<'_>) -> (Vec<Source>, Vec<(u32, u32)>) {
    let mut sources = Vec::new();
    let mut in_runs = HashSet::new();
    let Runs { runs, ambiguous } = run::runs(account);
    let mut booked: Vec<&Line> = Vec::new();
    if !runs.is_empty() {
        booked.extend(account.lines().map(|(_, line)| line).filter(|line| !line.pending));
        booked.sort_by_key(|line| line.day);
    }
    for run in runs {
        in_runs.extend(run.iter().copied());
        let days = run_days(account, &run, &booked);
        let closing = run.last().and_then(|last| account.statement(*last).balance(BalanceKind::Closing));
        let mut source = source(account, run, true);
        source.is_proven = true;
        source.stated.extend(&days);
        source.stated.extend(days.last().zip(closing).map(|(range, closing)| (range.0, closing.day)));
        source.ranges = days;
        sources.push(source);
    }
    let mut rest: BTreeMap<[u8; 32], Vec<u32>> = BTreeMap::new();
    for statement in account.members.iter().filter(|statement| !in_runs.contains(*statement)) {
        rest.entry(account.statement(*statement).digest).or_default().push(*statement);
    }
    sources.extend(rest.into_values().map(|rest| source(account, rest, false)));
    sources.sort_by_key(|file| file.order);
    (sources, ambiguous)
}

/// Returns the number of the source of each statement.
pub(crate) fn source_numbers(sources: &[Source]) -> HashMap<u32, u32> {
    let numbered = (0..).zip(sources);
    numbered.flat_map(|(number, source)| source.statements.iter().map(move |one| (*one, number))).collect()
}

fn source(account: &Account<'_>, members: Vec<u32>, is_run: bool) -> Source {
    let order =
        members.iter().map(|member| account.period(*member).order).max().expect("a file has a statement");
    // A list of changes lacks every row that did not change.
    let is_complete = |member: &u32| account.statement(*member).kind != StatementKind::Delta;
    let complete = members.iter().copied().filter(is_complete);
    let ranges = complete.clone().filter_map(|member| account.period(member).days).collect();
    let stated = complete.filter_map(|member| {
        let statement = account.statement(member);
        let last = statement.to?;
        Some((statement.from?, statement.as_of.map_or(last, |day| day.min(last))))
    });
    let stated = stated.collect();
    let replace = members.iter().any(|member| account.statement(*member).replace);
    let is_proven = members.iter().all(|member| is_complete(member) && account.is_balanced(*member));
    Source { order, ranges, stated, replace, is_run, is_proven, statements: members }
}

/// Returns the ranges of days from the first to the last line of a run. The days between two of its statements are complete
/// too, except where a statement without effect on the balance is missing: another file has lines there that add up to
/// zero, or are part of a balanced statement.
///
/// `booked` are the booked lines of the account by day.
fn run_days(account: &Account<'_>, run: &[u32], booked: &[&Line]) -> Vec<(Date, Date)> {
    let mut ranges: Vec<(Date, Date)> = Vec::new();
    let own: HashSet<u32> = run.iter().copied().collect();
    let mut last: Option<Date> = None;
    // A statement without lines may be between the two ranges.
    let mut is_interrupted = false;
    for &member in run {
        let days = account.period(member).days;
        let closing = account.statement(member).balance(BalanceKind::Closing).map(|closing| closing.day);
        let (first, end) = days.unzip();
        let misses_statement = |last: Date| {
            let mut totals: HashMap<u32, i128> = HashMap::new();
            let before = first.or(closing).unwrap_or(last);
            let start = booked.partition_point(|line| line.day <= last);
            let between = booked[start..].iter().take_while(|line| line.day < before);
            for line in between.filter(|line| !own.contains(&line.statement)) {
                *totals.entry(line.statement).or_default() += line.effect();
            }
            totals.iter().any(|(other, total)| {
                let is_sequence = account.statement(*other).kind == StatementKind::Sequence;
                *total == 0 || (is_sequence && account.is_balanced(*other))
            })
        };
        is_interrupted |= last.is_some_and(misses_statement);
        if let Some(days) = days {
            match ranges.last_mut().filter(|_| !is_interrupted) {
                Some(range) => *range = (range.0.min(days.0), range.1.max(days.1)),
                None => ranges.push(days),
            }
            is_interrupted = false;
        }
        last = last.max(closing).max(end);
    }
    ranges
}
