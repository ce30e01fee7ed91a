//! `cargo lab evaluate balances`: compares the balance of every day of simulated accounts with the true one.
//!
//! Each of 200 households has three accounts with transfers between them. Each account has a source, which decides what its
//! files or its loader state, and a fault. The files go through the matching and its collection of balances, as an import
//! does, and `passbook_domain::balance` answers for each day. A balance is right, an estimate, unknown, or wrong without a
//! mark. A wrong one must have no evidence against it: the stated balances around the day agree with the rows between them.

mod account;
mod facts;
mod files;
mod patterns;

use std::collections::BTreeMap;

use passbook_domain::balance::{AccountBalances, BalanceFacts};

use crate::command::print_line;
use account::Account;
use facts::Evidence;
use files::{Fault, Source};
use patterns::PATTERNS;

/// Number of households, each of which has three accounts.
const HOUSEHOLDS: u64 = 200;
/// Number of households whose accounts have every pattern of balances.
const PATTERN_HOUSEHOLDS: u64 = 20;
/// Maximum share of estimates where files cover everything and have no fault, in 1,000.
const ESTIMATED_MAX: u64 = 30;

/// The days of some accounts, by what is served for them.
#[derive(Clone, Copy, Debug, Default)]
struct Days {
    right: u64,
    estimated_right: u64,
    estimated_wrong: u64,
    absent: u64,
    wrong: u64,
    /// Wrong days against which a stated balance speaks.
    wrong_with_evidence: u64,
}

impl Days {
    fn add(&mut self, other: Days) {
        self.right += other.right;
        self.estimated_right += other.estimated_right;
        self.estimated_wrong += other.estimated_wrong;
        self.absent += other.absent;
        self.wrong += other.wrong;
        self.wrong_with_evidence += other.wrong_with_evidence;
    }

    fn all(&self) -> u64 {
        self.right + self.estimated_right + self.estimated_wrong + self.absent + self.wrong
    }

    fn row(&self, name: &str) -> String {
        let share = |count: u64| format!("{}.{}", count * 100 / self.all(), count * 1_000 / self.all() % 10);
        let cells = [self.right, self.wrong, self.estimated_right, self.estimated_wrong, self.absent];
        let cells: Vec<String> = cells.into_iter().map(share).collect();
        format!("| {name} | {} | {} |", cells.join(" | "), self.wrong_with_evidence)
    }
}

/// Prints the shares of days by source and by fault.
///
/// # Errors
/// The gates that are missed.
pub(crate) fn balances() -> Result<(), String> {
    let mut by_source: BTreeMap<usize, Days> = BTreeMap::new();
    let mut by_fault: BTreeMap<usize, Days> = BTreeMap::new();
    let mut covered = Days::default();
    let mut number = 0;
    for household in 0..HOUSEHOLDS {
        for account in Account::household(household) {
            let (source, fault) = (number % Source::ALL.len(), number / Source::ALL.len() % Fault::ALL.len());
            number += 1;
            let days = compare(&account, facts::facts(&account, Source::ALL[source], Fault::ALL[fault]));
            by_source.entry(source).or_default().add(days);
            by_fault.entry(fault).or_default().add(days);
            if Source::ALL[source].covers_everything() && Fault::ALL[fault] == Fault::None {
                covered.add(days);
            }
        }
    }
    let heading =
        "| right | wrong | estimated, right | estimated, wrong | unknown | wrong days with evidence |";
    print_line(&format!(
        "{number} accounts, percent of days\n\n| source {heading}\n|---|---|---|---|---|---|---|"
    ));
    by_source.iter().for_each(|(at, days)| print_line(&days.row(Source::ALL[*at].name())));
    print_line(&format!("\n| fault {heading}\n|---|---|---|---|---|---|---|"));
    by_fault.iter().for_each(|(at, days)| print_line(&days.row(Fault::ALL[*at].name())));
    print_line(&format!("\n| balances of a loader {heading}\n|---|---|---|---|---|---|---|"));
    let mut patterns = Days::default();
    for pattern in &PATTERNS {
        let accounts = (0..PATTERN_HOUSEHOLDS).flat_map(Account::household);
        let mut days = Days::default();
        accounts.for_each(|account| days.add(compare(&account, pattern.facts(&account))));
        print_line(&days.row(pattern.name));
        patterns.add(days);
    }
    print_line(&format!("\n{}", covered.row("covered without a fault")));
    let mut missed = Vec::new();
    if by_fault.values().chain([&patterns]).any(|days| days.wrong_with_evidence > 0) {
        missed.push(
            "no balance may be wrong without a mark where a stated balance speaks against it".to_owned(),
        );
    }
    let estimated = covered.estimated_right + covered.estimated_wrong;
    if estimated * 1_000 > ESTIMATED_MAX * covered.all() || covered.wrong > 0 {
        missed.push(format!("{ESTIMATED_MAX} of 1,000 covered days may be estimated, and none wrong"));
    }
    if missed.is_empty() { Ok(()) } else { Err(missed.join("\n")) }
}

/// Compares the balance of every day with the true one.
fn compare(account: &Account, facts: BalanceFacts) -> Days {
    let evidence = Evidence::new(&facts);
    let balances = AccountBalances::new(facts);
    let mut days = Days::default();
    for day in 0..account::DAYS {
        let truth = account.balance(day);
        match balances.on(account::date(day)) {
            None => days.absent += 1,
            Some(served) if served.estimated && served.cents == truth => days.estimated_right += 1,
            Some(served) if served.estimated => days.estimated_wrong += 1,
            Some(served) if served.cents == truth => days.right += 1,
            Some(_) => {
                days.wrong += 1;
                days.wrong_with_evidence += u64::from(evidence.speaks_against(account::date(day)));
            }
        }
    }
    days
}
