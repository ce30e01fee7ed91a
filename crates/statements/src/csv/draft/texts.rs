//! Guesses the columns of days and texts, and the currency.

use super::super::super::AccountReference;
use super::super::money::currency;
use super::money::Money;
use super::numbers::Numbers;
use super::table::Table;
use super::words::{self, has};
use super::{Alternative, Builder, text};

/// Currencies that a title or a line above the rows may name.
const CURRENCIES: [&str; 20] = [
    "EUR", "USD", "GBP", "CHF", "AUD", "CAD", "NZD", "BRL", "MXN", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF",
    "RON", "JPY", "INR", "ZAR", "TRY",
];
/// Minimum number of digits of an account's number.
const NUMBER_DIGITS_MIN: usize = 4;
/// Number of rows from which a column with one text says nothing about a row.
const CONSTANT_ROWS: usize = 3;

/// Adds the columns of days. Returns the column of the booking day, or the first while it is open.
pub(super) fn add_days(builder: &mut Builder<'_>, table: &Table) -> usize {
    let name = |column: usize| text(&table.name(column));
    let titled = |words: &'static str| -> Vec<usize> {
        table.day_columns.iter().copied().filter(|column| has(table.title(*column), words)).collect()
    };
    let values = titled(words::VALUE_DAY);
    let others: Vec<usize> =
        table.day_columns.iter().copied().filter(|column| !values.contains(column)).collect();
    let strong: Vec<usize> = titled(words::BOOKED_DAY).into_iter().filter(|at| others.contains(at)).collect();
    let is_same =
        |column: &usize| table.rows.iter().all(|row| row.cell(*column) == row.cell(table.day_columns[0]));
    let booked = match (&others[..], &strong[..]) {
        ([only], _) | (_, [only]) => Some(*only),
        _ if table.day_columns.iter().all(is_same) => table.day_columns.first().copied(),
        _ => None,
    };
    let Some(booked) = booked else {
        let options: Vec<Alternative> = table
            .day_columns
            .iter()
            .map(|column| Alternative::new(name(*column), format!("first {}", table.rows[0].cell(*column))))
            .collect();
        let chosen = builder.choose("columns.booked", &options, "several columns have days");
        return table.day_columns[chosen.unwrap_or(0)];
    };
    builder.guess("columns.booked", name(booked), "the booking day");
    for (path, columns) in [("columns.value", &values), ("columns.transaction", &others)] {
        if let Some(column) = columns.iter().find(|column| **column != booked) {
            builder.guess(path, name(*column), "a further day");
        }
    }
    booked
}

/// Adds currency, account, party and description.
pub(super) fn add(builder: &mut Builder<'_>, table: &Table, numbers: &Numbers, money: &Money) {
    let is_used = |column: usize| {
        table.day_columns.contains(&column) || money.columns.contains(&column) || money.flag == Some(column)
    };
    let has_text = |column: usize| table.rows.iter().any(|row| !row.cell(column).is_empty());
    let mut free: Vec<usize> =
        (0..table.width).filter(|column| !is_used(*column) && has_text(*column)).collect();
    add_currency(builder, table, &mut free, money);
    add_number(builder, table, &mut free);
    free.retain(|column| numbers.of(*column).is_none());
    add_accounts(builder, table, &mut free);
    let constant = |column: &usize| table.rows.len() >= CONSTANT_ROWS && table.values(*column, 1).is_some();
    if !free.iter().all(constant) {
        free.retain(|column| !constant(column));
    }
    for (path, words) in [("columns.party", words::PARTY), ("columns.reference", words::REFERENCE)] {
        let titled = free.iter().position(|column| has(table.title(*column), words));
        if let Some(at) = titled.filter(|_| free.len() > 1) {
            builder.guess(path, text(&table.name(free.remove(at))), "by its title");
        }
    }
    add_own_words(builder, table, &mut free);
    if !free.is_empty() {
        let names: Vec<String> = free.iter().map(|column| text(&table.name(*column))).collect();
        builder.guess("columns.text", format!("[{}]", names.join(", ")), "further columns with text");
    }
}

