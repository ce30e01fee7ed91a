//! Statements and files that list the same rows: each case with its control.

use super::*;

/// A statement with its balances. Without further facts each statement is a file of its own.
fn sequence(digest: u8, number: &str, opening: i64, lines: &[(i64, i64)]) -> Sheet {
    let mut sheet = window(digest, lines);
    let closing_day = lines.last().map_or(day(0), |line| day(line.0));
    let closing = opening + lines.iter().map(|line| line.1).sum::<i64>();
    sheet.statement.kind = StatementKind::Sequence;
    sheet.statement.number = (!number.is_empty()).then(|| number.to_owned());
    sheet.statement.balances = stated_ends((closing_day, opening), (closing_day, closing));
    sheet
}

/// Gives the lines of a file identifiers with this prefix.
fn with_references(mut sheet: Sheet, prefix: &str) -> Sheet {
    for (number, line) in sheet.lines.iter_mut().enumerate() {
        let name = LineId::name(USER, ACCOUNT, &format!("{prefix}{number}"));
        line.details = Some(identified(name, false));
    }
    sheet
}

fn in_one_file(mut sheets: Vec<Sheet>) -> Vec<Sheet> {
    for (index, sheet) in (0..).zip(&mut sheets) {
        (sheet.statement.digest, sheet.statement.index) = ([1; 32], index);
    }
    sheets
}

/// Checks the number of rows, and whether the statements are ambiguous, in both orders of the files.
fn check(name: &str, mut sheets: Vec<Sheet>, rows: usize, is_ambiguous: bool) {
    for _ in 0..2 {
        let resolution = resolved(&sheets);
        let found = (resolution.rows.len(), !resolution.ambiguous.is_empty());
        assert_eq!(found, (rows, is_ambiguous), "{name}: {:?}", resolution.rows);
        let through = reconciled(&sheets).through;
        assert!(!is_ambiguous || through.is_none(), "{name}: {through:?}");
        sheets.reverse();
    }
}

#[test]
fn statements_of_one_day_overlap_if_their_common_lines_add_up_to_zero() {
    let twice = [(12, -700), (12, 700)];
    let longer = [(12, -700), (12, 700), (12, -250)];
    let pair = |number: &str, other: &str| {
        vec![sequence(1, number, 50_000, &twice), sequence(2, other, 50_000, &longer)]
    };
    check("without numbers", pair("", ""), 3, true);
    check("all of number 1", pair("1", "1"), 3, true);
    let [one, other] = [pair("", "").remove(0), pair("", "").remove(1)];
    let (equal, different) = (with_references(other.clone(), "a"), with_references(other, "b"));
    let one = with_references(one, "a");
    check("equal references", vec![one.clone(), equal], 3, false);
    check("different references", vec![one, different], 5, false);
    // Controls: the balances of a day that is cut in two show that the lines are others.
    let cut = vec![sequence(1, "", 50_000, &[(12, -300)]), sequence(2, "", 49_700, &[(12, -300), (12, 100)])];
    check("day cut in two", cut, 3, true);
    let cut = vec![sequence(1, "", 50_000, &[(12, -300)]), sequence(2, "", 49_700, &[(12, -301), (12, 100)])];
    check("day cut in two without equal lines", cut, 3, false);
    let pages = vec![sequence(1, "3/1", 50_000, &twice), sequence(1, "3/2", 50_000, &twice)];
    check("pages of one number in one file", in_one_file(pages), 4, false);
}

#[test]
fn consecutive_numbers_do_not_hide_an_overlap() {
    let first = [(2, -1_000), (5, 500), (7, -700), (9, 200)];
    let second = [(5, 500), (7, -700), (9, 200), (13, -100)];
    for (number, other, is_ambiguous) in
        [("1", "2", true), ("5", "1", true), ("1", "3", false), ("", "", false)]
    {
        let sheets = vec![sequence(1, number, 50_000, &first), sequence(2, other, 49_000, &second)];
        check(&format!("numbers {number} and {other}"), sheets, 5, is_ambiguous);
    }
    let late = [(5, -200), (10, -100)];
    let sheets = vec![sequence(1, "1", 50_000, &first), sequence(2, "2", 49_000, &late)];
    check("late booking before the end of the last statement", sheets, 6, false);
}

#[test]
fn copy_of_a_statement_has_another_number() {
    let zero = [(4, 50_000), (4, -50_000)];
    let pair =
        |number: &str, other: &str| vec![sequence(1, number, 900, &zero), sequence(2, other, 900, &zero)];
    check("CAMT and MT940", pair("1", "1/1"), 2, false);
    check("downloads with other identifiers", pair("S-17", "S-99"), 2, true);
    check("two statements in one file", in_one_file(pair("1", "2")), 4, true);
    // The copy of a file of two equal statements has two statements too.
    let copied: Vec<Sheet> = [("1", 1), ("2", 1), ("1/1", 2), ("2/1", 2)]
        .map(|(number, digest)| sequence(digest, number, 900, &zero))
        .into_iter()
        .zip([0, 1, 0, 1])
        .map(|(mut sheet, index)| {
            sheet.statement.index = index;
            sheet
        })
        .collect();
    check("copy of a file with two statements", copied, 4, true);
}

/// A file whose rows state the balance after each of them, the oldest row first. `before` is the balance before it.
fn running(digest: u8, before: i64, lines: &[(i64, i64)]) -> Sheet {
    let mut sheet = window(digest, lines);
    let mut balance = before;
    for line in &mut sheet.lines {
        balance += line.cents;
        line.details = LineDetails { balance_after: Some(balance), ..LineDetails::default() }.boxed();
    }
    sheet
}

