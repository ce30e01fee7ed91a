//! The rows of a person: a pure function of the lines of all files.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use passbook_domain::Currency;
use uuid::Uuid;

use crate::authoritative::{Authoritative, authoritative};
use crate::group::Group;
use crate::line::{FileStatement, Line};
use crate::pending::{Announced, BookedRows, pending};
use crate::period::{Account, Period, periods};
use crate::repeated::repeated;
use crate::row::{MatchedRow, Outcome, Step};
use crate::running_days;
use crate::source::{Source, source_numbers, sources};

/// The rows of all accounts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resolution {
    /// The accounts that have statements.
    pub accounts: Vec<Uuid>,
    /// The rows. A fee follows its row.
    pub rows: Vec<MatchedRow>,
    /// The outcome of each line.
    pub outcomes: Vec<Outcome>,
    /// Number of rows that lie strictly inside the days of a statement and that the statement lacks, by the first
    /// statement of its source.
    pub missing: BTreeMap<u32, u64>,
    /// The statements of each run whose balances show that its lines add up.
    pub runs: Vec<Vec<u32>>,
    /// Pairs of statements with equal lines of one day that neither balances nor references of the bank tell apart. The rows
    /// of the later statement, and all balances from its first day on, are not proven.
    pub ambiguous: Vec<(u32, u32)>,
}

impl Resolution {
    /// Returns the account of a row.
    pub fn account(&self, row: &MatchedRow) -> Uuid {
        self.accounts[row.account as usize]
    }
}

/// Returns the rows of a person's lines. The lines of a statement are in the order of the file.
pub fn resolve(user: Uuid, statements: &[FileStatement], lines: &[Line]) -> Resolution {
    let periods = periods(statements, lines);
    let repeated = repeated(statements, &periods, lines);
    let mut accounts: BTreeMap<Uuid, (Vec<u32>, Vec<u32>)> = BTreeMap::new();
    let counts = |statement: u32| !repeated.statements.contains(&statement);
    for (index, statement) in (0_u32..).zip(statements).filter(|(index, _)| counts(*index)) {
        accounts.entry(statement.account).or_default().0.push(index);
    }
    for (index, line) in (0_u32..).zip(lines).filter(|(_, line)| counts(line.statement)) {
        let account = statements[line.statement as usize].account;
        accounts.entry(account).or_default().1.push(index);
    }
    let outcomes = vec![Outcome::Removed; lines.len()];
    let mut resolver = Resolver {
        user,
        statements,
        ages: ages(&periods),
        periods: &periods,
        lines,
        resolution: Resolution { outcomes, ..Resolution::default() },
    };
    for (account, (members, own)) in accounts {
        resolver.account(account, &members, &own);
    }
    for (line, original) in repeated.original {
        resolver.resolution.outcomes[line as usize] = resolver.resolution.outcomes[original as usize];
    }
    resolver.resolution
}

/// Returns the position of each statement in the order of all statements, the oldest first.
fn ages(periods: &[Period]) -> Vec<u32> {
    let mut ordered: Vec<usize> = (0..periods.len()).collect();
    ordered.sort_by_key(|statement| periods[*statement].order);
    let mut ages = vec![0; periods.len()];
    (0_u32..).zip(ordered).for_each(|(age, statement)| ages[statement] = age);
    ages
}

struct Resolver<'a> {
    user: Uuid,
    statements: &'a [FileStatement],
    periods: &'a [Period],
    /// Position of each statement in the order of all statements, the oldest first.
    ages: Vec<u32>,
    lines: &'a [Line],
    resolution: Resolution,
}

/// A line in the order of the groups: currency, amount, source, day, line. An authoritative row, which has no source,
/// comes before the lines of all sources. Currency, amount and day are those of the line.
#[derive(Clone, Copy)]
struct Sorted {
    /// Number of the source, from 1; 0 for an authoritative row.
    source: u32,
    line: u32,
}

