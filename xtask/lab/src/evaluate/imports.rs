//! `cargo lab evaluate matching`: measures on simulated accounts and households how many rows an import of overlapping
//! files doubles or loses, and how many transfers between own accounts are paired.
//!
//! The importers of other programs are imitated by their rule for duplicates, so that the figures can be compared.

mod bank;
mod importers;
mod transfers;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::command::print_line;
use bank::{Bank, Identifiers, Scenario};
use importers::{Importer, Rows};

/// Seeds of the simulated accounts.
const ACCOUNTS: Range<u64> = 1..31;
/// Seeds of the households with transfers.
const HOUSEHOLDS: Range<u64> = 1..51;
/// Maximum share of wrong rows if 1 % of the days move: 0.5 %.
const MOVED_WRONG_MAX: u64 = 200;
/// Minimum number of found transfers in 1,000.
const FOUND_MIN: u64 = 930;
/// Maximum number of false pairs in 1,000 pairs.
const FALSE_MAX: u64 = 2;

/// The scenarios: name, identifiers, percent of changed texts, percent of moved days.
const SCENARIOS: [(&str, Scenario); 6] = [
    ("stable", Scenario { identifiers: Identifiers::Stable, changed_texts: 0, moved_days: 0 }),
    ("none", Scenario { identifiers: Identifiers::None, changed_texts: 0, moved_days: 0 }),
    ("none, 3 % texts change", Scenario { identifiers: Identifiers::None, changed_texts: 3, moved_days: 0 }),
    ("line numbers", Scenario { identifiers: Identifiers::LineNumbers, changed_texts: 0, moved_days: 0 }),
    ("rotated", Scenario { identifiers: Identifiers::Rotated, changed_texts: 0, moved_days: 0 }),
    ("none, 1 % days move", Scenario { identifiers: Identifiers::None, changed_texts: 0, moved_days: 1 }),
];

/// Measures identity and transfers.
///
/// # Errors
/// The gates that are missed.
pub(crate) fn matching() -> Result<(), String> {
    let mut missed = tables();
    missed.extend(orders());
    let transfers = transfers::measure(HOUSEHOLDS);
    print_line(&format!(
        "\ntransfers: {} pairs, 90 % of the legs marked: found {} with {} false; nearest amount alone: {} with {} false",
        transfers.pairs, transfers.found, transfers.wrong, transfers.greedy_found, transfers.greedy_wrong
    ));
    if transfers.found * 1_000 < FOUND_MIN * transfers.pairs {
        missed.push(format!("at least {FOUND_MIN} of 1,000 transfers must be found"));
    }
    if transfers.wrong * 1_000 > FALSE_MAX * transfers.pairs {
        missed.push(format!("at most {FALSE_MAX} of 1,000 pairs may be false"));
    }
    if missed.is_empty() { Ok(()) } else { Err(missed.join("\n")) }
}

/// Prints the wrong rows of every importer. Returns the missed gates.
fn tables() -> Vec<String> {
    let mut missed = Vec::new();
    let heading: Vec<&str> = Importer::ALL.iter().map(|importer| importer.name()).collect();
    print_line(&format!("| identifiers | rows | {} |", heading.join(" | ")));
    print_line(&format!("|---|---|{}", "---|".repeat(heading.len())));
    for (name, scenario) in SCENARIOS {
        let banks: Vec<Bank> = ACCOUNTS.map(|seed| Bank::simulate(seed, scenario)).collect();
        let rows: usize = banks.iter().map(|bank| bank.truth.len()).sum();
        let mut cells = Vec::new();
        for importer in Importer::ALL {
            let needs_ids = importer == Importer::Id;
            if needs_ids && scenario.identifiers == Identifiers::None {
                cells.push("–".to_owned());
                continue;
            }
            let (mut extra, mut lost) = (0, 0);
            for bank in &banks {
                let (more, less) = difference(&importer.import(&bank.files), &bank.truth);
                (extra, lost) = (extra + more, lost + less);
            }
            if importer == Importer::Rule {
                let allowed = if scenario.moved_days > 0 { rows as u64 / MOVED_WRONG_MAX } else { 0 };
                if extra + lost > allowed {
                    missed.push(format!("{name}: at most {allowed} rows of the rule may be wrong"));
                }
            }
            cells.push(match (extra, lost) {
                (0, 0) => "0".to_owned(),
                (extra, 0) => format!("+{extra}"),
                (0, lost) => format!("−{lost}"),
                (extra, lost) => format!("+{extra} −{lost}"),
            });
        }
        print_line(&format!("| {name} | {rows} | {} |", cells.join(" | ")));
    }
    missed
}

/// Prints how often the order of the files changes the result of an importer. Returns the missed gate.
fn orders() -> Vec<String> {
    let scenario = SCENARIOS[1].1;
    let mut missed = Vec::new();
    let mut cells = Vec::new();
    for importer in Importer::ALL.into_iter().filter(|importer| *importer != Importer::Id) {
        let depends = ACCOUNTS
            .filter(|seed| {
                let bank = Bank::simulate(*seed, scenario);
                let mut reversed = bank.files.clone();
                reversed.reverse();
                importer.import(&bank.files) != importer.import(&reversed)
            })
            .count();
        if importer == Importer::Rule && depends > 0 {
            missed.push("the order of the files must not change the rows".to_owned());
        }
        cells.push(format!("{} {depends}", importer.name()));
    }
    print_line(&format!(
        "\norder of the files changes the rows, of {} accounts: {}",
        ACCOUNTS.count(),
        cells.join(", ")
    ));
    missed
}

/// Returns the numbers of superfluous and of lost rows.
fn difference(found: &Rows, truth: &[(i64, i64)]) -> (u64, u64) {
    let mut expected = Rows::new();
    truth.iter().for_each(|row| *expected.entry(*row).or_default() += 1);
    let keys: BTreeSet<&(i64, i64)> = found.keys().chain(expected.keys()).collect();
    keys.into_iter().fold((0, 0), |(extra, lost), key| {
        let (found, expected) = (found.get(key).unwrap_or(&0), expected.get(key).unwrap_or(&0));
        (extra + found.saturating_sub(*expected), lost + expected.saturating_sub(*found))
    })
}
