//! The end of pending rows: each case with its control.

use super::*;

const AMOUNT: i64 = -2_000;

/// A file of another source.
fn source(mut sheet: Sheet, origin: &str) -> Sheet {
    sheet.statement.origin = origin.to_owned();
    sheet
}

fn payee(mut sheet: Sheet, payee: u32) -> Sheet {
    sheet.lines.iter_mut().for_each(|line| line.payee = payee);
    sheet
}

fn reference(mut sheet: Sheet, text: &str) -> Sheet {
    let name = LineId::name(USER, ACCOUNT, text);
    sheet.lines.iter_mut().for_each(|line| line.details = Some(identified(name, false)));
    sheet
}

/// A file that lists pending rows.
fn announced(digest: u8, lines: &[(i64, i64)]) -> Sheet {
    let mut sheet = source(window(digest, lines), "announced");
    sheet.statement.lists_pending = true;
    sheet.lines.iter_mut().for_each(|line| line.pending = true);
    sheet
}

/// Checks the number of pending rows in both orders of the files.
fn check(name: &str, mut sheets: Vec<Sheet>, pending: usize) {
    for _ in 0..2 {
        let rows = resolved(&sheets).rows;
        let found = rows.iter().filter(|row| matches!(row.step, Step::Pending(_))).count();
        assert_eq!(found, pending, "{name}: {rows:?}");
        sheets.reverse();
    }
}

#[test]
fn pending_row_lapses_when_a_file_covers_its_day_plus_ten() {
    let pending = || announced(1, &[(1, AMOUNT)]);
    check("a row after the day", vec![pending(), window(2, &[(3, -1), (12, -1)])], 0);
    check("no row after the day", vec![pending(), window(2, &[(3, -1), (11, -1)])], 1);
    check("a file that begins later", vec![pending(), window(2, &[(12, -1), (30, -1)])], 1);
    for (last, as_of, rows) in [(10, None, 1), (11, None, 0), (30, Some(10), 1), (30, Some(11), 0)] {
        let mut stated = window(2, &[(3, -1)]);
        (stated.statement.from, stated.statement.to) = (Some(day(1)), Some(day(last)));
        stated.statement.as_of = as_of.map(day);
        check("a stated period", vec![pending(), stated], rows);
    }
    let mut hold = announced(1, &[(1, AMOUNT)]);
    (hold.statement.from, hold.statement.to) = (Some(day(0)), Some(day(13)));
    check("the newest file still lists it", vec![hold, window(2, &[(3, -1), (12, -1)])], 1);
}

#[test]
fn booked_row_of_another_amount_with_the_reference_replaces_a_pending_row() {
    let pending = || reference(announced(1, &[(3, AMOUNT)]), "x");
    for (text, number, rows) in [("x", 4, 0), ("x", 13, 0), ("x", 14, 1), ("x", 2, 1), ("y", 4, 1)] {
        let booked = reference(window(2, &[(number, -2_300)]), text);
        check(&format!("reference {text} on day {number}"), vec![pending(), booked], rows);
    }
    let again = reference(source(announced(3, &[(2, AMOUNT)]), "other"), "other");
    let booked = reference(window(2, &[(4, -2_300)]), "x");
    check("the row of another source is the same", vec![pending(), booked, again], 0);
}

#[test]
fn booked_row_of_another_amount_of_the_payee_replaces_a_pending_row() {
    let pending = || payee(announced(1, &[(3, AMOUNT)]), 7);
    let newer = |lines: &[(i64, i64)]| payee(window(2, lines), 7);
    let around = |lines: &[(i64, i64)]| {
        let mut sheet = newer(lines);
        sheet.lines.extend([line(1, -1, ""), line(9, -1, "")]);
        sheet
    };
    check("the one candidate", vec![pending(), around(&[(4, -2_300)])], 0);
    check("another payee", vec![pending(), payee(around(&[(4, -2_300)]), 8)], 1);
    check("two candidates", vec![pending(), around(&[(4, -2_300), (6, -2_400)])], 1);
    check("a refund", vec![pending(), around(&[(4, 2_300)])], 1);
    check("the file begins on the day", vec![pending(), newer(&[(3, -2_300), (5, -1)])], 1);
    let mut listed = around(&[(4, -2_300)]);
    listed.lines.push(Line { pending: true, ..line(4, AMOUNT, "") });
    check("the file lists the pending row", vec![pending(), listed], 1);
    let two = payee(announced(1, &[(3, AMOUNT), (3, -2_100)]), 7);
    check("two pending rows", vec![two, around(&[(4, -2_300)])], 2);
    let mut older = around(&[(4, -2_300)]);
    older.lines.retain(|line| line.day < day(9));
    let mut later = pending();
    later.statement.as_of = Some(day(6));
    check("the booked row is older", vec![older, later, around(&[(4, -2_300)])], 1);
}

#[test]
fn booked_row_ends_the_pending_row_of_each_source() {
    let other = source(announced(3, &[(2, AMOUNT)]), "other");
    check("two sources", vec![announced(1, &[(1, AMOUNT)]), other, window(2, &[(4, AMOUNT)])], 0);
    let two = announced(1, &[(1, AMOUNT), (1, AMOUNT)]);
    check("two rows of one source", vec![two, window(2, &[(4, AMOUNT)])], 1);
}

#[test]
fn numbers_of_equal_pending_rows_follow_the_order_of_the_files() {
    let change = |digest, lines: Vec<Line>| {
        let mut sheet = sheet(digest, StatementKind::Delta, lines);
        sheet.lines.iter_mut().for_each(|line| line.pending = true);
        sheet
    };
    let sheets = [
        change(1, vec![line(12, AMOUNT, "one"), line(22, AMOUNT, "one")]),
        change(2, vec![line(22, AMOUNT, "other")]),
    ];
    let reversed: Vec<Sheet> = sheets.iter().rev().cloned().collect();
    assert_eq!(rows(&sheets), rows(&reversed));
}
