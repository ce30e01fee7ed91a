//! Recognises files without a header line: all rows fit one profile, and an IBAN or the balances of the rows prove it.

use jiff::civil::Date;

use super::super::collector::Collector;
use super::super::{DateOrder, Entry, ReadOptions, day};
use super::builtin::builtin_profiles;
use super::columns::Columns;
use super::header::Header;
use super::profile::Profile;
use super::records::Body;

/// Day, effect and balance of a row.
type DatedEffect = (Date, i64, Option<i64>);

/// Returns the only profile without a header line that a text fits: one of the person's own, otherwise one that comes with
/// Passbook. `None` if a line of the text is the header line of a profile.
pub(in super::super) fn profile_without_header<'a>(
    text: &str,
    options: &'a ReadOptions,
) -> Option<&'a Profile> {
    let fitting = |profiles: &'a [Profile]| -> Vec<&'a Profile> {
        profiles.iter().filter(|profile| profile.headers.is_empty() && fits(text, profile)).collect()
    };
    if !matches!(Header::find(text, None), Ok(None)) {
        return None;
    }
    let mut found = fitting(&options.own_profiles);
    if found.is_empty() {
        found = fitting(builtin_profiles());
    }
    match found[..] {
        [profile] => Some(profile),
        _ => None,
    }
}

/// Returns true if all rows fit a profile, and prove it.
fn fits(text: &str, profile: &Profile) -> bool {
    let options = ReadOptions { profile: Some(profile.clone()), ..ReadOptions::default() };
    let (mut rows, mut statements) = (Vec::new(), Vec::new());
    let mut receive = |_, entry: Entry| rows.push((entry.booked, entry.effect(), entry.balance_after));
    let collector = Collector::new(&mut receive, &mut statements);
    let read = super::read(text, &options, collector);
    let (Ok(read), Ok(columns), Ok(Some(header))) =
        (read, Columns::find(profile, &[]), Header::find(text, Some(profile)))
    else {
        return false;
    };
    let (mut is_complete, width) = (!rows.is_empty(), columns.at.cells());
    let Header { delimiter, line, end, .. } = header;
    let body = Body { text: &text[end..], profile, delimiter, line };
    body.for_each_record(|record, _, _| is_complete &= record.len() == width);
    let has_iban = read.iter().all(|statement| statement.account.iban.is_some());
    is_complete
        && read.iter().all(|statement| statement.skipped.is_empty())
        && (has_iban || adds_up(&rows) && is_only_order(&rows, profile))
}

/// Returns true if each row leads from the balance of its neighbour to its own, in one direction.
fn adds_up(rows: &[DatedEffect]) -> bool {
    let leads = |(from, to): (&DatedEffect, &DatedEffect)| {
        from.2.zip(to.2).is_some_and(|(before, after)| before.checked_add(to.1) == Some(after))
    };
    let pairs = || rows.iter().zip(rows.iter().skip(1));
    rows.len() > 1 && (pairs().all(leads) || pairs().all(|(one, other)| leads((other, one))))
}

/// Returns true if the days are in order, and would not be so with day and month exchanged.
fn is_only_order(rows: &[DatedEffect], profile: &Profile) -> bool {
    let days: Vec<Date> = rows.iter().map(|(day, ..)| *day).collect();
    let exchanged: Option<Vec<Date>> =
        days.iter().map(|day| Date::new(day.year(), day.day(), day.month()).ok()).collect();
    let is_open = profile.dates.iter().all(|format| day::order(format) != Some(DateOrder::YearMonthDay));
    is_ordered(&days) && !exchanged.is_some_and(|days| is_open && is_ordered(&days))
}

fn is_ordered(days: &[Date]) -> bool {
    days.is_sorted() || days.is_sorted_by(|one, other| one >= other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_prove_nothing_choose_no_profile() {
        let options = ReadOptions::default();
        for (text, expected) in [
            ("28/10/2026,-5.60,Bakery,+1402.15\n01/10/2026,+1407.75,Salary,+1407.75\n", Some("commbank")),
            // Both orders of day and month are possible; the balances do not add up; a row is short; there is one row.
            ("03/10/2026,-5.60,Bakery,+1402.15\n01/10/2026,+1407.75,Salary,+1407.75\n", None),
            ("28/10/2026,-5.60,Bakery,+1402.15\n01/10/2026,+1407.75,Salary,+1407.76\n", None),
            ("28/10/2026,-5.60,Bakery,+1402.15,x\n01/10/2026,+1407.75,Salary,+1407.75\n", None),
            ("28/10/2026,-5.60,Bakery,+1402.15\n", None),
        ] {
            let found = profile_without_header(text, &options).map(|profile| profile.name.as_str());
            assert_eq!(found, expected, "{text}");
        }
    }
}
