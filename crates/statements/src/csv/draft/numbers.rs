//! Reads the columns of numbers of a file, and compares amounts with balances.

use super::super::super::amount::{NumberStyle, displayed_cents};
use super::table::Table;
use super::words::{self, has};

/// The styles that are tried.
pub(super) const STYLES: [NumberStyle; 6] = [
    NumberStyle { decimal: '.', group: Some(',') },
    NumberStyle { decimal: ',', group: Some('.') },
    NumberStyle { decimal: '.', group: Some('\'') },
    NumberStyle { decimal: ',', group: Some('\'') },
    NumberStyle { decimal: '.', group: Some(' ') },
    NumberStyle { decimal: ',', group: Some(' ') },
];

/// The numbers of a column: hundredths, or `None` for an empty cell.
pub(super) type Cents = Vec<Option<i64>>;

/// The columns of numbers.
#[derive(Debug)]
pub(super) struct Numbers {
    pub(super) style: NumberStyle,
    /// A style that gives other amounts, and fits as well.
    pub(super) other: Option<NumberStyle>,
    /// The numbers of each column. `None` for other columns.
    columns: Vec<Option<Cents>>,
}

impl Numbers {
    /// Reads the columns in the style that most of them fit.
    pub(super) fn read(table: &Table, decimal: Option<char>) -> Numbers {
        let is_number = |column: &usize| STYLES.iter().any(|style| cents(table, *column, *style).is_some());
        let mut columns: Vec<usize> = (0..table.width).filter(|at| !table.day_columns.contains(at)).collect();
        columns.retain(is_number);
        let titled: Vec<usize> = columns.iter().copied().filter(|at| is_money(table.title(*at))).collect();
        let decisive = if titled.is_empty() { &columns } else { &titled };
        let read = |style: &NumberStyle| -> Vec<Option<Cents>> {
            decisive.iter().map(|column| cents(table, *column, *style)).collect()
        };
        let fitting = |style: &NumberStyle| read(style).iter().flatten().count();
        let most = STYLES.iter().map(fitting).max().unwrap_or_default();
        let wanted = |style: &&NumberStyle| decimal.is_none_or(|decimal| style.decimal == decimal);
        let styles: Vec<NumberStyle> =
            STYLES.iter().filter(wanted).filter(|style| fitting(style) == most).copied().collect();
        let style = styles.first().copied().unwrap_or(STYLES[0]);
        let other = styles.iter().copied().find(|other| read(other) != read(&style));
        let all = |column| columns.contains(&column).then(|| cents(table, column, style)).flatten();
        Numbers { style, other, columns: (0..table.width).map(all).collect() }
    }

    /// Returns the numbers of a column.
    pub(super) fn of(&self, column: usize) -> Option<&Cents> {
        self.columns.get(column)?.as_ref()
    }

    /// Returns the columns that may be amounts or balances: those with such a title, otherwise those with decimals.
    pub(super) fn money_columns(&self, table: &Table) -> Vec<usize> {
        let found = self.possible_columns(table);
        let titled: Vec<usize> =
            found.iter().copied().filter(|column| is_money(table.title(*column))).collect();
        if titled.is_empty() { found } else { titled }
    }

    /// Returns the columns of numbers without the title of another number. If some have decimals, the others are left out.
    pub(super) fn possible_columns(&self, table: &Table) -> Vec<usize> {
        let mut found: Vec<usize> = (0..table.width).filter(|column| self.of(*column).is_some()).collect();
        found.retain(|column| !has(table.title(*column), words::OTHER_NUMBER));
        let has_decimals =
            |column: &usize| table.rows.iter().any(|row| row.cell(*column).contains(self.style.decimal));
        if found.iter().any(has_decimals) {
            found.retain(|column| has_decimals(column) || is_money(table.title(*column)));
        }
        found
    }
}

fn is_money(title: &str) -> bool {
    let words = [words::AMOUNT, words::OUT, words::IN, words::BALANCE];
    words.iter().any(|words| has(title, words)) && !has(title, words::OTHER_NUMBER)
}

fn cents(table: &Table, column: usize, style: NumberStyle) -> Option<Cents> {
    let number = |cell: &str| {
        if cell.is_empty() { Some(None) } else { displayed_cents(cell, style).ok().map(Some) }
    };
    let numbers: Option<Cents> = table.rows.iter().map(|row| number(row.cell(column))).collect();
    numbers.filter(|numbers| numbers.iter().any(Option::is_some))
}

/// The relation of the amounts to the balances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// A positive amount raises the balance.
    Same,
    /// A positive amount lowers the balance.
    Opposite,
}

/// Returns the relation that all balances prove, with the number of comparisons. `None` if amounts and balances disagree, or
/// if both relations fit.
pub(super) fn relation(
    effects: &[Option<i64>],
    balances: &[Option<i64>],
    newest_first: Option<bool>,
) -> Option<(Relation, usize)> {
    let mut found = None;
    for (relation, sign) in [(Relation::Same, 1), (Relation::Opposite, -1)] {
        for reversed in [false, true] {
            if newest_first.is_some_and(|newest_first| newest_first != reversed) {
                continue;
            }
            let rows = effects.iter().copied().zip(balances.iter().copied());
            let checks = if reversed { checks(rows.rev(), sign) } else { checks(rows, sign) };
            match (checks.filter(|checks| *checks > 0), found) {
                (None, _) => {}
                (Some(_), Some((known, _))) if known != relation => return None,
                (Some(checks), _) => found = Some((relation, checks)),
            }
        }
    }
    found
}

/// Returns the number of balances that follow from the balance before, or `None` if one does not.
fn checks(rows: impl Iterator<Item = (Option<i64>, Option<i64>)>, sign: i64) -> Option<usize> {
    let (mut last, mut sum, mut checks) = (None, 0_i64, 0);
    for (effect, balance) in rows {
        sum = sum.checked_add(effect.unwrap_or(0))?;
        let Some(balance) = balance else { continue };
        if let Some(last) = last {
            if balance != sign.checked_mul(sum)?.checked_add(last)? {
                return None;
            }
            checks += 1;
        }
        (last, sum) = (Some(balance), 0);
    }
    Some(checks)
}

/// Returns the relation of all amounts to the difference between closing and opening balance.
pub(super) fn relation_of_totals(effects: &[Option<i64>], change: Option<i64>) -> Option<Relation> {
    let (change, sum) = (change?, sum(effects)?);
    match (change == sum, change == -sum) {
        (true, false) => Some(Relation::Same),
        (false, true) => Some(Relation::Opposite),
        _ => None,
    }
}

/// Returns the sum of all amounts, or `None` beyond the range of amounts.
pub(super) fn sum(effects: &[Option<i64>]) -> Option<i64> {
    effects.iter().flatten().try_fold(0_i64, |sum, cents| sum.checked_add(*cents))
}
