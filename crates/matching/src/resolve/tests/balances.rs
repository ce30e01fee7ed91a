//! The balances that files state, and their comparison with the rows.

use passbook_domain::balance::{FindingKind, StatedBalance};
use passbook_domain::range::DaySpan;

use super::*;

/// A statement with opening and closing balance, and lines of a day and an amount.
fn statement(digest: u8, days: (i64, i64), balances: (i64, i64), lines: &[(i64, i64)]) -> Sheet {
    let lines = lines.iter().map(|(day, cents)| line(*day, *cents, "")).collect();
    let mut sheet = sheet(digest, StatementKind::Sequence, lines);
    (sheet.statement.from, sheet.statement.to) = (Some(day(days.0)), Some(day(days.1)));
    sheet.statement.number = Some(digest.to_string());
    sheet.statement.balances = stated_ends((day(days.0), balances.0), (day(days.1), balances.1));
    sheet
}

/// A file whose lines state the balance after each of them: day, amount, balance.
fn running(lines: &[(i64, i64, i64)]) -> Sheet {
    let lines = lines.iter().map(|(day, cents, balance)| {
        let details = LineDetails { balance_after: Some(*balance), ..LineDetails::default() };
        Line { details: details.boxed(), ..line(*day, *cents, "") }
    });
    sheet(1, StatementKind::Window, lines.collect())
}

fn stated(sheets: &[Sheet]) -> Vec<(i64, i64)> {
    let balance = |balance: &StatedBalance| (i64::from(balance.day.day()) - 1, balance.cents);
    reconciled(sheets).stated.iter().map(balance).collect()
}

#[test]
fn break_in_an_old_statement_does_not_freeze_the_balance() {
    let sheets = [
        statement(1, (1, 4), (100, 90), &[(2, -10)]),
        // A line of -5 is missing.
        statement(2, (5, 8), (90, 65), &[(6, -20)]),
        statement(3, (9, 12), (65, 95), &[(10, 30)]),
    ];
    assert_eq!(stated(&sheets), [(0, 100), (4, 90), (8, 65), (12, 95)]);
    let reconciliation = reconciled(&sheets);
    assert_eq!(reconciliation.through, Some(day(4)));
    let found: Vec<_> = reconciliation
        .findings
        .iter()
        .map(|found| (found.kind, found.after, found.through, found.cents))
        .collect();
    assert_eq!(found, [(FindingKind::Break, day(4), day(8), -5)]);
}

#[test]
fn running_balances_give_every_day_in_each_order_of_lines() {
    let expected = [(2, 80), (4, 95), (6, 65)];
    for lines in [
        [(2, -10, 90), (2, -10, 80), (4, 15, 95), (6, -20, 75), (6, -10, 65)],
        [(6, -10, 65), (6, -20, 75), (4, 15, 95), (2, -10, 80), (2, -10, 90)],
        // The newest day first, and the oldest line of a day first.
        [(6, -20, 75), (6, -10, 65), (4, 15, 95), (2, -10, 90), (2, -10, 80)],
    ] {
        assert_eq!(stated(&[running(&lines)]), expected, "{lines:?}");
    }
}

#[test]
fn lines_of_a_day_that_add_up_in_both_orders_continue_from_the_day_before() {
    for lines in [
        [(2, -10, 90), (4, 50, 140), (4, -50, 90), (6, -5, 85)],
        [(6, -5, 85), (4, -50, 90), (4, 50, 140), (2, -10, 90)],
    ] {
        assert_eq!(stated(&[running(&lines)]), [(2, 90), (4, 90), (6, 85)], "{lines:?}");
        assert_eq!(reconciled(&[running(&lines)]).findings, []);
    }
    let newest_first = [(4, 50, 100), (4, -50, 50), (2, -10, 100)];
    assert_eq!(stated(&[running(&newest_first)]), [(2, 100), (4, 100)]);
    assert_eq!(stated(&[running(&newest_first[..2])]), []);
}

#[test]
fn days_after_the_present_balance_of_a_file_are_not_covered() {
    let mut sheet = window(1, &[(2, -10), (4, -20)]);
    sheet.statement.balances =
        vec![Balance { kind: BalanceKind::Interim, day: day(6), cents: 70, currency: None }];
    (sheet.statement.from, sheet.statement.to) = (Some(day(1)), Some(day(20)));
    let span = |first, last| DaySpan { first: day(first), last: day(last) };
    assert_eq!(reconciled(&[sheet.clone()]).covered, [span(1, 5)]);
    sheet.statement.as_of = Some(day(3));
    assert_eq!(reconciled(&[sheet]).covered, [span(1, 3)]);
}

#[test]
fn line_without_its_predecessor_makes_a_balance_one_of_a_moment() {
    let reconciliation = reconciled(&[running(&[(2, -10, 90), (4, 15, 100), (6, -20, 80)])]);
    assert_eq!(reconciliation.through, Some(day(2)));
    assert_eq!(reconciliation.stated.last().map(|balance| balance.cents), Some(80));
    assert_eq!(reconciliation.findings.len(), 1, "{reconciliation:?}");
}

#[test]
fn row_that_a_rule_leaves_out_counts_in_no_balance() {
    let (statements, lines) = flat(&[running(&[(2, -10, 90), (4, 15, 105), (6, -20, 85)])]);
    let resolution = resolve(USER, &statements, &lines);
    let is_stored = |row: usize| resolution.rows[row].cents != 15;
    let found = reconcile(&statements, &lines, &resolution, &is_stored, &|_| false, jiff::civil::Date::MAX);
    assert_eq!(found[&ACCOUNT].findings.iter().map(|found| found.cents).collect::<Vec<_>>(), [15]);
}

#[test]
fn one_stated_balance_is_the_present_one() {
    let mut sheet = window(1, &[(2, -10), (4, -20)]);
    let balance = Balance { kind: BalanceKind::Closing, day: day(4), cents: 70, currency: None };
    sheet.statement.balances.push(balance);
    assert_eq!(stated(&[sheet]), [(4, 70)]);
}

#[test]
fn missing_number_is_a_gap() {
    let mut sheets =
        vec![statement(1, (1, 4), (100, 90), &[(2, -10)]), statement(3, (9, 12), (65, 95), &[(10, 30)])];
    let gaps = reconciled(&sheets).gaps;
    assert_eq!(gaps.iter().map(|gap| (gap.first, gap.last)).collect::<Vec<_>>(), [(2, 2)]);
    // A statement whose lines do not add up is not missing.
    sheets.push(statement(2, (5, 8), (90, 65), &[(6, -20)]));
    assert!(reconciled(&sheets).gaps.is_empty());
}
