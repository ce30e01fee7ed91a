//! Guesses the columns of the amounts, their sign, and the column of the balance.

use super::numbers::{Cents, Numbers, Relation, relation, relation_of_totals, sum};
use super::table::Table;
use super::words::{self, has};
use super::{Alternative, Builder, text};

/// Maximum number of different flags of a column.
const FLAGS_MAX: usize = 6;

/// The columns of the amounts.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reading {
    Signed(usize),
    /// The column of the amounts out, and that of the amounts in.
    Two(usize, usize),
    /// The column of the amounts, that of the flags, and the flags of outgoing rows.
    Flagged(usize, usize, Vec<String>),
}

impl Reading {
    /// Returns the columns of the amounts.
    pub(super) fn columns(&self) -> Vec<usize> {
        match self {
            Reading::Signed(amount) | Reading::Flagged(amount, ..) => vec![*amount],
            Reading::Two(out, incoming) => vec![*out, *incoming],
        }
    }

    /// Returns the effect of each row on the account. `None` for a row without an amount.
    fn effects(&self, table: &Table, numbers: &Numbers) -> Cents {
        let at = |column: usize, row: usize| numbers.of(column).and_then(|cents| cents[row]);
        let effect = |row: usize| match self {
            Reading::Signed(amount) => at(*amount, row),
            Reading::Flagged(amount, flag, outs) => {
                let is_out = outs.iter().any(|out| out == table.rows[row].cell(*flag));
                at(*amount, row).map(|cents| if is_out { -cents } else { cents })
            }
            Reading::Two(out, incoming) => match (at(*out, row), at(*incoming, row)) {
                (Some(out), None | Some(0)) => Some(-out.abs()),
                (None | Some(0), incoming) => incoming.map(i64::abs),
                _ => None,
            },
        };
        (0..table.rows.len()).map(effect).collect()
    }
}

/// The amounts as far as the draft knows them.
#[derive(Debug)]
pub(super) struct Money {
    pub(super) columns: Vec<usize>,
    pub(super) flag: Option<usize>,
    /// The balance after the newest row.
    pub(super) last: Option<i64>,
    /// The sum of all rows. `None` while the sign is open.
    pub(super) sum: Option<i64>,
}

/// The table with its numbers, and what the file says about them.
#[derive(Debug)]
pub(super) struct Facts<'a> {
    pub(super) table: &'a Table,
    pub(super) numbers: &'a Numbers,
    pub(super) newest_first: Option<bool>,
    /// The closing less the opening balance.
    pub(super) change: Option<i64>,
}

