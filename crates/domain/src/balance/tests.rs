//! Each case is a month of one account: the rows, the stated balances and the covered days, and the balance of each day.

use jiff::civil::{Date, date};
use uuid::Uuid;

use super::{AccountBalances, BalanceFacts, BalanceMoment, DayRows, FindingKind, StatedBalance};
use crate::bank::{Bank, BankStatus};
use crate::range::DaySpan;

/// A day of November 2026, which begins on a Sunday; 0 is the last day of October.
fn november(day: i8) -> Date {
    if day == 0 { date(2026, 10, 31) } else { date(2026, 11, day) }
}

struct Case {
    name: &'static str,
    /// Day and amount; `x` for a row in another currency.
    rows: &'static str,
    /// Day and balance: `5=90` at the end of day 5, `5~90/-10` at an instant whose file lists rows of -10 on the day.
    stated: &'static str,
    /// First and last day.
    covered: &'static str,
    /// The balance of each day from 0 on: `90`, `90?` for an estimate, `-` for an unknown one.
    expected: &'static str,
    /// Kind, days and amount, and the day through which the account is reconciled.
    found: &'static str,
}

const CASES: &[Case] = &[
    Case {
        name: "rows explain the difference of two balances",
        rows: "2:-10 4:-20",
        stated: "1=100 5=70",
        covered: "",
        expected: "- 100 90 90 70 70 70?",
        found: "reconciled 5",
    },
    Case {
        name: "covered days before the oldest and after the newest balance are exact",
        rows: "1:50 2:-10 6:-5",
        stated: "3=100",
        covered: "1-7",
        expected: "60 110 100 100 100 100 95 95 95?",
        found: "",
    },
    Case {
        name: "days before the oldest balance are estimates from the first row on",
        rows: "2:-10",
        stated: "4=90",
        covered: "",
        expected: "- - 90? 90? 90",
        found: "",
    },
    Case {
        name: "a row in another currency on the day of the oldest instant makes the days before it estimates",
        rows: "3:x",
        stated: "3~90/0",
        covered: "1-2",
        expected: "90? 90? 90? 90?",
        found: "",
    },
    Case {
        name: "a break after the oldest balance makes the covered days before it estimates",
        rows: "",
        stated: "3=100 5=50",
        covered: "1-6",
        expected: "100? 100? 100? 100? 100? 50? 50?",
        found: "Break 3-5 -50",
    },
    Case {
        name: "of two balances of a value that changes without rows the newer is an estimate",
        rows: "",
        stated: "valued 6=100 6=110",
        covered: "",
        expected: "- - - - - - 110? 110? 110?",
        found: "Unused 6-6 -10",
    },
    Case {
        name: "an account that was opened has 0 before",
        rows: "2:30",
        stated: "3=30",
        covered: "opened 2",
        expected: "0 0 30 30",
        found: "reconciled 3",
    },
    Case {
        name: "a missing row without a file is a gap, and the ends of days on both sides stay exact",
        rows: "",
        stated: "1=100 4=70",
        covered: "",
        expected: "- 100 100? 100? 70",
        found: "Gap 1-4 -30",
    },
    Case {
        name: "a missing row in covered days is a break, which makes a single newest balance an estimate",
        rows: "",
        stated: "1=100 2=100 4=70",
        covered: "1-6",
        expected: "100 100 100 100? 70? 70?",
        found: "Break 2-4 -30; reconciled 2",
    },
    Case {
        name: "a later balance confirms those beyond a break",
        rows: "6:-5",
        stated: "1=100 2=100 4=70 6=65",
        covered: "1-7",
        expected: "100 100 100 100? 70 70 65 65",
        found: "Break 2-4 -30; reconciled 2",
    },
    Case {
        name: "a single balance between two that agree is not used, and the days between are estimates",
        rows: "3:-10",
        stated: "1=100 2=95 4=90",
        covered: "",
        expected: "- 100 100? 90? 90",
        found: "Doubted 1-2 -5; reconciled 1",
    },
    Case {
        name: "two balances in a row between single ones are used",
        rows: "3:-10",
        stated: "1=100 2=95 3=85 4=90",
        covered: "",
        expected: "- 100 95 85 90",
        found: "Gap 1-2 -5; Gap 3-4 5; reconciled 1",
    },
    Case {
        name: "of two balances of a day that which agrees on both sides is used",
        rows: "2:-10",
        stated: "1=100 2=95 2=90 3=90",
        covered: "",
        expected: "- 100 90 90",
        found: "Unused 2-2 5; reconciled 3",
    },
    Case {
        name: "of two balances of a day that nothing decides the newer is an estimate",
        rows: "",
        stated: "2=95 2=90",
        covered: "1-4",
        expected: "90 90 90? 90? 90?",
        found: "Unused 2-2 5",
    },
    Case {
        name: "an instant contains the rows of its own file, and those of others are added",
        rows: "2:-30",
        stated: "1=100 2~90/-10 3=70",
        covered: "",
        expected: "- 100 70 70",
        found: "reconciled 3",
    },
    Case {
        name: "the newest instant is exact on a later day only if its own day is covered",
        rows: "2:-10",
        stated: "1=100 2~90/-10",
        covered: "2-3",
        expected: "- 100 90 90 90?",
        found: "reconciled 2",
    },
    Case {
        name: "an end of day replaces the instants of its day",
        rows: "2:-10",
        stated: "1=100 2~55/-10 2=90",
        covered: "",
        expected: "- 100 90",
        found: "reconciled 2",
    },
    Case {
        name: "a row in another currency makes the days beyond the balances estimates",
        rows: "1:5 2:x 4:-10",
        stated: "3=100 4=90",
        covered: "1-6",
        expected: "- 100? 100 100 90 90",
        found: "reconciled 4",
    },
    Case {
        name: "a value without rows is carried over a weekend, and estimated on other days",
        rows: "",
        stated: "valued 6=100 9=120",
        covered: "",
        expected: "- - - - - - 100 100 100 120 120?",
        found: "",
    },
    Case {
        name: "rows may explain a loan",
        rows: "4:10",
        stated: "valued 2=-100 5=-90",
        covered: "",
        expected: "- - -100 -100 -90 -90 -90?",
        found: "",
    },
    Case {
        name: "nothing is known without a balance",
        rows: "2:-10",
        stated: "",
        covered: "1-4",
        expected: "- - -",
        found: "",
    },
];

