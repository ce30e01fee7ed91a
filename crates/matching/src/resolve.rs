//! The rows of a person: a pure function of the lines of all files.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use passbook_domain::Currency;
use uuid::Uuid;

use super::authoritative::{Authoritative, authoritative};
use super::group::Group;
use super::line::{FileStatement, Line};
use super::partial_day;
use super::pending::{self, AccountLines, Announced, Posted};
use super::period::{Period, periods};
use super::repeated::repeated;
use super::source::{Source, sources};

/// Maximum number of missing rows of a statement that are listed. Further ones are counted.
pub const MISSING_LISTED_MAX: usize = 20;

/// A row: a transaction of an account.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchedRow {
    /// Identifier of the row (UUID v5).
    pub id: Uuid,
    /// Number of the account in [`Resolution::accounts`].
    pub account: u32,
    /// The booking day; for a pending row the day of the transaction.
    pub day: Date,
    /// Signed hundredths of `currency`.
    pub cents: i64,
    /// Currency of the amount.
    pub currency: Currency,
    /// Index of the line whose texts are shown: that of the newest file.
    pub line: u32,
    /// The step of the matching that made the row.
    pub step: Step,
    /// The day from which a newer file moved the row.
    pub moved_from: Option<Date>,
}

/// The step of the matching that made a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The identifier of the source is the row. The number counts equal identifiers of one file from 0.
    Identifier(u32),
    /// The row is one of several equal rows of a day, counted from 0.
    Equal(u32),
    /// The row is pending.
    Pending(u32),
    /// The fee that the line of the row before states apart.
    Fee,
}

/// The row of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The line is part of the row with this index.
    Row(u32),
    /// A pending line that is booked since as the row with this index.
    Posted(u32),
    /// A pending line that the newest file of its source no longer lists.
    Outdated,
    /// The source withdrew the identifier of the line, or a file that proves itself or has the option to replace lacks the row.
    Removed,
}

/// Rows that a statement should list and lacks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// Number of rows.
    pub count: u64,
    /// The first rows, as indexes; at most [`MISSING_LISTED_MAX`].
    pub first: Vec<u32>,
}