#[test]
fn running_balances_distinguish_equal_rows_of_a_partial_day() {
    let (first, second) = ([(3, -100), (5, -450)], [(5, -450), (6, -20)]);
    let other_half = vec![running(1, 1_000, &first), running(2, 450, &second)];
    check("the other half of the day", other_half.clone(), 4, false);
    let mut descending = other_half.clone();
    descending.iter_mut().for_each(|sheet| sheet.lines.reverse());
    check("the newest row first", descending, 4, false);
    check(
        "the whole day between both",
        [other_half, vec![running(3, 900, &[(5, -450), (5, -450)])]].concat(),
        4,
        false,
    );
    check("the same row", vec![running(1, 1_000, &first), running(2, 900, &second)], 3, false);
    check("balances that do not join", vec![running(1, 1_000, &first), running(2, 870, &second)], 3, false);
    check("without balances", vec![window(1, &first), window(2, &second)], 3, false);
}

#[test]
fn row_with_another_identifier_and_payee_does_not_move() {
    let file = |digest, lines: [(i64, i64); 3], ids: [&str; 3], payees: [u32; 3]| {
        let mut sheet = window(digest, &lines);
        for ((line, id), payee) in sheet.lines.iter_mut().zip(ids).zip(payees) {
            line.details = (!id.is_empty()).then(|| identified(LineId::name(USER, ACCOUNT, id), false));
            line.payee = payee;
        }
        sheet
    };
    let first = file(1, [(5, -1_000), (7, -14_893), (12, -2_000)], ["a0", "a1", "a2"], [1, 2, 3]);
    let lines = [(2, -333), (8, -14_893), (20, -500)];
    let second = |id, payee| file(2, lines, ["z0", id, "z2"], [4, payee, 5]);
    check("another identifier and payee", vec![first.clone(), second("z1", 9)], 6, false);
    check("the same payee", vec![first.clone(), second("z1", 2)], 5, false);
    check("the same identifier", vec![first.clone(), second("a1", 9)], 5, false);
    check("no identifier", vec![first.clone(), second("", 9)], 5, false);
    let mut proven = second("z1", 9);
    proven.statement.balances = sequence(2, "", 0, &lines).statement.balances;
    check("a file that proves itself", vec![first, proven], 3, false);
}

#[test]
fn newer_file_that_proves_itself_wins_strictly_inside_its_days() {
    let first = [(1, -20), (5, -450), (9, -70), (20, -30)];
    let corrected = [(1, -20), (5, -540), (9, -70), (20, -30), (21, -8)];
    let cancelled = [(1, -20), (9, -70), (20, -30), (21, -8)];
    let moved = [(1, -20), (9, -70), (11, -450), (20, -30), (21, -8)];
    // A file of which the balance before its first and after its last row is known.
    let proven = |digest, before: i64, lines: &[(i64, i64)]| {
        let mut sheet = running(digest, before, lines);
        sheet.statement.balances = sequence(digest, "", before, lines).statement.balances;
        sheet
    };
    let older = proven(1, 1_000, &first);
    for (name, newer, unproven) in
        [("corrected", &corrected[..], 6), ("cancelled", &cancelled, 5), ("moved", &moved, 6)]
    {
        check(name, vec![older.clone(), proven(2, 1_000, newer)], newer.len(), false);
        check(&format!("{name}, without balances"), vec![older.clone(), window(2, newer)], unproven, false);
    }
    // The first and the last day of a file may be incomplete.
    check("first day", vec![older, proven(2, 980, &[(5, -540), (21, -8)])], 4, false);
}

/// Days of which half have only rows that add up to zero, and statements of whole days that may overlap.
fn sweeps() -> impl Strategy<Value = (Vec<(i64, i64)>, Vec<Sheet>)> {
    let days = proptest::collection::vec((any::<bool>(), 0_usize..4), 14);
    let ranges = proptest::collection::vec((0_i64..14, 0_i64..14), 1..6);
    (days, ranges, 0_usize..4).prop_map(|(days, ranges, numbers)| {
        let mut truth = Vec::new();
        for (number, (is_zero, count)) in (0_i64..).zip(days) {
            let amounts: &[i64] = if is_zero { &[700, -700, 700, -700] } else { &[-250, -700, 700, -31] };
            truth.extend(amounts[..count & !usize::from(is_zero)].iter().map(|cents| (number, *cents)));
        }
        let mut ranges: Vec<(i64, i64)> =
            ranges.into_iter().map(|(one, other)| (one.min(other), one.max(other))).collect();
        ranges.sort_by_key(|range| (range.1, range.0));
        let sheet = |(at, (first, last)): (u8, (i64, i64))| {
            let opening = 1_000 + truth.iter().filter(|row| row.0 < first).map(|row| row.1).sum::<i64>();
            let lines: Vec<_> = truth.iter().copied().filter(|row| (first..=last).contains(&row.0)).collect();
            let number = ["", "1", &at.to_string(), &format!("{at}/1")][numbers].to_owned();
            let mut sheet = sequence(at, &number, opening, &lines);
            sheet.statement.balances.iter_mut().for_each(|balance| balance.day = day(last));
            sheet
        };
        let sheets = (1..).zip(ranges).map(sheet).collect();
        (truth, sheets)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn overlapping_statements_of_whole_days_give_the_truth((truth, sheets) in sweeps()) {
        let covered: HashSet<Date> = sheets.iter().flat_map(|sheet| sheet.lines.iter().map(|line| line.day)).collect();
        let truth = truth.iter().map(|(number, cents)| (day(*number), *cents));
        prop_assert_eq!(counted(&sheets), counts(truth.filter(|row| covered.contains(&row.0))));
    }
}
