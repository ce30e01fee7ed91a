//! Properties of the identity rule on random households, and one example for each step.

use std::collections::{BTreeMap, HashSet};

use jiff::civil::date;
use passbook_records::statement::{Balance, BalanceKind, StatementKind};
use proptest::prelude::*;

use super::super::line::{LineDetails, LineId, fingerprint};
use super::super::proof::prove;
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

/// The rows as day, cents and number, with the identifiers and texts.
fn rows(sheets: &[Sheet]) -> Vec<(Date, i64, Uuid, u64)> {
    let (_, lines) = flat(sheets);
    let resolution = resolved(sheets);
    let row = |row: &Row| (row.day, row.cents, row.id, lines[row.line as usize].text);
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

/// Bookings of which some are equal: few days, few amounts.
fn household() -> impl Strategy<Value = Vec<(i64, i64)>> {
    let booking = (0_i64..40, prop_oneof![Just(-500_i64), Just(-750), Just(100_000), -20_000_i64..20_000]);
    proptest::collection::vec(booking, 1..60).prop_map(|mut rows| {
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

/// Statements of a chain, cut anywhere, also inside days, in overlapping files.
fn chains() -> impl Strategy<Value = (Vec<(i64, i64)>, Vec<Sheet>)> {
    let cuts = proptest::collection::vec(0_usize..60, 0..8);
    let copies = proptest::collection::vec(any::<bool>(), 10);
    (household(), cuts, copies, any::<bool>()).prop_map(|(truth, cuts, copies, numbered)| {
        let mut ends: Vec<usize> = cuts.into_iter().filter(|cut| *cut < truth.len()).collect();
        ends.push(truth.len());
        ends.sort_unstable();
        ends.dedup();
        let (mut sheets, mut first, mut balance) = (Vec::new(), 0, 12_345);
        for (number, end) in ends.into_iter().enumerate() {
            let part = &truth[first..end];
            let total: i64 = part.iter().map(|row| row.1).sum();
            let mut sheet = window(u8::try_from(number + 1).unwrap(), part);
            sheet.statement.kind = StatementKind::Chain;
            sheet.statement.number = numbered.then(|| (number + 1).to_string());
            let closing_day = part.last().map_or(day(0), |row| day(row.0));
            let at = |kind, day, cents| Balance { kind, day, cents, currency: None };
            sheet.statement.balances = vec![
                at(BalanceKind::Opening, closing_day, balance),
                at(BalanceKind::Closing, closing_day, balance + total),
            ];
            // The same statement downloaded again, with another digest.
            if copies[number % copies.len()] {
                let mut copy = sheet.clone();
                copy.statement.digest = [200 + u8::try_from(number).unwrap(); 32];
                sheets.push(copy);
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
    fn order_of_chained_files_does_not_matter((_, mut sheets) in chains()) {
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
    fn chained_statements_give_the_truth_wherever_they_cut((truth, sheets) in chains()) {
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
    fn proven_balances_agree_with_the_sum_of_rows((truth, sheets) in chains()) {
        let (statements, lines) = flat(&sheets);
        let proof = prove(&statements, &lines, &resolved(&sheets)).remove(&ACCOUNT).unwrap();
        let total: i64 = truth.iter().map(|row| row.1).sum();
        prop_assert_eq!(proof.through, truth.last().map(|row| day(row.0)));
        prop_assert_eq!(proof.closing_cents, Some(12_345 + total));
        prop_assert!(proof.breaks.is_empty() && proof.unbalanced.is_empty() && proof.gaps.is_empty(), "{proof:?}");
    }

    #[test]
    fn lost_line_is_named_by_statement_and_amount((_, sheets) in chains(), lost in any::<prop::sample::Index>()) {
        // Without copies, which would still have the line.
        let mut sheets: Vec<Sheet> = sheets.into_iter().filter(|sheet| sheet.statement.digest[0] < 200).collect();
        let at = lost.index(sheets.len());
        let gone = sheets[at].lines.pop().filter(|line| line.cents != 0);
        prop_assume!(gone.is_some() && !sheets[at].lines.is_empty());
        let cents = i128::from(gone.unwrap().cents);
        let (statements, lines) = flat(&sheets);
        let proof = prove(&statements, &lines, &resolved(&sheets)).remove(&ACCOUNT).unwrap();
        prop_assert_eq!(proof.unbalanced, vec![(u32::try_from(at).unwrap(), cents)]);
        prop_assert!(!proof.breaks.is_empty());
    }
}

#[test]
fn later_file_moves_a_row() {
    let sheets = [window(1, &[(1, -500), (3, -750), (9, 100)]), window(2, &[(1, -500), (5, -750), (9, 100)])];
    let resolution = resolved(&sheets);
    let moved: Vec<_> = resolution.rows.iter().filter(|row| row.moved_from.is_some()).collect();
    assert_eq!(moved.len(), 1);
    assert_eq!((moved[0].day, moved[0].moved_from), (day(5), Some(day(3))));
    assert_eq!(resolution.rows.len(), 3);
}

#[test]
fn missing_row_stays_unless_the_file_replaces() {
    let mut sheets = [window(1, &[(1, -500), (4, -750), (9, 100)]), window(2, &[(1, -500), (9, 100)])];
    let resolution = resolved(&sheets);
    assert_eq!(resolution.rows.len(), 3);
    assert_eq!(resolution.missing[&1].count, 1);
    sheets[1].statement.replace = true;
    assert_eq!(resolved(&sheets).rows.len(), 2);
    // Of two files that end on the same day, the one that replaces is the newer one, whatever their digests are.
    sheets[1].statement.digest = [0; 32];
    assert_eq!(resolved(&sheets).rows.len(), 2);
}

#[test]
fn newest_file_decides_a_row_with_an_authoritative_identifier() {
    let with_id = |digest, number, cents| {
        let mut sheet = window(digest, &[(number, cents)]);
        let name = LineId::name(USER, ACCOUNT, "x");
        sheet.lines[0].details = Some(identified(name, true));
        sheet
    };
    let mut sheets = vec![with_id(1, 1, -500), with_id(2, 3, -550)];
    assert_eq!(counted(&sheets), counts([(day(3), -550)]));
    // Another source lists the same booking without the identifier.
    sheets.push(window(3, &[(3, -550)]));
    assert_eq!(counted(&sheets), counts([(day(3), -550)]));
    sheets.push(sheet(4, StatementKind::Delta, Vec::new()));
    sheets[3].statement.as_of = Some(day(30));
    sheets[3].statement.removed = vec![LineId::name(USER, ACCOUNT, "x")];
    assert_eq!(counted(&sheets[..2]), counts([(day(3), -550)]));
    sheets.remove(2);
    assert_eq!(counted(&sheets), counts([]));
}

#[test]
fn pending_rows_are_those_of_the_newest_file_and_vanish_when_booked() {
    let pending = |digest, lines: &[(i64, i64)]| {
        let mut sheet = window(digest, lines);
        sheet.statement.lists_pending = true;
        sheet.lines.iter_mut().for_each(|line| line.pending = true);
        sheet
    };
    let mut sheets = vec![pending(1, &[(1, -500), (2, -600)]), pending(2, &[(2, -600), (3, -700)])];
    assert_eq!(counted(&sheets), counts([(day(2), -600), (day(3), -700)]));
    let mut booked = window(3, &[(4, -600)]);
    booked.statement.origin = "ofx".to_owned();
    sheets.push(booked);
    assert_eq!(counted(&sheets), counts([(day(4), -600), (day(3), -700)]));
    let resolution = resolved(&sheets);
    assert!(matches!(resolution.outcomes[2], Outcome::Posted(_)), "{:?}", resolution.outcomes);
    assert_eq!(resolution.outcomes[0], Outcome::Outdated);
}

#[test]
fn statement_that_stands_twice_in_a_file_counts_once() {
    let balance = |kind, number, cents| Balance { kind, day: day(number), cents, currency: None };
    let mut first = window(1, &[(1, -500), (1, -500), (4, -750)]);
    first.statement.balances =
        vec![balance(BalanceKind::Opening, 1, 9_000), balance(BalanceKind::Closing, 4, 7_250)];
    for kind in [StatementKind::Chain, StatementKind::Window] {
        first.statement.kind = kind;
        let mut copy = first.clone();
        copy.statement.index = 1;
        copy.lines.reverse();
        let both = [first.clone(), copy.clone()];
        assert_eq!(counted(&both), counts([(day(1), -500), (day(1), -500), (day(4), -750)]), "{kind:?}");
        let (statements, lines) = flat(&both);
        let resolution = resolve(USER, &statements, &lines);
        assert!(resolution.outcomes.iter().all(|outcome| matches!(outcome, Outcome::Row(_))));
        let proof = prove(&statements, &lines, &resolution).remove(&ACCOUNT).unwrap();
        assert_eq!((proof.through, proof.closing_cents), (Some(day(4)), Some(7_250)), "{kind:?}");
        // Another entry makes another statement.
        copy.lines[0].cents = -751;
        assert_eq!(resolved(&[first.clone(), copy]).rows.len(), 6, "{kind:?}");
    }
}

#[test]
fn sections_without_period_and_balances_are_no_copies() {
    let mut sheets = [window(1, &[(1, -500)]), window(1, &[(1, -500)])];
    sheets[1].statement.index = 1;
    assert_eq!(resolved(&sheets).rows.len(), 2);
}

#[test]
fn lists_of_changes_of_one_day_are_in_the_order_of_their_times() {
    let name = LineId::name(USER, ACCOUNT, "x");
    let added = |digest, time: &str| {
        let mut added = sheet(digest, StatementKind::Delta, vec![line(1, -500, "")]);
        added.lines[0].details = Some(identified(name, true));
        added.statement.as_of = Some(day(9));
        added.statement.number = Some(time.to_owned());
        added
    };
    let removed = |digest, time: &str| {
        let mut removed = sheet(digest, StatementKind::Delta, Vec::new());
        removed.statement.removed = vec![name];
        removed.statement.as_of = Some(day(9));
        removed.statement.number = Some(time.to_owned());
        removed
    };
    for (first, second) in [(1, 2), (2, 1)] {
        assert_eq!(counted(&[added(first, "08:00:00"), removed(second, "09:30:00")]), counts([]));
        let again = [removed(first, "08:00:00"), added(second, "09:30:00")];
        assert_eq!(counted(&again), counts([(day(1), -500)]));
    }
}

#[test]
fn fee_that_is_stated_apart_is_a_row() {
    let mut sheet = window(1, &[(1, -500)]);
    sheet.lines[0].details = LineDetails { fee_cents: -25, ..LineDetails::default() }.boxed();
    assert_eq!(counted(&[sheet]), counts([(day(1), -500), (day(1), -25)]));
}