/// Adds the columns of an app in which people make categories, tags or notes. A category without the others is the bank's.
fn add_own_words(builder: &mut Builder<'_>, table: &Table, free: &mut Vec<usize>) {
    let titled = |free: &[usize], words| free.iter().position(|column| has(table.title(*column), words));
    for (path, words) in [("columns.tags", words::TAGS), ("columns.note", words::NOTES)] {
        if let Some(at) = titled(free, words) {
            builder.guess(path, text(&table.name(free.remove(at))), "by its title");
        }
    }
    let has_own = builder.lines.iter().any(|line| matches!(line.path, "columns.tags" | "columns.note"));
    let mut categories: Vec<usize> =
        free.iter().copied().filter(|column| has(table.title(*column), words::CATEGORY)).collect();
    categories.sort_by_key(|column| !has(table.title(*column), words::CATEGORY_GROUP));
    let ([.., category], true) = (&categories[..], has_own) else { return };
    let names: Vec<String> = categories.iter().map(|column| text(&table.name(*column))).collect();
    builder.guess("columns.category", format!("[{}]", names.join(", ")), "by title");
    builder.guess("columns.own_category", text(&table.name(*category)), "by its title, beside tags or notes");
    if let [group, _] = categories[..] {
        builder.guess("columns.own_parent", text(&table.name(group)), "by its title");
    }
    free.retain(|column| !categories.contains(column));
}

/// Adds the column of the currency, or the currency of all rows.
fn add_currency(builder: &mut Builder<'_>, table: &Table, free: &mut Vec<usize>, money: &Money) {
    let is_code = |column: &usize| {
        let known = |cell: &str| CURRENCIES.contains(&cell) || currency(cell).is_some();
        let is_titled = has(table.title(*column), words::CURRENCY);
        table
            .rows
            .iter()
            .all(|row| known(row.cell(*column)) && (is_titled || CURRENCIES.contains(&row.cell(*column))))
    };
    let found: Vec<usize> = free.iter().copied().filter(is_code).collect();
    free.retain(|column| !found.contains(column));
    let own = found.iter().find(|column| !has(table.title(**column), words::OTHER_NUMBER));
    if let Some(column) = own {
        return builder.guess("columns.currency", text(&table.name(*column)), "currency codes in all rows");
    }
    let amounts = money.columns.iter().flat_map(|column| {
        let cells = table.rows.iter().map(|row| row.cell(*column));
        std::iter::once(table.title(*column)).chain(cells)
    });
    let above = table.above.iter().flat_map(|row| row.cells().iter().map(String::as_str));
    let mut named: Vec<&str> = amounts.chain(above).filter_map(named_currency).collect();
    named.sort_unstable();
    named.dedup();
    if let Some(code) = builder.decisions.get("currency") {
        builder.guess("currency", code.clone(), "as decided");
    } else if let [code] = named[..] {
        builder.guess(
            "currency",
            text(code),
            "the only currency that titles, amounts and the lines above name",
        );
    }
}

fn named_currency(cell: &str) -> Option<&'static str> {
    let symbols = [("€", "EUR"), ("£", "GBP"), ("zł", "PLN")];
    let symbol = symbols.iter().find(|(symbol, _)| cell.contains(symbol)).map(|(_, code)| *code);
    let mut words = cell.split(|c: char| !c.is_alphabetic());
    symbol.or_else(|| words.find_map(|word| CURRENCIES.into_iter().find(|code| *code == word)))
}

/// Adds the column of the own account's number: by its title, and the same in all rows.
fn add_number(builder: &mut Builder<'_>, table: &Table, free: &mut Vec<usize>) {
    let is_number = |cell: &str| {
        let digits = cell.bytes().filter(u8::is_ascii_digit).count();
        digits >= NUMBER_DIGITS_MIN && AccountReference::parse_iban(cell).is_none()
    };
    let is_own = |column: &usize| {
        let title = table.title(*column);
        let is_titled = has(title, words::ACCOUNT) && !has(title, words::PARTY);
        let values = table.values(*column, 1).unwrap_or_default();
        is_titled && table.rows.len() >= CONSTANT_ROWS && values.first().is_some_and(|cell| is_number(cell))
    };
    if let Some(at) = free.iter().position(is_own) {
        let column = free.remove(at);
        builder.guess("columns.account", text(&table.name(column)), "one number in all rows, by its title");
    }
}

/// Adds the columns of the own account and of the other party's.
fn add_accounts(builder: &mut Builder<'_>, table: &Table, free: &mut Vec<usize>) {
    let is_iban = |cell: &str| AccountReference::parse_iban(cell).is_some();
    let ibans: Vec<usize> = free
        .iter()
        .copied()
        .filter(|column| {
            let mut cells = table.rows.iter().map(|row| row.cell(*column)).filter(|cell| !cell.is_empty());
            cells.all(is_iban)
        })
        .collect();
    for column in ibans {
        let is_one = table.values(column, 1).is_some() && table.rows.len() >= CONSTANT_ROWS;
        let (path, evidence) = if is_one {
            ("columns.account", "one IBAN in all rows")
        } else {
            ("columns.party_account", "IBANs that differ")
        };
        builder.guess(path, text(&table.name(column)), evidence);
        free.retain(|other| *other != column);
    }
}