fn facts(case: &Case) -> BalanceFacts {
    let day = |text: &str| november(text.parse().expect("a day"));
    let mut facts = BalanceFacts {
        changes_without_rows: false,
        stated: Vec::new(),
        rows: Vec::new(),
        covered: Vec::new(),
        opened_on: None,
        ambiguous_from: None,
        today: november(30),
    };
    for row in case.rows.split_whitespace() {
        let (on, amount) = row.split_once(':').expect("day and amount");
        let cents = if amount == "x" { 0 } else { amount.parse().expect("an amount") };
        facts.rows.push(DayRows { day: day(on), cents, has_other_currency: amount == "x" });
    }
    for word in case.stated.split_whitespace() {
        let (on, cents, moment) = match (word.split_once('='), word.split_once('~')) {
            _ if word == "valued" => {
                facts.changes_without_rows = true;
                continue;
            }
            (Some((on, cents)), _) => (on, cents, BalanceMoment::EndOfDay),
            (_, Some((on, rest))) => {
                let (cents, listed) = rest.split_once('/').expect("listed rows");
                let listed_cents = listed.parse().expect("an amount");
                (on, cents, BalanceMoment::Instant { listed_cents })
            }
            _ => panic!("{word}"),
        };
        facts.stated.push(StatedBalance { day: day(on), cents: cents.parse().expect("an amount"), moment });
    }
    match case.covered.split_once(' ') {
        Some((_, opened)) => {
            let opened = day(opened);
            let before = opened.yesterday().expect("a day");
            facts.opened_on = Some(opened);
            facts.stated.insert(0, StatedBalance { day: before, cents: 0, moment: BalanceMoment::EndOfDay });
        }
        None => facts.covered.extend(
            case.covered.split_once('-').map(|(first, last)| DaySpan { first: day(first), last: day(last) }),
        ),
    }
    facts
}

#[test]
fn each_day_has_its_balance_its_mark_or_none() {
    for case in CASES {
        let balances = AccountBalances::new(facts(case));
        let days = case.expected.split_whitespace().count();
        let shown = (0..).take(days).map(|day| match balances.on(november(day)) {
            None => "-".to_owned(),
            Some(balance) => format!("{}{}", balance.cents, if balance.estimated { "?" } else { "" }),
        });
        assert_eq!(shown.collect::<Vec<String>>().join(" "), case.expected, "{}", case.name);
        let day = |day: Date| if day == november(0) { 0 } else { day.day() };
        let mut found: Vec<String> = balances
            .findings()
            .iter()
            .map(|found| {
                format!("{:?} {}-{} {}", found.kind, day(found.after), day(found.through), found.cents)
            })
            .collect();
        found.extend(balances.reconciled().map(|through| format!("reconciled {}", day(through))));
        assert_eq!(found.join("; "), case.found, "{}", case.name);
    }
}

#[test]
fn later_days_have_the_balance_of_today() {
    let case = Case { name: "", rows: "2:-10", stated: "1=100", covered: "1-6", expected: "", found: "" };
    let balances = AccountBalances::new(BalanceFacts { today: november(3), ..facts(&case) });
    assert_eq!(balances.on(november(20)), balances.on(november(3)));
    assert_eq!(balances.findings().iter().filter(|found| found.kind == FindingKind::Gap).count(), 0);
}

#[test]
fn bank_is_reconciled_if_every_open_account_is() {
    let (reconciled, other) =
        (AccountBalances::new(facts(&CASES[0])), AccountBalances::new(facts(&CASES[1])));
    let mut bank = Bank::new(Uuid::nil(), "First Platypus", BankStatus::Manual);
    for (is_open, through) in [(true, None), (false, Some(november(5)))] {
        bank.add_accounts([(&reconciled, true), (&other, is_open)].into_iter());
        assert_eq!(bank.reconciled_through, through);
    }
}

#[test]
fn newest_data_may_be_a_stated_balance_or_a_covered_day() {
    let age = |case: usize| AccountBalances::new(facts(&CASES[case])).days_since_newest();
    assert_eq!([age(0), age(1)], [Some(25), Some(23)]);
}