impl Resolver<'_> {
    fn account(&mut self, account: Uuid, members: &[u32], own: &[u32]) {
        self.resolution.accounts.push(account);
        let facts =
            Account { statements: self.statements, periods: self.periods, all: self.lines, members, own };
        let rows = authoritative(&facts);
        let (sources, ambiguous) = sources(&facts);
        self.resolution.ambiguous.extend(ambiguous);
        let runs = sources.iter().filter(|source| source.is_run);
        self.resolution.runs.extend(runs.map(|source| source.statements.clone()));
        let source_numbers = source_numbers(&sources);
        let sorted = self.sorted(&facts, &rows, &source_numbers);
        let balances = running_days::partial_balances(&facts, &sources, &source_numbers);
        let first_row = self.resolution.rows.len();
        let has_same_amount = |one: &Sorted, other: &Sorted| {
            let (one, other) = (facts.line(one.line), facts.line(other.line));
            (one.currency, one.cents) == (other.currency, other.cents)
        };
        for group in sorted.chunk_by(has_same_amount) {
            self.group(account, group, &sources, &rows, &balances);
        }
        self.pending(account, &facts, &rows, &sources, &source_numbers, first_row);
    }

    fn sorted(
        &self,
        account: &Account<'_>,
        rows: &Authoritative,
        source_numbers: &HashMap<u32, u32>,
    ) -> Vec<Sorted> {
        let mut sorted: Vec<Sorted> = Vec::with_capacity(account.own.len() + rows.deciding.len());
        let deciding = rows.deciding.iter().map(|(_, _, line)| Sorted { source: 0, line: *line });
        sorted.extend(deciding.filter(|one| !account.line(one.line).pending));
        for (line, facts) in account.lines().filter(|(_, line)| !line.pending) {
            if facts.authoritative().is_none() || rows.row_of_line.contains_key(&line) {
                sorted.push(Sorted { source: source_numbers[&facts.statement] + 1, line });
            }
        }
        sorted.sort_unstable_by_key(|sorted| {
            let line = &self.lines[sorted.line as usize];
            let age = self.ages[line.statement as usize];
            (line.currency, line.cents, sorted.source, line.day, age, sorted.line)
        });
        sorted
    }

    /// Makes the rows of one account, amount and currency.
    fn group(
        &mut self,
        account: Uuid,
        sorted: &[Sorted],
        sources: &[Source],
        rows: &Authoritative,
        balances: &HashMap<u32, i64>,
    ) {
        let digest = |line: u32| self.statements[self.lines[line as usize].statement as usize].digest;
        let mut group = Group::new(self.lines, &digest, balances);
        let seeds = sorted.iter().take_while(|line| line.source == 0).count();
        for seed in &sorted[..seeds] {
            group.push(seed.line, Some(rows.row_of_line[&seed.line]));
        }
        let row_of = |line: u32| rows.row_of_line.get(&line).copied();
        let mut rest = &sorted[seeds..];
        for (number, source) in (0_u32..).zip(sources) {
            let length = rest.iter().take_while(|line| line.source == number + 1).count();
            let (lines, others) = rest.split_at(length);
            rest = others;
            if lines.is_empty() && !source.ranges.iter().any(|range| group.has_row_inside(*range)) {
                continue;
            }
            let mut days: BTreeMap<Date, Vec<u32>> = BTreeMap::new();
            let day = |line: u32| self.lines[line as usize].day;
            lines.iter().for_each(|one| days.entry(day(one.line)).or_default().push(one.line));
            group.compare(number as usize, source, &days, &row_of);
        }
        self.emit(account, &group, sources, rows);
    }

    /// Adds the rows of a group.
    fn emit(&mut self, account: Uuid, group: &Group<'_>, sources: &[Source], rows: &Authoritative) {
        let mut indexes = vec![None; group.rows.len()];
        for (day, rows_of_day) in group.days() {
            let mut number = 0;
            for &row in rows_of_day {
                let facts = &group.rows[row];
                let (step, id) = match facts.authoritative {
                    Some(number) => {
                        let (name, occurrence, _) = rows.deciding[number];
                        (Step::Identifier(occurrence), self.authoritative_id(name, occurrence))
                    }
                    None => {
                        let line = &self.lines[facts.shown as usize];
                        let id = self.counted_id("imported-slot", account, day, line, number);
                        number += 1;
                        (Step::Equal(number - 1), id)
                    }
                };
                indexes[row] = Some(self.push(day, facts.shown, step, id, facts.moved_from));
            }
        }
        for (line, row) in &group.bound {
            if let Some(row) = indexes[*row] {
                self.resolution.outcomes[*line as usize] = Outcome::Row(row);
            }
        }
        for (source, row) in &group.missing {
            if indexes[*row].is_some() {
                *self.resolution.missing.entry(sources[*source].statements[0]).or_default() += 1;
            }
        }
    }

    fn authoritative_id(&self, name: Uuid, occurrence: u32) -> Uuid {
        match occurrence {
            0 => name,
            _ => passbook_records::id::derive(self.user, "imported", &format!("{name}/{occurrence}")),
        }
    }

    fn counted_id(&self, kind: &str, account: Uuid, day: Date, line: &Line, number: u32) -> Uuid {
        let (cents, currency) = (line.cents, line.currency);
        passbook_records::id::derive(self.user, kind, &format!("{account}/{day}/{cents}/{currency}/{number}"))
    }

    /// Adds a row and its fee. Returns the index of the row.
    fn push(&mut self, day: Date, line: u32, step: Step, id: Uuid, moved_from: Option<Date>) -> u32 {
        let facts = &self.lines[line as usize];
        let (cents, currency) = (facts.cents, facts.currency);
        let account = u32::try_from(self.resolution.accounts.len() - 1).expect("fewer than 2^32 accounts");
        let rows = &mut self.resolution.rows;
        let index = u32::try_from(rows.len()).expect("there are fewer rows than lines and fees");
        rows.push(MatchedRow { id, account, day, cents, currency, line, step, moved_from });
        if facts.fee_cents() != 0 && !facts.pending {
            let id = passbook_records::id::derive(self.user, "imported-fee", &id.to_string());
            let cents = facts.fee_cents();
            rows.push(MatchedRow { id, account, day, cents, currency, line, step: Step::Fee, moved_from });
        }
        index
    }

    fn pending(
        &mut self,
        account: Uuid,
        facts: &Account<'_>,
        authoritative: &Authoritative,
        sources: &[Source],
        source_numbers: &HashMap<u32, u32>,
        first_row: usize,
    ) {
        if !facts.lines().any(|(_, line)| line.pending) {
            return;
        }
        let Resolution { rows, outcomes, .. } = &self.resolution;
        let booked = BookedRows { sources, source_numbers, authoritative, rows, first_row, outcomes };
        // The numbers of equal rows follow the order of the entries, which does not depend on the order of the files.
        let mut numbers: HashMap<(Date, i64, Currency), u32> = HashMap::new();
        for Announced { line, same, end } in pending(facts, booked) {
            let outcome = end.unwrap_or_else(|| {
                let facts = facts.line(line);
                let number = numbers.entry((facts.day, facts.cents, facts.currency)).or_default();
                let position = *number;
                *number += 1;
                let id = match authoritative.row(line) {
                    Some((name, occurrence, _)) => self.authoritative_id(name, occurrence),
                    None => self.counted_id("imported-pending", account, facts.day, facts, position),
                };
                Outcome::Row(self.push(facts.day, line, Step::Pending(position), id, None))
            });
            for line in same.into_iter().chain([line]) {
                self.resolution.outcomes[line as usize] = outcome;
            }
        }
    }
}

#[cfg(test)]
mod tests;