impl Facts<'_> {
    /// Adds the columns of the amounts, their sign and the balance. `None` if no column has amounts.
    pub(super) fn add(&self, builder: &mut Builder<'_>) -> Option<Money> {
        let (reading, by_title) = self.reading(builder)?;
        let (reading, words) = self.with_flag(reading);
        let effects = self.with_fee(builder, &reading, reading.effects(self.table, self.numbers));
        let proof = self.balance(&reading, &effects);
        let proven =
            proof.map(|(_, relation, _)| relation).or_else(|| relation_of_totals(&effects, self.change));
        let (is_negated, is_open) = match &reading {
            Reading::Signed(amount) => self.add_signed(builder, *amount, &effects, words, proven),
            Reading::Two(out, incoming) => {
                self.add_two(builder, (*out, *incoming), &effects, by_title, proven)
            }
            Reading::Flagged(amount, flag, outs) => {
                self.add_flagged(builder, (*amount, *flag, outs), &effects, words, proven)
            }
        };
        let agrees =
            proof.filter(|(_, relation, _)| (*relation == Relation::Opposite) == is_negated && !is_open);
        let named = self.titled(&self.numbers.money_columns(self.table), words::BALANCE);
        let mut last = None;
        if let Some((column, _, checks)) = agrees {
            let evidence = format!("agrees with the amounts in {checks} rows");
            builder.guess("columns.balance", self.name(column), evidence);
            let balances = self.numbers.of(column)?;
            let newest_first = self.is_newest_first(&effects, balances, is_negated);
            last = if newest_first { balances.first() } else { balances.last() }.copied().flatten();
        } else if let ([column], 1) = (&named[..], self.table.rows.len()) {
            builder.guess("columns.balance", self.name(*column), "by its title".to_owned());
        } else if !named.is_empty() {
            builder.note("the column of balances is left out, because it does not prove the amounts");
        }
        let sum = sum(&effects).filter(|_| !is_open).map(|sum| if is_negated { -sum } else { sum });
        let flag = if let Reading::Flagged(_, flag, _) = reading { Some(flag) } else { None };
        Some(Money { columns: reading.columns(), flag, last, sum })
    }

    fn name(&self, column: usize) -> String {
        text(&self.table.name(column))
    }

    fn titled(&self, columns: &[usize], words: &'static str) -> Vec<usize> {
        columns.iter().copied().filter(|column| has(self.table.title(*column), words)).collect()
    }

    /// Returns the columns of the amounts, and true if their titles name them. Adds the choice between several.
    fn reading(&self, builder: &mut Builder<'_>) -> Option<(Reading, bool)> {
        let all = self.numbers.money_columns(self.table);
        let balances = self.titled(&all, words::BALANCE);
        let money: Vec<usize> = all.iter().copied().filter(|column| !balances.contains(column)).collect();
        let (outs, ins) = (self.titled(&money, words::OUT), self.titled(&money, words::IN));
        let only = |columns: &[usize], others: &[usize]| -> Vec<usize> {
            columns.iter().copied().filter(|column| !others.contains(column)).collect()
        };
        let (outs, ins) = (only(&outs, &ins), only(&ins, &outs));
        let amounts = only(&only(&self.titled(&money, words::AMOUNT), &outs), &ins);
        match (&outs[..], &ins[..], &amounts[..], &money[..]) {
            ([out], [incoming], ..) => return Some((Reading::Two(*out, *incoming), true)),
            ([], [], [amount], _) | (.., [amount]) => return Some((Reading::Signed(*amount), true)),
            _ => {}
        }
        let pairs = money.iter().flat_map(|one| money.iter().map(move |other| (*one, *other)));
        let twos = pairs.filter(|(one, other)| one != other && self.exclude_each_other(*one, *other));
        let mut found: Vec<Reading> = twos.map(|(out, incoming)| Reading::Two(out, incoming)).collect();
        if found.is_empty() {
            found = money.iter().map(|column| Reading::Signed(*column)).collect();
        }
        let is_proven = |reading: &Reading| {
            let proof = self.balance(reading, &reading.effects(self.table, self.numbers));
            proof.is_some_and(|(_, relation, checks)| {
                checks > 1 && (relation == Relation::Same || matches!(reading, Reading::Signed(_)))
            })
        };
        if found.iter().any(is_proven) {
            found.retain(is_proven);
        }
        if let [reading] = &found[..] {
            return Some((reading.clone(), false));
        }
        let columns: Vec<usize> = found.iter().map(|reading| reading.columns()[0]).collect();
        let path = if matches!(found.first()?, Reading::Two(..)) { "columns.out" } else { "columns.amount" };
        let options: Vec<Alternative> = columns
            .iter()
            .map(|column| {
                let example =
                    self.table.rows.iter().map(|row| row.cell(*column)).find(|cell| !cell.is_empty());
                Alternative::new(self.name(*column), format!("such as {}", example.unwrap_or_default()))
            })
            .collect();
        let chosen = builder.choose(path, &options, "nothing tells the columns apart");
        Some((found[chosen.unwrap_or(0)].clone(), chosen.is_some()))
    }

    /// Returns true if most rows have an amount in one of two columns, and none in both.
    fn exclude_each_other(&self, one: usize, other: usize) -> bool {
        let (Some(one), Some(other)) = (self.numbers.of(one), self.numbers.of(other)) else { return false };
        let is_set = |cents: &Option<i64>| cents.is_some_and(|cents| cents != 0);
        let (mut either, mut both) = (0, 0);
        for (one, other) in one.iter().zip(other) {
            either += usize::from(is_set(one) != is_set(other));
            both += usize::from(is_set(one) && is_set(other));
        }
        both == 0 && either * 2 > self.table.rows.len() && other.iter().any(is_set) && one.iter().any(is_set)
    }

    /// Returns the column of the balance with its relation to the amounts.
    pub(super) fn balance(
        &self,
        reading: &Reading,
        effects: &[Option<i64>],
    ) -> Option<(usize, Relation, usize)> {
        let all = self.numbers.possible_columns(self.table);
        let titled = self.titled(&all, words::BALANCE);
        let used = reading.columns();
        // Without a title, one agreement may be chance.
        let (others, checks_min) = if titled.is_empty() { (all, 2) } else { (titled, 1) };
        others.into_iter().filter(|column| !used.contains(column)).find_map(|column| {
            let (relation, checks) = relation(effects, self.numbers.of(column)?, self.newest_first)?;
            (checks >= checks_min).then_some((column, relation, checks))
        })
    }

    fn is_newest_first(&self, effects: &[Option<i64>], balances: &[Option<i64>], is_negated: bool) -> bool {
        let wanted = if is_negated { Relation::Opposite } else { Relation::Same };
        let proves = |newest_first| {
            relation(effects, balances, Some(newest_first)).is_some_and(|(relation, _)| relation == wanted)
        };
        self.newest_first.unwrap_or_else(|| proves(true) && !proves(false))
    }

    /// Adds a column of flags to a reading. For signed amounts, returns true if their flags have the opposite sign, and false if
    /// they have the same. For flags, returns whether their words are known.
    fn with_flag(&self, reading: Reading) -> (Reading, Option<bool>) {
        let Reading::Signed(amount) = reading else { return (reading, None) };
        let Some(cents) = self.numbers.of(amount) else { return (reading, None) };
        let is_text =
            |column: &usize| self.numbers.of(*column).is_none() && !self.table.day_columns.contains(column);
        let is_signed = cents.iter().flatten().any(|cents| *cents < 0);
        for flag in (0..self.table.width).filter(is_text) {
            let Some(values) = self.table.values(flag, FLAGS_MAX) else { continue };
            if values.contains(&"") {
                continue;
            }
            let directions: Vec<Option<bool>> =
                values.iter().map(|value| words::is_outgoing(value)).collect();
            if directions.contains(&None) {
                let [one, other] = values[..] else { continue };
                let mut flagged =
                    [one, other].map(|out| Reading::Flagged(amount, flag, vec![out.to_owned()]));
                flagged.sort_by_key(|reading| {
                    let proof = self.balance(reading, &reading.effects(self.table, self.numbers));
                    proof.is_none_or(|(_, relation, _)| relation != Relation::Same)
                });
                let [best, _] = flagged;
                let is_proven = self.balance(&best, &best.effects(self.table, self.numbers)).is_some();
                if !is_signed && (is_proven || has(self.table.title(flag), words::FLAG)) {
                    return (best, Some(false));
                }
                continue;
            }
            let outs: Vec<String> = values
                .iter()
                .zip(&directions)
                .filter(|(_, out)| **out == Some(true))
                .map(|(v, _)| (*v).to_owned())
                .collect();
            if !is_signed {
                return (Reading::Flagged(amount, flag, outs), Some(true));
            }
            let is_out = |row: usize| outs.iter().any(|out| out == self.table.rows[row].cell(flag));
            let rows = || {
                cents
                    .iter()
                    .enumerate()
                    .filter_map(|(row, cents)| Some((row, (*cents)?)))
                    .filter(|(_, c)| *c != 0)
            };
            match (
                rows().all(|(row, c)| (c < 0) == is_out(row)),
                rows().all(|(row, c)| (c > 0) == is_out(row)),
            ) {
                (true, _) => return (reading, Some(false)),
                (_, true) => return (reading, Some(true)),
                _ => {}
            }
        }
        (reading, None)
    }
}
