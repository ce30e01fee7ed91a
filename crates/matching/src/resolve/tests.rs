//! Properties of the matching on random households.

mod balances;
mod examples;
mod overlap;
mod pending;

use std::collections::{BTreeMap, HashSet};

use jiff::civil::date;
use passbook_records::statement::{Balance, BalanceKind, StatementKind};
use proptest::prelude::*;

use super::super::line::{LineDetails, LineId, fingerprint};
use super::super::reconciliation::{AccountReconciliation, reconcile};
use super::*;

const USER: Uuid = Uuid::from_u128(1);
const ACCOUNT: Uuid = Uuid::from_u128(2);

fn day(number: i64) -> Date {
    date(2026, 1, 1).saturating_add(jiff::Span::new().days(number))
}

/// A file with its lines.
#[derive(Clone, Debug)]
struct Sheet {
    statement: FileStatement,
    lines: Vec<Line>,
}

fn line(number: i64, cents: i64, text: &str) -> Line {
    Line {
        statement: 0,
        day: day(number),
        cents,
        currency: Currency::EUR,
        pending: false,
        payee: 0,
        text: fingerprint(None, text),
        details: None,
    }
}

fn identified(name: Uuid, is_authoritative: bool) -> Box<LineDetails> {
    Box::new(LineDetails { id: Some(LineId { name, is_authoritative }), ..LineDetails::default() })
}

fn sheet(digest: u8, kind: StatementKind, lines: Vec<Line>) -> Sheet {
    let statement = FileStatement {
        account: ACCOUNT,
        currency: Currency::EUR,
        digest: [digest; 32],
        index: 0,
        origin: "csv".to_owned(),
        kind,
        number: None,
        as_of: None,
        from: None,
        to: None,
        lists_pending: false,
        replace: false,
        balances: Vec::new(),
        removed: Vec::new(),
    };
    Sheet { statement, lines }
}

fn window(digest: u8, lines: &[(i64, i64)]) -> Sheet {
    let lines = lines.iter().map(|(day, cents)| line(*day, *cents, "")).collect();
    sheet(digest, StatementKind::Window, lines)
}

/// Returns an opening and a closing balance, each with its day.
fn stated_ends(opening: (Date, i64), closing: (Date, i64)) -> Vec<Balance> {
    let ends = [(BalanceKind::Opening, opening), (BalanceKind::Closing, closing)];
    ends.map(|(kind, (day, cents))| Balance { kind, day, cents, currency: None }).to_vec()
}

fn flat(sheets: &[Sheet]) -> (Vec<FileStatement>, Vec<Line>) {
    let statements = sheets.iter().map(|sheet| sheet.statement.clone()).collect();
    let lines = (0_u32..).zip(sheets).flat_map(|(number, sheet)| {
        sheet.lines.iter().map(move |line| Line { statement: number, ..line.clone() })
    });
    (statements, lines.collect())
}

fn resolved(sheets: &[Sheet]) -> Resolution {
    let (statements, lines) = flat(sheets);
    resolve(USER, &statements, &lines)
}

fn reconciled(sheets: &[Sheet]) -> AccountReconciliation {
    let (statements, lines) = flat(sheets);
    reconcile(&statements, &lines, &resolved(sheets), &|_| true, &|_| false, jiff::civil::Date::MAX)
        .remove(&ACCOUNT)
        .unwrap()
}

/// The newest balance that files state.
fn closing_cents(reconciliation: &AccountReconciliation) -> Option<i64> {
    reconciliation.stated.last().map(|balance| balance.cents)
}

/// The rows as day, cents and number, with the identifiers and texts.
fn rows(sheets: &[Sheet]) -> Vec<(Date, i64, Uuid, u64)> {
    let (_, lines) = flat(sheets);
    let resolution = resolved(sheets);
    let row = |row: &MatchedRow| (row.day, row.cents, row.id, lines[row.line as usize].text);
    let mut rows: Vec<_> = resolution.rows.iter().map(row).collect();
    rows.sort_unstable();
    rows
}

fn counts(rows: impl IntoIterator<Item = (Date, i64)>) -> BTreeMap<(Date, i64), usize> {
    let mut counts = BTreeMap::new();
    rows.into_iter().for_each(|row| *counts.entry(row).or_default() += 1);
    counts
}