/// The rows of all accounts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resolution {
    /// The accounts that have statements.
    pub accounts: Vec<Uuid>,
    /// The rows. A fee follows its row.
    pub rows: Vec<MatchedRow>,
    /// The outcome of each line.
    pub outcomes: Vec<Outcome>,
    /// Rows that lie strictly inside the days of a statement and that the statement lacks, by the first statement of
    /// its source.
    pub missing: BTreeMap<u32, Missing>,
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
        periods,
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
    periods: Vec<Period>,
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
        let rows = authoritative(self.statements, &self.periods, members, self.lines, own);
        let (sources, ambiguous) = sources(self.statements, &self.periods, members, self.lines, own);
        self.resolution.ambiguous.extend(ambiguous);
        self.resolution
            .runs
            .extend(sources.iter().filter(|source| source.is_run).map(|source| source.statements.clone()));
        let sorted = self.sorted(own, &rows, &sources);
        let balances = partial_day::balances(self.lines, &sources, own);
        let deciding: HashMap<u32, usize> =
            rows.deciding.iter().enumerate().map(|(row, (_, _, line))| (*line, row)).collect();
        let first_row = self.resolution.rows.len();
        let mut rest = sorted.as_slice();
        let amount = |sorted: &Sorted| {
            let line = &self.lines[sorted.line as usize];
            (line.currency, line.cents)
        };
        while let Some(first) = rest.first() {
            let length = rest.iter().take_while(|line| amount(line) == amount(first)).count();
            let (group, others) = rest.split_at(length);
            self.group(account, group, &sources, &rows, (&deciding, &balances));
            rest = others;
        }
        self.pending(account, members, own, &rows, &sources, first_row);
    }

    fn sorted(&self, own: &[u32], rows: &Authoritative, sources: &[Source]) -> Vec<Sorted> {
        let source_of: HashMap<u32, u32> = (0..)
            .zip(sources)
            .flat_map(|(number, source)| source.statements.iter().map(move |statement| (*statement, number)))
            .collect();
        let mut sorted: Vec<Sorted> = Vec::with_capacity(own.len() + rows.deciding.len());
        for (_, _, line) in &rows.deciding {
            let facts = &self.lines[*line as usize];
            if !facts.pending {
                sorted.push(Sorted { source: 0, line: *line });
            }
        }
        for &line in own {
            let facts = &self.lines[line as usize];
            let exists = facts.authoritative().is_none() || rows.row_of_line.contains_key(&line);
            if !facts.pending && exists {
                sorted.push(Sorted { source: source_of[&facts.statement] + 1, line });
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
        (deciding, balances): (&HashMap<u32, usize>, &HashMap<u32, i64>),
    ) {
        let digest = |line: u32| self.statements[self.lines[line as usize].statement as usize].digest;
        let mut group = Group::new(self.lines, &digest, balances);
        let seeds = sorted.iter().take_while(|line| line.source == 0).count();
        for seed in &sorted[..seeds] {
            group.add_authoritative(deciding[&seed.line], seed.line);
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
            let Some(row) = indexes[*row] else { continue };
            let missing = self.resolution.missing.entry(sources[*source].statements[0]).or_default();
            missing.count += 1;
            if missing.first.len() < MISSING_LISTED_MAX {
                missing.first.push(row);
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
        members: &[u32],
        own: &[u32],
        authoritative: &Authoritative,
        sources: &[Source],
        first_row: usize,
    ) {
        if !own.iter().any(|line| self.lines[*line as usize].pending) {
            return;
        }
        let rows = (0_u32..).zip(&self.resolution.rows).skip(first_row);
        let posted: Vec<Posted> = rows
            .filter(|(_, row)| row.step != Step::Fee)
            .map(|(index, row)| Posted { row: index, day: row.day, cents: row.cents, currency: row.currency })
            .collect();
        let row_of = |line: u32| match self.resolution.outcomes[line as usize] {
            Outcome::Row(row) => Some(row),
            _ => None,
        };
        let is_current = |line: u32| {
            let known = authoritative.row_of_line.get(&line);
            self.lines[line as usize].authoritative().is_none()
                || known.is_some_and(|row| authoritative.deciding[*row].2 == line)
        };
        let (statements, periods, all) = (self.statements, self.periods.as_slice(), self.lines);
        let (lines, row_of, is_current) = (own, &row_of, &is_current);
        let account_lines =
            AccountLines { statements, periods, members, sources, all, lines, row_of, is_current };
        let fates = pending::pending(&account_lines, &posted);
        // The numbers of equal rows follow the order of the fates, which does not depend on the order of the files.
        let mut numbers: HashMap<(Date, i64, Currency), u32> = HashMap::new();
        let mut rows: HashMap<u32, u32> = HashMap::new();
        for &(line, _) in fates.iter().filter(|(_, fate)| *fate == Announced::Row) {
            let facts = &self.lines[line as usize];
            let number = numbers.entry((facts.day, facts.cents, facts.currency)).or_default();
            let position = *number;
            *number += 1;
            let known = authoritative.row_of_line.get(&line).map(|row| authoritative.deciding[*row]);
            let id = match known {
                Some((name, occurrence, _)) => self.authoritative_id(name, occurrence),
                None => self.counted_id("imported-pending", account, facts.day, facts, position),
            };
            rows.insert(line, self.push(facts.day, line, Step::Pending(position), id, None));
        }
        for (line, fate) in fates {
            self.resolution.outcomes[line as usize] = match fate {
                Announced::Row => Outcome::Row(rows[&line]),
                Announced::SameAs(other) => Outcome::Row(rows[&other]),
                Announced::PostedAs(row) => Outcome::Posted(row),
                Announced::Outdated => Outcome::Outdated,
            };
        }
    }
}

#[cfg(test)]
mod tests;
