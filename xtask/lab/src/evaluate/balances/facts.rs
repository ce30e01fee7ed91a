//! The facts that an import knows of a simulated account.

use std::collections::BTreeMap;

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::balance::{BalanceFacts, BalanceMoment, DayRows, StatedBalance};
use passbook_domain::range::DaySpan;
use passbook_matching::line::{LineDetails, fingerprint};
use passbook_matching::reconciliation::reconcile;
use passbook_matching::running_balance::RunningBalance;
use passbook_matching::{FileStatement, Line, LineId, Step, resolve};
use passbook_statements::{AccountReference, Balance, BalanceKind, Entry, Format, Statement, StatementKind};
use uuid::Uuid;

use super::account::{Account, DAYS, date};
use super::files::{Fault, File, FileBalance, Source, files};

const USER: Uuid = Uuid::from_u128(1);
const ACCOUNT: Uuid = Uuid::from_u128(2);

/// Returns the facts that an import of the account's files, or its loader, stores.
pub(super) fn facts(account: &Account, source: Source, fault: Fault) -> BalanceFacts {
    let today = date(DAYS - 1);
    let mut facts = BalanceFacts {
        changes_without_rows: source == Source::Valued,
        stated: Vec::new(),
        rows: Vec::new(),
        covered: Vec::new(),
        opened_on: None,
        ambiguous_from: None,
        today,
    };
    let end_of_day = |day: i64| {
        let wrong = fault == Fault::WrongBalance && day == 91
            || fault == Fault::NewestBalanceWrong && day == DAYS - 1;
        let cents = account.balance(day) + if wrong { 7_700 } else { 0 };
        StatedBalance { day: date(day), cents, moment: BalanceMoment::EndOfDay }
    };
    match source {
        Source::Snapshots => facts.stated = (0..DAYS).map(end_of_day).collect(),
        Source::Valued => facts.stated = (0..DAYS).step_by(7).map(end_of_day).collect(),
        Source::Present => {
            (facts.rows, ..) = imported(&files(account, Source::Plain, fault), today);
            let first = facts.rows.iter().map(|rows| rows.day).min().unwrap_or(today);
            facts.covered = vec![DaySpan { first, last: date(DAYS - 2) }];
            let of_today = facts.rows.iter().filter(|rows| rows.day == today);
            let listed_cents = of_today.map(|rows| rows.cents).sum();
            facts.stated = vec![StatedBalance {
                moment: BalanceMoment::Instant { listed_cents },
                ..end_of_day(DAYS - 1)
            }];
        }
        _ => {
            (facts.rows, facts.stated, facts.covered, facts.ambiguous_from) =
                imported_all(account, source, fault, today)
        }
    }
    facts
}

type Imported = (Vec<DayRows>, Vec<StatedBalance>, Vec<DaySpan>, Option<Date>);

fn imported_all(account: &Account, source: Source, fault: Fault, today: Date) -> Imported {
    imported(&files(account, source, fault), today)
}

/// Imports files, and returns the sums of rows by day, the balances and the covered days.
fn imported(files: &[File], today: Date) -> Imported {
    let foreign = Currency::parse("USD").expect("a code");
    let (mut statements, mut lines) = (Vec::new(), Vec::new());
    for (number, file) in (0_u32..).zip(files) {
        statements.push(statement(number, file));
        lines.extend(file.lines.iter().map(|line| {
            Line {
                statement: number,
                day: date(line.day),
                cents: line.cents,
                currency: if line.is_foreign { foreign } else { Currency::EUR },
                pending: line.pending,
                payee: 0,
                text: fingerprint(None, &line.cents.to_string()),
                details: LineDetails {
                    id: file.has_ids.then(|| LineId {
                        name: LineId::name(USER, ACCOUNT, &line.id.to_string()),
                        is_authoritative: true,
                    }),
                    balance_after: line.balance_after,
                    ..LineDetails::default()
                }
                .boxed(),
            }
        }));
    }
    let resolution = resolve(USER, &statements, &lines);
    let booked = resolution.rows.iter().filter(|row| !matches!(row.step, Step::Pending(_)));
    let rows = booked.map(|row| DayRows::row(row.day, row.cents, row.currency == Currency::EUR)).collect();
    let mut accounts = reconcile(&statements, &lines, &resolution, &|_| true, &|_| false, today);
    let found = accounts.remove(&ACCOUNT).unwrap_or_default();
    (rows, found.stated, found.covered, found.ambiguous_from)
}

