//! Comparison of the rows with the balances that files state.
//!
//! A balance is a point: the account had this balance on this day. If the rows between two points add up to the
//! difference of the balances, no row between them is missing, doubled or wrong.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::civil::Date;
use passbook_records::statement::{Balance, BalanceKind, StatementKind};
use uuid::Uuid;

use super::line::{FileStatement, Line};
use super::period::{Period, periods};
use super::resolve::{Resolution, Step};
use super::source;

/// The result of the comparison for one account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountReconciliation {
    /// Number of balances.
    pub points: usize,
    /// The first day with a balance.
    pub since: Option<Date>,
    /// The last day on which the rows since the first balance agree with a balance.
    pub through: Option<Date>,
    /// The balance on that day, in hundredths.
    pub closing_cents: Option<i64>,
    /// Balances at the end of a day that agree, in the order of the days.
    pub agreeing: Vec<(Date, i64)>,
    /// Changes of the difference between balances and rows.
    pub breaks: Vec<Break>,
    /// Statements whose own lines do not add up: statement and difference in hundredths.
    pub unbalanced: Vec<(u32, i128)>,
    /// Missing statements of a numbered sequence.
    pub gaps: Vec<Gap>,
}

/// Two balances between which rows are missing or superfluous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Break {
    /// Day of the first balance.
    pub after: Date,
    /// Day of the second balance.
    pub through: Date,
    /// The amount by which the balances changed more than the rows, in hundredths: the sum of the missing rows.
    pub cents: i128,
}

/// Statements that are missing in a numbered sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The first missing number.
    pub first: u64,
    /// The last missing number.
    pub last: u64,
    /// Closing day of the statement before.
    pub after: Date,
}

/// A balance with the sums of rows that it may stand for.
struct Point {
    day: Date,
    /// False for an opening balance, which is the end of the day before.
    is_closing: bool,
    cents: i64,
    /// Sums of the rows until the balance. A file may have been made in the middle of its last day.
    sums: [i128; 2],
}

/// Compares the rows of every account with the balances of its statements.
pub fn reconcile(
    statements: &[FileStatement],
    lines: &[Line],
    resolution: &Resolution,
) -> BTreeMap<Uuid, AccountReconciliation> {
    let periods = periods(statements, lines);
    let sums = Sums::new(statements, &periods, lines, resolution);
    let mut members: BTreeMap<Uuid, Vec<u32>> = BTreeMap::new();
    for (index, statement) in (0_u32..).zip(statements) {
        members.entry(statement.account).or_default().push(index);
    }
    let account = |(account, members): (Uuid, Vec<u32>)| {
        let points = points(statements, &periods, &members, &sums);
        let mut reconciliation = compare(&points);
        for &member in &members {
            reconciliation.unbalanced.extend(
                difference(&statements[member as usize], &periods[member as usize]).map(|off| (member, off)),
            );
        }
        reconciliation.gaps = gaps(statements, &resolution.runs, account);
        (account, reconciliation)
    };
    members.into_iter().map(account).collect()
}

/// Sums of rows by account and day, and of lines by statement group and day.
struct Sums {
    rows: HashMap<Uuid, Vec<(Date, i128)>>,
    /// The run of each statement, or the statement alone.
    group: HashMap<u32, u32>,
    /// Statements of runs that are not the first one with lines: their opening balance is the closing balance of another.
    continued: HashSet<u32>,
    /// The statement that follows a statement of a run.
    next: HashMap<u32, u32>,
    lines: HashMap<(u32, Date), i128>,
}

