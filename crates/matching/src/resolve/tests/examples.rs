//! One example for each step of the matching.

use super::*;

#[test]
fn later_file_moves_a_row() {
    let sheets = [window(1, &[(1, -500), (3, -750), (9, 100)]), window(2, &[(1, -500), (5, -750), (9, 100)])];
    let resolution = resolved(&sheets);
    let moved: Vec<_> = resolution.rows.iter().filter(|row| row.moved_from.is_some()).collect();
    assert_eq!(moved.len(), 1);
    assert_eq!((moved[0].day, moved[0].moved_from), (day(5), Some(day(3))));
    assert_eq!(resolution.rows.len(), 3);
    // Of two rows that the later file lacks, the nearest moves.
    let former = window(1, &[(1, -500), (2, -750), (3, -750), (9, 100)]);
    let moved = counted(&[former, sheets[1].clone()]);
    assert_eq!(moved, counts([(day(1), -500), (day(2), -750), (day(5), -750), (day(9), 100)]));
}

#[test]
fn missing_row_stays_unless_the_file_replaces() {
    // The second file may have only a part of its first and last day.
    let all = [(1, -500), (1, -500), (4, -750), (9, 100), (9, 100)];
    let mut sheets = [window(1, &all), window(2, &[(1, -500), (9, 100)])];
    let resolution = resolved(&sheets);
    assert_eq!(resolution.rows.len(), 5);
    assert_eq!(resolution.missing[&1], 1);
    sheets[1].statement.replace = true;
    assert_eq!(resolved(&sheets).rows.len(), 4);
    // Of two files that end on the same day, the one that replaces is the newer one, whatever their digests are.
    sheets[1].statement.digest = [0; 32];
    assert_eq!(resolved(&sheets).rows.len(), 4);
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
    // Another source lists the same transaction without the identifier.
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

fn announced(digest: u8, origin: &str, currency: Currency) -> Sheet {
    let mut sheet = window(digest, &[(1, -500)]);
    sheet.statement.lists_pending = true;
    sheet.statement.origin = origin.to_owned();
    (sheet.lines[0].pending, sheet.lines[0].currency) = (true, currency);
    sheet
}

#[test]
fn pending_row_is_posted_within_ten_days() {
    for (number, rows) in [(1, 1), (11, 1), (12, 2)] {
        let mut booked = window(2, &[(number, -500)]);
        booked.statement.origin = "ofx".to_owned();
        assert_eq!(resolved(&[announced(1, "csv", Currency::EUR), booked]).rows.len(), rows, "{number}");
    }
}

#[test]
fn pending_rows_of_two_sources_are_one_only_in_one_currency() {
    let dollars = Currency::parse("USD").unwrap();
    for (currency, rows) in [(Currency::EUR, 1), (dollars, 2)] {
        let sheets = [announced(1, "csv", Currency::EUR), announced(2, "ofx", currency)];
        assert_eq!(resolved(&sheets).rows.len(), rows, "{currency}");
    }
}

#[test]
fn row_moves_by_at_most_five_days() {
    for (number, rows) in [(8, 3), (9, 4)] {
        let later = window(2, &[(1, -500), (number, -750), (14, 100)]);
        let sheets = [window(1, &[(1, -500), (3, -750), (14, 100)]), later];
        assert_eq!(resolved(&sheets).rows.len(), rows, "{number}");
    }
}

#[test]
fn pending_row_does_not_count_in_a_stated_balance() {
    let mut booked = window(2, &[(1, -500), (4, -750)]);
    booked.statement.origin = "ofx".to_owned();
    booked.statement.balances = stated_ends((day(1), 9_000), (day(4), 7_750));
    let mut pending = announced(1, "csv", Currency::EUR);
    (pending.lines[0].day, pending.lines[0].cents) = (day(2), -999);
    let found = reconciled(&[pending, booked]);
    assert_eq!((found.through, closing_cents(&found)), (Some(day(4)), Some(7_750)));
    assert!(found.findings.is_empty(), "{found:?}");
}

#[test]
fn statement_that_stands_twice_in_a_file_counts_once() {
    let mut first = window(1, &[(1, -500), (1, -500), (4, -750)]);
    first.statement.balances = stated_ends((day(1), 9_000), (day(4), 7_250));
    for kind in [StatementKind::Sequence, StatementKind::Window] {
        first.statement.kind = kind;
        let mut again = first.clone();
        again.statement.index = 1;
        again.lines.reverse();
        let both = [first.clone(), again.clone()];
        assert_eq!(counted(&both), counts([(day(1), -500), (day(1), -500), (day(4), -750)]), "{kind:?}");
        assert!(resolved(&both).outcomes.iter().all(|outcome| matches!(outcome, Outcome::Row(_))));
        let reconciliation = reconciled(&both);
        assert_eq!(
            (reconciliation.through, closing_cents(&reconciliation)),
            (Some(day(4)), Some(7_250)),
            "{kind:?}"
        );
        // Another entry makes another statement.
        again.lines[0].cents = -751;
        assert_eq!(resolved(&[first.clone(), again]).rows.len(), 6, "{kind:?}");
    }
}

#[test]
fn sections_without_period_and_balances_are_not_repeated() {
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
        let mut removed = added(digest, time);
        removed.lines.clear();
        removed.statement.removed = vec![name];
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
