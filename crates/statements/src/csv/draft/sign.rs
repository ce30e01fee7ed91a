//! Guesses the sign of the amounts: by words, by balances, and because most rows of an account are money out.
//!
//! A balance alone proves nothing about the sign: a card may state what is owed.

use super::money::{Facts, Reading};
use super::numbers::{Cents, Relation};
use super::words::{self, has};
use super::{Alternative, Builder, text};

/// Values of a flag that a file with the other direction has.
const USUAL_FLAGS: [&[&str]; 2] =
    [&["D", "DR", "Debit", "S", "Soll", "Af", "-"], &["C", "CR", "Credit", "H", "Haben", "Bij", "+"]];

/// True if positive amounts are money out, and true if that is open.
type Sign = (bool, bool);

impl Facts<'_> {
    /// Adds the column of signed amounts. `flags` is true if flags contradict the sign, and false if they confirm it.
    pub(super) fn add_signed(
        &self,
        builder: &mut Builder<'_>,
        amount: usize,
        effects: &[Option<i64>],
        flags: Option<bool>,
        proven: Option<Relation>,
    ) -> Sign {
        let column = text(&self.table.name(amount));
        builder.guess("columns.amount", column, "the column of amounts");
        let (negative, positive) = counts(effects);
        let is_negated = match (flags, proven) {
            (Some(is_negated), _) => Some((is_negated, "its flags say so".to_owned())),
            (None, None | Some(Relation::Same)) if negative > positive => {
                Some((false, format!("{negative} of {} amounts are negative", effects.len())))
            }
            (None, Some(Relation::Opposite)) if positive > negative => {
                Some((true, "each positive amount lowers the balance".to_owned()))
            }
            _ => None,
        };
        if let Some((is_negated, evidence)) = is_negated.filter(|_| !builder.is_open("columns.amount")) {
            builder.guess("amount.negate", is_negated.to_string(), evidence);
            return (is_negated, false);
        }
        let options = [
            Alternative::new("false".to_owned(), "positive amounts are money in".to_owned()),
            Alternative::new("true".to_owned(), "positive amounts are money out".to_owned()),
        ];
        let evidence = format!("{positive} of {} amounts are positive", effects.len());
        match builder.choose("amount.negate", &options, &evidence) {
            Some(chosen) => (chosen == 1, false),
            None => (false, true),
        }
    }

    /// Adds two columns of amounts.
    pub(super) fn add_two(
        &self,
        builder: &mut Builder<'_>,
        (out, incoming): (usize, usize),
        effects: &[Option<i64>],
        by_title: bool,
        proven: Option<Relation>,
    ) -> Sign {
        let names = [out, incoming].map(|column| text(&self.table.name(column)));
        let (negative, positive) = counts(effects);
        let is_certain = match proven {
            Some(Relation::Opposite) => false,
            Some(Relation::Same) => by_title || negative > positive,
            None => by_title,
        };
        let (mut columns, mut is_open) = ((out, incoming), builder.is_open("columns.out"));
        if is_certain || is_open {
            let evidence = if proven.is_some() { "agrees with the balances" } else { "by its title" };
            builder.guess("columns.out", names[0].clone(), evidence);
        } else {
            let meaning = |rows: usize| format!("{rows} of {} rows have an amount there", effects.len());
            let options = [
                Alternative::new(names[0].clone(), meaning(negative)),
                Alternative::new(names[1].clone(), meaning(positive)),
            ];
            let chosen =
                builder.choose("columns.out", &options, "titles and balances leave open which is money out");
            is_open = chosen.is_none();
            columns = if chosen == Some(1) { (incoming, out) } else { columns };
        }
        if is_open {
            let options = [names[1].clone(), names[0].clone()];
            let options = options.map(|name| Alternative::new(name, "the other column".to_owned()));
            builder.choose("columns.in", &options, "the other column");
        } else {
            builder.guess("columns.in", text(&self.table.name(columns.1)), "the other column".to_owned());
        }
        for (column, key) in [(columns.0, "amount.out_signed"), (columns.1, "amount.in_signed")] {
            let cents = self.numbers.of(column).into_iter().flatten().flatten();
            if cents.into_iter().any(|cents| *cents < 0) {
                builder.guess(key, "true".to_owned(), "its amounts have a minus sign");
            }
        }
        (columns != (out, incoming), is_open)
    }

    /// Adds a column of amounts and one of flags. `words` is true if the words of the flags are known.
    pub(super) fn add_flagged(
        &self,
        builder: &mut Builder<'_>,
        (amount, flag, outs): (usize, usize, &[String]),
        effects: &[Option<i64>],
        words: Option<bool>,
        proven: Option<Relation>,
    ) -> Sign {
        builder.guess("columns.amount", text(&self.table.name(amount)), "the column of amounts");
        builder.guess(
            "columns.flag",
            text(&self.table.name(flag)),
            "names the direction of each row".to_owned(),
        );
        let values = self.table.values(flag, usize::MAX).unwrap_or_default();
        let others: Vec<&str> =
            values.into_iter().filter(|value| !outs.iter().any(|out| out == value)).collect();
        let outs: Vec<&str> = outs.iter().map(String::as_str).collect();
        let (negative, positive) = counts(effects);
        let is_certain = match (words, proven) {
            (Some(true), None | Some(Relation::Same)) => true,
            (_, Some(Relation::Same)) => negative > positive,
            _ => false,
        };
        let mut is_swapped = false;
        if !is_certain {
            let options = [&outs, &others].map(|values| {
                let rows = if values == &outs { negative } else { positive };
                Alternative::new(list(values), format!("{rows} of {} rows", effects.len()))
            });
            match builder.choose("amount.out_values", &options, "the flags of money out") {
                Some(chosen) => is_swapped = chosen == 1,
                None => return (false, true),
            }
        }
        let (outs, ins) = if is_swapped { (others, outs) } else { (outs, others) };
        let (outs, ins) = (or_usual(outs, 0), or_usual(ins, 1));
        builder.guess("amount.out_values", list(&outs), "flags of money out");
        builder.guess("amount.in_values", list(&ins), "flags of money in".to_owned());
        (is_swapped, false)
    }
}