impl Sums {
    fn new(
        statements: &[FileStatement],
        periods: &[Period],
        lines: &[Line],
        resolution: &Resolution,
    ) -> Sums {
        let currency: HashMap<Uuid, _> =
            statements.iter().map(|statement| (statement.account, statement.currency)).collect();
        let mut days: HashMap<Uuid, BTreeMap<Date, i128>> = HashMap::new();
        for row in &resolution.rows {
            let counts = !matches!(row.step, Step::Pending(_))
                && currency.get(&resolution.account(row)) == Some(&row.currency);
            if counts {
                *days.entry(resolution.account(row)).or_default().entry(row.day).or_default() +=
                    i128::from(row.cents);
            }
        }
        let accumulate = |days: BTreeMap<Date, i128>| {
            let mut sum = 0;
            let add = |(day, cents)| {
                sum += cents;
                (day, sum)
            };
            days.into_iter().map(add).collect::<Vec<_>>()
        };
        let rows = days.into_iter().map(|(account, days)| (account, accumulate(days))).collect();
        let mut group: HashMap<u32, u32> = HashMap::new();
        let (mut next, mut continued) = (HashMap::new(), HashSet::new());
        for run in &resolution.runs {
            let with_lines = run.iter().filter(|statement| periods[**statement as usize].days.is_some());
            continued.extend(with_lines.skip(1));
            group.extend(run.iter().map(|statement| (*statement, run[0])));
            next.extend(run.windows(2).map(|pair| (pair[0], pair[1])));
        }
        let mut sums: HashMap<(u32, Date), i128> = HashMap::new();
        for line in lines.iter().filter(|line| !line.pending) {
            if line.currency == statements[line.statement as usize].currency {
                let group = group.get(&line.statement).copied().unwrap_or(line.statement);
                *sums.entry((group, line.day)).or_default() += line.effect();
            }
        }
        Sums { rows, group, continued, next, lines: sums }
    }

    /// Returns the sum of an account's rows before a day.
    fn before(&self, account: Uuid, day: Date) -> i128 {
        let days = self.rows.get(&account).map_or(&[][..], Vec::as_slice);
        let end = days.partition_point(|(other, _)| *other < day);
        if end == 0 { 0 } else { days[end - 1].1 }
    }

    /// Returns the sum of the lines of a statement, or of its run, on a day.
    fn on_day(&self, statement: u32, day: Date) -> i128 {
        let group = self.group.get(&statement).copied().unwrap_or(statement);
        self.lines.get(&(group, day)).copied().unwrap_or(0)
    }
}

fn points(statements: &[FileStatement], periods: &[Period], members: &[u32], sums: &Sums) -> Vec<Point> {
    let mut points = Vec::new();
    for &member in members {
        let (statement, period) = (&statements[member as usize], &periods[member as usize]);
        let account = statement.account;
        // A repeated statement in a run says nothing new.
        let is_balanced = statement.kind == StatementKind::Sequence && source::is_balanced(statement, period);
        if is_balanced && !sums.group.contains_key(&member) {
            continue;
        }
        if let Some((opening, (first, _))) = statement.balance(BalanceKind::Opening).zip(period.days)
            && !sums.continued.contains(&member)
        {
            let own = sums.on_day(member, first);
            let until = sums.before(account, first.saturating_add(jiff::Span::new().days(1)));
            let sums = [sums.before(account, first), until - own];
            // The stated day may be the first day or the day before. The earlier one claims less.
            let day = first.min(opening.day).saturating_sub(jiff::Span::new().days(1));
            points.push(Point { day, is_closing: false, cents: opening.cents, sums });
        }
        for balance in
            [BalanceKind::Closing, BalanceKind::Interim].iter().filter_map(|kind| statement.balance(*kind))
        {
            if is_cut(balance, sums.next.get(&member), statements, periods) {
                continue;
            }
            let day = balance.day;
            let until = sums.before(account, day.saturating_add(jiff::Span::new().days(1)));
            let sums = [until, sums.before(account, day) + sums.on_day(member, day)];
            points.push(Point { day, is_closing: true, cents: balance.cents, sums });
        }
    }
    points.sort_by_key(|point| (point.day, point.is_closing));
    points
}