fn statement(number: u32, file: &File) -> FileStatement {
    let content = format!("{number}{file:?}");
    let balances = file.balances.iter().map(|balance| {
        let (kind, day, cents) = match *balance {
            FileBalance::Opening(day, cents) => (BalanceKind::Opening, day, cents),
            FileBalance::Closing(day, cents) => (BalanceKind::Closing, day, cents),
            FileBalance::Instant(day, cents) => (BalanceKind::Interim, day, cents),
        };
        Balance { kind, day: date(day), cents, currency: None }
    });
    let kind = if file.is_sequence { StatementKind::Sequence } else { StatementKind::Window };
    let mut read = Statement::new(Format::Csv, kind, AccountReference::default());
    read.balances = balances.collect();
    // The reader of a CSV file adds the balances before and after its rows, if they add up.
    let mut running = RunningBalance::default();
    for line in file.lines.iter().filter(|line| !line.pending) {
        let mut entry = Entry::new(1, date(line.day), line.cents);
        entry.balance_after = line.balance_after;
        running.add(&entry);
    }
    running.complete(&mut read);
    FileStatement {
        account: ACCOUNT,
        currency: Currency::EUR,
        digest: std::array::from_fn(|at| fingerprint(None, &format!("{at}{content}")).to_le_bytes()[0]),
        index: 0,
        origin: if file.is_sequence { "mt940" } else { "csv" }.to_owned(),
        kind,
        number: file.is_sequence.then(|| (number + 1).to_string()),
        as_of: None,
        from: file.days.map(|days| date(days.0)),
        to: file.days.map(|days| date(days.1)),
        lists_pending: file.lines.iter().any(|line| line.pending),
        replace: false,
        balances: read.balances,
        removed: Vec::new(),
    }
}

/// The stated balances by day, as ends of day, and the rows: an account of its own of what speaks against a balance.
pub(super) struct Evidence {
    stated: BTreeMap<Date, Vec<i64>>,
    rows: Vec<DayRows>,
}

impl Evidence {
    pub(super) fn new(facts: &BalanceFacts) -> Evidence {
        let mut evidence = Evidence { stated: BTreeMap::new(), rows: facts.rows.clone() };
        for balance in &facts.stated {
            let later = match balance.moment {
                BalanceMoment::EndOfDay => 0,
                BalanceMoment::Instant { listed_cents } => {
                    let of_day = facts.rows.iter().filter(|rows| rows.day == balance.day);
                    of_day.map(|rows| rows.cents).sum::<i64>() - listed_cents
                }
            };
            evidence.stated.entry(balance.day).or_default().push(balance.cents + later);
        }
        evidence
    }

    /// True if the nearest balances before and after a day differ by another amount than the rows between them. For a day
    /// outside all balances, the nearest two decide, and for the day of a balance that agrees with the one before, that one
    /// speaks for it. Without any row nothing is known about the days between balances.
    pub(super) fn speaks_against(&self, day: Date) -> bool {
        let mut until = self.stated.range(..=day).rev();
        let (before, earlier) = (until.next(), until.next());
        let mut after = self.stated.range(day..).filter(|(other, _)| **other > day);
        let (next, later) = (after.next(), after.next());
        let is_own = before.is_some_and(|before| *before.0 == day);
        let agree = |one, other| Option::zip(one, other).map(|(one, other)| self.agree(one, other));
        let nearest = agree(before, next).or_else(|| agree(earlier, before)).or_else(|| agree(next, later));
        let is_confirmed = is_own && agree(earlier, before) == Some(true);
        !self.rows.is_empty() && !is_confirmed && nearest == Some(false)
    }

    fn agree(&self, one: (&Date, &Vec<i64>), other: (&Date, &Vec<i64>)) -> bool {
        let between = self.rows.iter().filter(|rows| *one.0 < rows.day && rows.day <= *other.0);
        let total: i64 = between.map(|rows| rows.cents).sum();
        one.1.iter().any(|cents| other.1.contains(&(cents + total)))
    }
}