impl Facts<'_> {
    /// Adds a column of fees that are charged apart from the amounts. Returns the effects with the fees.
    pub(super) fn with_fee(&self, builder: &mut Builder<'_>, reading: &Reading, effects: Cents) -> Cents {
        let is_fee = |column: &usize| has(self.table.title(*column), words::FEE);
        let fees = |column: usize| self.numbers.of(column).map(|cents| (column, cents));
        let found = (0..self.table.width).filter(is_fee).find_map(fees);
        let Some((column, fees)) = found.filter(|(_, fees)| fees.iter().flatten().any(|cents| *cents != 0))
        else {
            return effects;
        };
        let add = |(effect, fee): (&Option<i64>, &Option<i64>)| effect.map(|cents| cents - fee.unwrap_or(0));
        let with_fees: Cents = effects.iter().zip(fees).map(add).collect();
        let name = text(&self.table.name(column));
        match (self.balance(reading, &effects), self.balance(reading, &with_fees)) {
            (Some(_), _) => effects,
            (None, Some(_)) => {
                builder.guess("columns.fee", name, "amounts and fees agree with the balances");
                with_fees
            }
            (None, None) => {
                let options = [
                    Alternative::new(name, "fees are charged in addition to the amounts".to_owned()),
                    Alternative::new("[]".to_owned(), "the amounts contain the fees".to_owned()),
                ];
                let chosen = builder.choose("columns.fee", &options, "no balance shows it");
                if chosen == Some(0) { with_fees } else { effects }
            }
        }
    }
}

fn or_usual(values: Vec<&str>, side: usize) -> Vec<&str> {
    if values.is_empty() { USUAL_FLAGS[side].to_vec() } else { values }
}

fn counts(effects: &[Option<i64>]) -> (usize, usize) {
    let count = |is: fn(i64) -> bool| effects.iter().flatten().filter(|cents| is(**cents)).count();
    (count(|cents| cents < 0), count(|cents| cents > 0))
}

/// Returns texts as a list in TOML.
fn list(values: &[&str]) -> String {
    format!("[{}]", values.iter().map(|value| text(value)).collect::<Vec<_>>().join(", "))
}