/// Returns true if the next statement of the run has lines of the closing day: the balance is that of a part of a day.
fn is_cut(balance: &Balance, next: Option<&u32>, statements: &[FileStatement], periods: &[Period]) -> bool {
    next.is_some_and(|next| {
        let first = periods[*next as usize].days.map(|days| days.0);
        let closing = statements[*next as usize].balance(BalanceKind::Closing).map(|closing| closing.day);
        first.is_some_and(|first| first <= balance.day) || closing == Some(balance.day)
    })
}

/// Compares the balances with the first one.
fn compare(points: &[Point]) -> AccountReconciliation {
    let Some(first) = points.first() else { return AccountReconciliation::default() };
    let bases = first.sums.map(|sum| i128::from(first.cents) - sum);
    let both = bases.map(|base| compare_with(points, base));
    let [one, other] = both;
    if other.agreeing.len() > one.agreeing.len() { other } else { one }
}

fn compare_with(points: &[Point], base: i128) -> AccountReconciliation {
    let mut reconciliation = AccountReconciliation {
        points: points.len(),
        since: Some(points[0].day),
        ..AccountReconciliation::default()
    };
    let mut last = (points[0].day, base);
    for (number, point) in points.iter().enumerate() {
        let offsets = point.sums.map(|sum| i128::from(point.cents) - sum);
        let known = [base, last.1].into_iter().find(|offset| offsets.contains(offset));
        let offset = known.unwrap_or(offsets[0]);
        if offset != last.1 {
            reconciliation.breaks.push(Break { after: last.0, through: point.day, cents: offset - last.1 });
        }
        last = (point.day, offset);
        if offset == base {
            if number > 0 {
                reconciliation.through = Some(point.day);
                reconciliation.closing_cents = Some(point.cents);
            }
            match reconciliation.agreeing.last_mut().filter(|agreeing| agreeing.0 == point.day) {
                Some(agreeing) => agreeing.1 = point.cents,
                None => reconciliation.agreeing.push((point.day, point.cents)),
            }
        }
    }
    if reconciliation.through.is_none() {
        reconciliation.agreeing.clear();
    }
    reconciliation
}

/// Returns the difference between the balances of a statement and its lines, if it has both balances and they differ.
fn difference(statement: &FileStatement, period: &Period) -> Option<i128> {
    let (opening, closing) =
        (statement.balance(BalanceKind::Opening)?, statement.balance(BalanceKind::Closing)?);
    let difference = i128::from(closing.cents) - i128::from(opening.cents) - period.total;
    (difference != 0).then_some(difference)
}

/// Returns the gaps between the numbered runs of an account.
fn gaps(statements: &[FileStatement], runs: &[Vec<u32>], account: Uuid) -> Vec<Gap> {
    let own = |run: &&Vec<u32>| statements[run[0] as usize].account == account;
    let mut ends: Vec<_> = runs
        .iter()
        .filter(own)
        .filter_map(|run| {
            let (first, last) = (&statements[run[0] as usize], &statements[*run.last()? as usize]);
            let number = |statement: &FileStatement| source::number(statement.number.as_deref()?);
            let day = |statement: &FileStatement| Some(statement.balance(BalanceKind::Closing)?.day);
            Some((day(first)?, number(first)?.0, day(last)?, number(last)?.0))
        })
        .collect();
    ends.sort_unstable();
    // A statement whose lines do not add up is in no run, but it is not missing.
    let own = statements.iter().filter(|statement| statement.account == account);
    let present: HashSet<u64> =
        own.filter_map(|statement| Some(source::number(statement.number.as_deref()?)?.0)).collect();
    ends.windows(2)
        .filter(|pair| pair[1].1 > pair[0].3 + 1)
        .map(|pair| Gap { first: pair[0].3 + 1, last: pair[1].1 - 1, after: pair[0].2 })
        .filter(|gap| !present.iter().any(|number| (gap.first..=gap.last).contains(number)))
        .collect()
}