fn counted(sheets: &[Sheet]) -> BTreeMap<(Date, i64), usize> {
    counts(resolved(sheets).rows.iter().map(|row| (row.day, row.cents)))
}

/// Transactions of which some are equal: few days, few amounts.
fn household() -> impl Strategy<Value = Vec<(i64, i64)>> {
    let transaction =
        (0_i64..40, prop_oneof![Just(-500_i64), Just(-750), Just(100_000), -20_000_i64..20_000]);
    proptest::collection::vec(transaction, 1..60).prop_map(|mut rows| {
        rows.sort_by_key(|row| row.0);
        rows
    })
}

/// Files that each cover whole days.
fn whole_days() -> impl Strategy<Value = (Vec<(i64, i64)>, Vec<Sheet>)> {
    let cuts = proptest::collection::vec((0_i64..40, 0_i64..40), 1..7);
    (household(), cuts).prop_map(|(truth, cuts)| {
        let cut = |(digest, (one, other)): (u8, (i64, i64))| {
            let covered = one.min(other)..=one.max(other);
            let lines: Vec<_> = truth.iter().copied().filter(|row| covered.contains(&row.0)).collect();
            window(digest, &lines)
        };
        let sheets = (1..).zip(cuts).map(cut).collect();
        (truth, sheets)
    })
}

/// Any files at all, with identifiers and texts that mean nothing.
fn any_files() -> impl Strategy<Value = Vec<Sheet>> {
    let entry = (0_i64..25, prop_oneof![Just(-500_i64), Just(-750), Just(900)], 0_u8..4, 0_u8..4, 0_u8..12);
    let file = (proptest::collection::vec(entry, 0..14), any::<bool>(), 0_u8..5);
    proptest::collection::vec(file, 1..6).prop_map(|files| {
        let build = |(digest, (entries, replace, kind)): (u8, (Vec<_>, bool, u8))| {
            let lines =
                entries.into_iter().map(|(number, cents, text, id, special): (i64, i64, u8, u8, u8)| {
                    let mut line = line(number, cents, &text.to_string());
                    line.pending = special == 0;
                    let name = LineId::name(USER, ACCOUNT, &id.to_string());
                    line.details = (id > 0).then(|| identified(name, special == 1));
                    line
                });
            let kind = if kind == 0 { StatementKind::Delta } else { StatementKind::Window };
            let mut sheet = sheet(digest, kind, lines.collect());
            sheet.statement.replace = replace;
            sheet.statement.lists_pending = digest % 2 == 0;
            sheet
        };
        (1..).zip(files).map(build).collect()
    })
}

