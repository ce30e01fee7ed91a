//! The rule of this project, and those of other programs.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_matching::line::{LineDetails, fingerprint};
use passbook_matching::{FileStatement, Line, LineId, resolve};
use passbook_statements::StatementKind;
use uuid::Uuid;

use super::bank::FileLine;

/// Numbers of rows by day and cents.
pub(super) type Rows = BTreeMap<(i64, i64), u64>;

/// An importer, named after the program whose rule it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Importer {
    /// One row for each identifier.
    Id,
    /// One row for each hash of day, amount and text.
    Hash,
    /// One row for each hash with its number in the file.
    OccurrenceHash,
    /// Actual: the same identifier, otherwise the same amount within seven days.
    Actual,
    /// `hledger import`: rows after the latest day, and further rows of that day.
    Hledger,
    /// beangulp: a row is a duplicate of any row within two days and five percent.
    Beangulp,
    /// The crate `matching`.
    Rule,
}

impl Importer {
    pub(super) const ALL: [Importer; 7] = [
        Importer::Id,
        Importer::Hash,
        Importer::OccurrenceHash,
        Importer::Actual,
        Importer::Hledger,
        Importer::Beangulp,
        Importer::Rule,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Importer::Id => "id",
            Importer::Hash => "hash",
            Importer::OccurrenceHash => "occurrence hash",
            Importer::Actual => "Actual",
            Importer::Hledger => "hledger",
            Importer::Beangulp => "beangulp",
            Importer::Rule => "rule",
        }
    }

    /// Imports files in their order. Returns the rows.
    pub(super) fn import(self, files: &[Vec<FileLine>]) -> Rows {
        let rows: Vec<(i64, i64)> = match self {
            Importer::Id => by_key(files, |line, _| line.id.map(|id| (id, 0, String::new(), 0))),
            Importer::Hash => by_key(files, |line, _| Some((0, line.cents, line.text.clone(), line.day))),
            Importer::OccurrenceHash => {
                by_key(files, |line, number| Some((number, line.cents, line.text.clone(), line.day)))
            }
            Importer::Actual => actual(files),
            Importer::Hledger => hledger(files),
            Importer::Beangulp => beangulp(files),
            Importer::Rule => rule(files),
        };
        let mut counts = Rows::new();
        rows.into_iter().for_each(|row| *counts.entry(row).or_default() += 1);
        counts
    }
}

/// Identifier or number, cents, text and day.
type Key = (u64, i64, String, i64);

fn by_key(files: &[Vec<FileLine>], key: impl Fn(&FileLine, u64) -> Option<Key>) -> Vec<(i64, i64)> {
    let (mut seen, mut rows) = (HashSet::new(), Vec::new());
    for file in files {
        let mut numbers: HashMap<(i64, i64, &str), u64> = HashMap::new();
        for line in file {
            let number = numbers.entry((line.day, line.cents, line.text.as_str())).or_default();
            *number += 1;
            if key(line, *number).is_none_or(|key| seen.insert(key)) {
                rows.push((line.day, line.cents));
            }
        }
    }
    rows
}

fn actual(files: &[Vec<FileLine>]) -> Vec<(i64, i64)> {
    let mut rows: Vec<FileLine> = Vec::new();
    for file in files {
        let mut matched = HashSet::new();
        let mut added = Vec::new();
        for line in file {
            let known = rows.iter().position(|row| line.id.is_some() && row.id == line.id);
            let near = |row: &FileLine| row.cents == line.cents && (row.day - line.day).abs() <= 7;
            let free = (0..rows.len()).filter(|row| !matched.contains(row) && near(&rows[*row]));
            let nearest = || free.min_by_key(|row| (rows[*row].day - line.day).abs());
            match known.or_else(nearest) {
                Some(row) => drop(matched.insert(row)),
                None => added.push(line.clone()),
            }
        }
        rows.extend(added);
    }
    rows.into_iter().map(|row| (row.day, row.cents)).collect()
}

fn hledger(files: &[Vec<FileLine>]) -> Vec<(i64, i64)> {
    let (mut latest, mut count, mut rows) = (i64::MIN, 0, Vec::new());
    for file in files {
        let of_latest = file.iter().filter(|line| line.day == latest).skip(count);
        let newer = file.iter().filter(|line| line.day > latest);
        rows.extend(of_latest.chain(newer).map(|line| (line.day, line.cents)));
        if let Some(last) = file.iter().map(|line| line.day).max().filter(|last| *last >= latest) {
            latest = last;
            count = file.iter().filter(|line| line.day == last).count();
        }
    }
    rows
}

fn beangulp(files: &[Vec<FileLine>]) -> Vec<(i64, i64)> {
    let mut rows: Vec<(i64, i64)> = Vec::new();
    for file in files {
        let is_known = |line: &FileLine| {
            rows.iter().any(|(day, cents)| {
                (day - line.day).abs() <= 2 && (cents - line.cents).abs() * 20 <= line.cents.abs()
            })
        };
        let added: Vec<_> =
            file.iter().filter(|line| !is_known(line)).map(|line| (line.day, line.cents)).collect();
        rows.extend(added);
    }
    rows
}

fn rule(files: &[Vec<FileLine>]) -> Vec<(i64, i64)> {
    let (user, account) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let start = Date::constant(2026, 1, 1);
    let (mut statements, mut lines) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    // The same bytes are the same file.
    for file in files.iter().filter(|file| seen.insert(format!("{file:?}"))) {
        let statement = u32::try_from(statements.len()).expect("a few files");
        for line in file {
            let name = |id: u64| LineId::name(user, account, &id.to_string());
            lines.push(Line {
                statement,
                day: start.saturating_add(jiff::Span::new().days(line.day)),
                cents: line.cents,
                currency: Currency::EUR,
                pending: false,
                payee: 0,
                text: fingerprint(None, &line.text),
                details: LineDetails {
                    id: line.id.map(|id| LineId { name: name(id), is_authoritative: false }),
                    ..LineDetails::default()
                }
                .boxed(),
            });
        }
        // The digest of a file depends on its content only, not on the order of the imports.
        let content = format!("{file:?}");
        let digest = std::array::from_fn(|at| fingerprint(None, &format!("{at}{content}")).to_le_bytes()[0]);
        statements.push(FileStatement {
            account,
            currency: Currency::EUR,
            digest,
            index: 0,
            origin: "csv".to_owned(),
            kind: StatementKind::Window,
            number: None,
            as_of: None,
            from: None,
            to: None,
            lists_pending: false,
            replace: false,
            balances: Vec::new(),
            removed: Vec::new(),
        });
    }
    let rows = resolve(user, &statements, &lines).rows;
    rows.iter().map(|row| (i64::from((row.day - start).get_days()), row.cents)).collect()
}