/// A run of statements, cut anywhere, also inside days, in overlapping files.
fn runs() -> impl Strategy<Value = (Vec<(i64, i64)>, Vec<Sheet>)> {
    let cuts = proptest::collection::vec(0_usize..60, 0..8);
    let repeats = proptest::collection::vec(any::<bool>(), 10);
    (household(), cuts, repeats, any::<bool>()).prop_map(|(truth, cuts, repeats, numbered)| {
        let mut ends: Vec<usize> = cuts.into_iter().filter(|cut| *cut < truth.len()).collect();
        ends.push(truth.len());
        ends.sort_unstable();
        ends.dedup();
        let (mut sheets, mut first, mut balance) = (Vec::new(), 0, 12_345);
        for (number, end) in ends.into_iter().enumerate() {
            let part = &truth[first..end];
            let total: i64 = part.iter().map(|row| row.1).sum();
            let mut sheet = window(u8::try_from(number + 1).unwrap(), part);
            sheet.statement.kind = StatementKind::Sequence;
            sheet.statement.number = numbered.then(|| (number + 1).to_string());
            let closing_day = part.last().map_or(day(0), |row| day(row.0));
            sheet.statement.balances = stated_ends((closing_day, balance), (closing_day, balance + total));
            // The same statement downloaded again, with another digest.
            if repeats[number % repeats.len()] {
                let mut again = sheet.clone();
                again.statement.digest = [200 + u8::try_from(number).unwrap(); 32];
                sheets.push(again);
            }
            sheets.push(sheet);
            (first, balance) = (end, balance + total);
        }
        (truth, sheets)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn order_of_files_does_not_matter(sheets in any_files(), seed in any::<u64>()) {
        let mut shuffled = sheets.clone();
        for at in (1..shuffled.len()).rev() {
            shuffled.swap(at, usize::try_from(seed.rotate_left(u32::try_from(at).unwrap()) % (at as u64 + 1)).unwrap());
        }
        prop_assert_eq!(rows(&sheets), rows(&shuffled));
    }

    #[test]
    fn order_of_files_of_a_run_does_not_matter((_, mut sheets) in runs()) {
        let before = rows(&sheets);
        sheets.reverse();
        prop_assert_eq!(before, rows(&sheets));
    }

    #[test]
    fn two_lines_of_a_file_never_share_a_row(sheets in any_files()) {
        let (statements, lines) = flat(&sheets);
        let resolution = resolved(&sheets);
        let mut seen = HashSet::new();
        for (line, outcome) in lines.iter().zip(&resolution.outcomes) {
            let is_change = statements[line.statement as usize].kind == StatementKind::Delta;
            if let Outcome::Row(row) = outcome && !is_change {
                prop_assert!(seen.insert((line.statement, *row)), "{line:?}");
            }
        }
    }

    #[test]
    fn identifiers_of_rows_are_unique(sheets in any_files()) {
        let resolution = resolved(&sheets);
        let ids: HashSet<Uuid> = resolution.rows.iter().map(|row| row.id).collect();
        prop_assert_eq!(ids.len(), resolution.rows.len());
    }

    #[test]
    fn files_of_whole_days_give_the_truth((truth, sheets) in whole_days()) {
        let covered: HashSet<Date> = sheets.iter().flat_map(|sheet| sheet.lines.iter().map(|line| line.day)).collect();
        let truth = truth.iter().map(|(number, cents)| (day(*number), *cents));
        prop_assert_eq!(counted(&sheets), counts(truth.filter(|row| covered.contains(&row.0))));
        prop_assert!(resolved(&sheets).missing.is_empty());
    }

    #[test]
    fn statements_of_a_run_give_the_truth_wherever_they_cut((truth, sheets) in runs()) {
        let truth = truth.iter().map(|(number, cents)| (day(*number), *cents));
        prop_assert_eq!(counted(&sheets), counts(truth));
    }

    #[test]
    fn texts_and_identifiers_never_change_counts((_, sheets) in whole_days(), salt in any::<u64>()) {
        let mut marked = sheets.clone();
        let lines = marked.iter_mut().flat_map(|sheet| &mut sheet.lines);
        for (number, line) in (0_u64..).zip(lines) {
            let value = number.wrapping_mul(salt) % 5;
            line.text = value;
            let name = LineId::name(USER, ACCOUNT, &value.to_string());
            line.details = (value > 0).then(|| identified(name, false));
        }
        let ids = |sheets: &[Sheet]| rows(sheets).into_iter().map(|row| row.2).collect::<Vec<_>>();
        prop_assert_eq!(ids(&sheets), ids(&marked));
    }

    #[test]
    fn stated_balances_agree_with_the_sum_of_rows((truth, sheets) in runs()) {
        let reconciliation = reconciled(&sheets);
        // Equal lines of a day that is cut in two are ambiguous.
        prop_assume!(reconciliation.ambiguous.is_empty());
        let total: i64 = truth.iter().map(|row| row.1).sum();
        prop_assert_eq!(reconciliation.through, truth.last().map(|row| day(row.0)));
        prop_assert_eq!(closing_cents(&reconciliation), Some(12_345 + total));
        prop_assert!(reconciliation.findings.is_empty() && reconciliation.unbalanced.is_empty() && reconciliation.gaps.is_empty(), "{reconciliation:?}");
    }

    #[test]
    fn lost_line_is_named_by_statement_and_amount((_, sheets) in runs(), lost in any::<prop::sample::Index>()) {
        // Without the repeated downloads, which would still have the line.
        let mut sheets: Vec<Sheet> = sheets.into_iter().filter(|sheet| sheet.statement.digest[0] < 200).collect();
        let at = lost.index(sheets.len());
        let gone = sheets[at].lines.pop().filter(|line| line.cents != 0);
        prop_assume!(gone.is_some() && !sheets[at].lines.is_empty());
        let cents = i128::from(gone.unwrap().cents);
        let reconciliation = reconciled(&sheets);
        prop_assert_eq!(reconciliation.unbalanced, vec![(u32::try_from(at).unwrap(), cents)]);
        prop_assert!(!reconciliation.findings.is_empty());
    }
}
