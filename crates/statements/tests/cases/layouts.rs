//! Drafts of profiles for 40 unknown CSV files. A grammar generates each file and its truth; the test answers open choices from
//! the truth.

use std::fmt::Write as _;

use jiff::civil::{Date, date};
use passbook_statements::csv::{Decisions, DraftOptions, Line, draft};
use passbook_statements::{ReadOptions, read};

/// Number of layouts.
const LAYOUTS: u64 = 40;
/// Minimum number of layouts that are read right after few choices.
const RIGHT_MIN: usize = 36;
/// Maximum number of choices of a right layout.
const CHOICES_MAX: usize = 2;
const TODAY: Date = date(2026, 11, 27);
const IBAN: &str = "DE89370400440532013000";

/// Titles of a language: day, value day, text, amount, out, in, flag and balance; the flags out and in; and the labels of
/// account, opening balance, closing balance, balance and total.
const LANGUAGES: [&str; 7] = [
    "Date|Value date|Description|Amount|Money out|Money in|Debit/Credit|Balance|DR|CR|Account|Opening balance|Closing balance|Balance|Total",
    "Buchungstag|Wertstellung|Verwendungszweck|Betrag|Soll|Haben|Kennzeichen|Saldo|S|H|Konto|Alter Kontostand|Neuer Kontostand|Kontostand|Summe",
    "Date opération|Date valeur|Libellé|Montant|Débit|Crédit|Sens|Solde|Débit|Crédit|Compte|Solde initial|Solde final|Solde|Totaux",
    "Fecha operación|Fecha valor|Concepto|Importe|Cargo|Abono|Signo|Saldo|Debe|Haber|Cuenta|Saldo inicial|Saldo final|Saldo|Suma",
    "Data mov.|Data valor|Descrição|Valor|Débito|Crédito|Tipo|Saldo|D|C|Conta|Saldo inicial|Saldo final|Saldo|Soma",
    "Data contabile|Data valuta|Descrizione|Importo|Uscite|Entrate|Segno|Saldo|-|+|Conto|Saldo iniziale|Saldo finale|Saldo|Totale",
    "Boekdatum|Rentedatum|Omschrijving|Bedrag|Uitgaven|Inkomsten|Af Bij|Saldo|Af|Bij|Rekening|Beginsaldo|Eindsaldo|Saldo|Totaal",
];
const DATES: [&str; 11] = [
    "%d.%m.%Y",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%Y-%m-%d",
    "%d-%m-%Y",
    "%d.%m.%y",
    "%Y%m%d",
    "%d %b %Y",
    "%Y/%m/%d",
    "%m/%d/%y",
    "%d/%m/%Y 10:30",
];
const TEXTS: [&str; 6] =
    ["Rent", "Shop 24, Berlin", "Café; Bar", "Müller \"Bio\"", "Salary 10/2026", "ATM 1234"];

/// A generator of numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn pick(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }
}

#[derive(Clone)]
struct Row {
    day: Date,
    cents: i64,
    balance: i64,
    text: &'static str,
}

/// The form of a file.
struct Layout {
    words: Vec<&'static str>,
    delimiter: char,
    quotes_all: bool,
    has_header: bool,
    dates: &'static str,
    decimal: char,
    group: Option<char>,
    /// Signed, signed behind, in parentheses, reversed, two columns, two signed columns, or flags.
    money: u64,
    preamble: u64,
    footer: u64,
    has_balance: bool,
    has_value_day: bool,
    /// Amounts without decimals.
    is_whole: bool,
    /// A row without day and amount below each third row.
    has_parts: bool,
    is_latin1: bool,
    has_currency: bool,
    newest_first: bool,
    amount_first: bool,
    rows: Vec<Row>,
}

impl Layout {
    fn of(seed: u64) -> Layout {
        let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        numbers.pick(2);
        let pick = &mut |count| numbers.pick(count);
        let language = pick(7);
        let decimal = if pick(2) == 0 { '.' } else { ',' };
        let group = match pick(4) {
            0 => None,
            1 => Some('\''),
            2 => Some(' '),
            _ => Some(if decimal == '.' { ',' } else { '.' }),
        };
        let (count, is_ambiguous) = (6 + pick(15), pick(3) == 0);
        let (is_whole, is_savings) = (pick(8) == 0, pick(8) == 0);
        let (balance, mut rows) = (i64::try_from(pick(900_000)).expect("small"), Vec::new());
        for number in 0..count {
            let day = if is_ambiguous { 1 + number % 12 } else { 1 + number * 26 / count };
            let month = if number < 12 { 10 } else { 11 };
            let cents_max = if pick(4) == 0 { 300_000 } else { 9_000 };
            let cents = i64::try_from(1 + pick(cents_max)).expect("small");
            let cents = if is_whole { cents * 100 } else { cents };
            let cents = if is_savings { -cents } else { cents };
            let cents = if number % 3 == 2 && pick(2) == 0 || number == 1 { cents } else { -cents };
            let day = date(2026, month, i8::try_from(day).expect("small"));
            rows.push(Row { day, cents, balance: 0, text: TEXTS[usize::try_from(pick(6)).expect("small")] });
        }
        rows.sort_by_key(|row| row.day);
        let mut balance = if is_whole { balance / 100 * 100 } else { balance };
        for row in &mut rows {
            balance += row.cents;
            row.balance = balance;
        }
        Layout {
            words: LANGUAGES[usize::try_from(language).expect("small")].split('|').collect(),
            delimiter: [',', ';', '\t', '|'][usize::try_from(pick(4)).expect("small")],
            quotes_all: pick(2) == 0,
            has_header: pick(5) > 0,
            dates: DATES[usize::try_from(pick(11)).expect("small")],
            decimal,
            group,
            money: match pick(8) {
                3 if is_savings => 0,
                money => money,
            },
            is_whole,
            has_parts: pick(6) == 0,
            is_latin1: pick(3) == 0,
            has_currency: pick(3) == 0,
            preamble: pick(6),
            footer: pick(5),
            has_balance: pick(2) == 0,
            has_value_day: pick(3) == 0,
            newest_first: pick(2) == 0,
            amount_first: pick(2) == 0,
            rows,
        }
    }

    fn opening(&self) -> i64 {
        self.rows[0].balance - self.rows[0].cents
    }

    fn closing(&self) -> i64 {
        self.rows[self.rows.len() - 1].balance
    }

    fn amount(&self, cents: i64) -> String {
        let digits = (cents.abs() / 100).to_string();
        let mut whole = String::new();
        for (at, digit) in digits.char_indices() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                whole.extend(self.group);
            }
            whole.push(digit);
        }
        let amount =
            if self.is_whole { whole } else { format!("{whole}{}{:02}", self.decimal, cents.abs() % 100) };
        match (cents < 0, self.money) {
            (false, _) => amount,
            (true, 1) => format!("{amount}-"),
            (true, 2) => format!("({amount})"),
            (true, _) => format!("-{amount}"),
        }
    }

    /// The cells of the amount of a row, or their titles.
    fn money(&self, row: Option<&Row>) -> Vec<String> {
        let word = |at: usize| self.words[at].to_owned();
        let Some(row) = row else {
            return match self.money {
                0..=3 => vec![word(3)],
                4 | 5 => vec![word(4), word(5)],
                _ => vec![word(3), word(6)],
            };
        };
        let (size, is_out) = (self.amount(row.cents.abs()), row.cents < 0);
        match (self.money, is_out) {
            (0..=2, _) => vec![self.amount(row.cents)],
            (3, _) => vec![self.amount(-row.cents)],
            (4, true) => vec![size, String::new()],
            (5, true) => vec![self.amount(row.cents), String::new()],
            (4 | 5, false) => vec![String::new(), size],
            (_, _) => vec![size, word(if is_out { 8 } else { 9 })],
        }
    }

    /// The cells of a row, or the titles.
    fn cells(&self, row: Option<&Row>) -> Vec<String> {
        let day = |row: &Row| row.day.strftime(self.dates).to_string();
        let title = |at: usize| self.words[at].to_owned();
        let mut cells = vec![row.map_or_else(|| title(0), day)];
        if self.has_value_day {
            let tomorrow = |row: &Row| Row { day: row.day.tomorrow().expect("a day"), ..row.clone() };
            cells.push(row.map_or_else(|| title(1), |row| day(&tomorrow(row))));
        }
        let text = row.map_or_else(|| title(2), |row| row.text.to_owned());
        if self.amount_first {
            cells.extend(self.money(row));
            cells.push(text);
        } else {
            cells.push(text);
            cells.extend(self.money(row));
        }
        if self.has_balance {
            cells.push(row.map_or_else(|| title(7), |row| self.amount(row.balance)));
        }
        if self.has_currency {
            cells.push(row.map_or("Currency", |_| "EUR").to_owned());
        }
        cells
    }

    fn line(&self, cells: &[String]) -> String {
        let quoted = |cell: &String| {
            if self.quotes_all || cell.contains([self.delimiter, '"']) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell.clone()
            }
        };
        let cells: Vec<String> = cells.iter().map(quoted).collect();
        cells.join(&self.delimiter.to_string()) + "\n"
    }

    fn file(&self) -> Vec<u8> {
        let (label, width) = (|at: usize| self.words[at].to_owned(), self.cells(None).len());
        let balance = |at: usize, cents: i64| vec![label(at), self.amount(cents)];
        let mut lines: Vec<Vec<String>> = match self.preamble {
            0 | 1 => Vec::new(),
            2 => vec![vec!["Export".to_owned()], vec![format!("{}:", label(10)), IBAN.to_owned()]],
            3 => vec![vec![label(10), "Name".to_owned()], vec![IBAN.to_owned(), "A. Person".to_owned()]],
            4 => (0..10)
                .map(|at| vec![format!("Line {at}"), String::new(), String::new(), String::new()])
                .collect(),
            _ => vec![balance(11, self.opening()), vec!["IBAN".to_owned(), String::new(), IBAN.to_owned()]],
        };
        if self.has_header {
            lines.push(self.cells(None));
        }
        let mut rows: Vec<Vec<String>> = self.rows.iter().map(|row| self.cells(Some(row))).collect();
        if self.newest_first {
            rows.reverse();
        }
        if self.has_parts {
            let part = (0..width).map(|at| if at == self.text_column() { "part" } else { "" }.to_owned());
            rows = rows.chunks(3).flat_map(|rows| [rows, &[part.clone().collect()]].concat()).collect();
        }
        lines.extend(rows);
        let total = |label: String| {
            let mut cells = vec![String::new(); width];
            cells[0] = label;
            cells[width - 1] = self.amount(self.rows.iter().map(|row| row.cents).sum());
            cells
        };
        lines.extend(match self.footer {
            0 => vec![],
            1 => vec![total(label(14))],
            2 => vec![balance(12, self.closing())],
            3 => vec![total(label(14)), balance(13, self.closing())],
            _ => vec![],
        });
        let text: String = lines.iter().map(|cells| self.line(cells)).collect();
        let latin1: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
        latin1.filter(|_| self.is_latin1).unwrap_or_else(|| text.into_bytes())
    }

    fn text_column(&self) -> usize {
        self.cells(None).iter().position(|title| title == self.words[2]).expect("a title")
    }

    /// The value of an open choice that is true.
    fn decide(&self, line: &Line) -> String {
        let titles = self.cells(None);
        let column = |at: usize| {
            let name = titles.iter().position(|title| title == self.words[at]).map(|position| {
                if self.has_header { self.words[at].to_owned() } else { format!("#{}", position + 1) }
            });
            format!("{:?}", name.unwrap_or_default())
        };
        match line.path {
            "date_order" => {
                let order = match &self.dates.replace('%', "").to_lowercase()[..3] {
                    "d.m" | "d/m" | "d-m" => "dmy",
                    "m/d" => "mdy",
                    _ => "ymd",
                };
                format!("{order:?}")
            }
            "decimal" => format!("{:?}", self.decimal.to_string()),
            "columns.booked" => column(0),
            "columns.amount" => column(3),
            "columns.out" => column(4),
            "columns.in" => column(5),
            "amount.negate" => (self.money == 3).to_string(),
            "amount.out_values" => format!("[{:?}]", self.words[8]),
            "footer.balance" | "preamble.balance" => {
                let is_opening = line.alternatives[0].value.contains(self.words[11]);
                line.alternatives[usize::from(is_opening)].value.clone()
            }
            path => panic!("{path}"),
        }
    }

    /// Returns the choices, and `Ok` if all rows are right, or what happens instead.
    fn outcome(&self) -> (Vec<&'static str>, Result<(), String>) {
        let (file, mut decisions, mut choices) = (self.file(), Decisions::new(), Vec::new());
        loop {
            let options = DraftOptions { bank: "Bank", today: TODAY, encoding: None, decisions: &decisions };
            let draft = match draft(&file, &options) {
                Ok(draft) => draft,
                Err(fault) => return (choices, Err(format!("refused: {fault}"))),
            };
            let Some(line) = draft.open().next() else {
                let profile = draft.profile().unwrap_or_else(|fault| panic!("{fault}\n{}", draft.to_toml()));
                let read = read(&file, &ReadOptions { profile: Some(profile), ..ReadOptions::default() });
                let statements = match read {
                    Ok(statements) => statements,
                    Err(unreadable) => return (choices, Err(format!("refused: {unreadable:?}"))),
                };
                let mut expected = self.rows.clone();
                if self.newest_first {
                    expected.reverse();
                }
                let mut wrong = String::new();
                let entries: Vec<_> = statements.iter().flat_map(|statement| &statement.entries).collect();
                for (entry, row) in entries.iter().zip(&expected) {
                    let balance = self.has_balance.then_some(row.balance);
                    let is_right = (entry.booked, entry.cents, entry.balance_after)
                        == (row.day, row.cents, balance)
                        && entry.text.contains(row.text);
                    if !is_right {
                        wrong = format!(
                            "WRONG: line {} {} {} {:?}",
                            entry.line, entry.booked, entry.cents, entry.balance_after
                        );
                    }
                }
                if entries.len() != expected.len() {
                    wrong = format!("WRONG: {} of {} rows", entries.len(), expected.len());
                }
                let iban = statements.first().and_then(|statement| statement.account.iban.as_deref());
                if (iban == Some(IBAN)) != matches!(self.preamble, 2 | 3 | 5) {
                    wrong = format!("WRONG: account {iban:?}");
                }
                let balances = statements.iter().flat_map(|statement| &statement.balances);
                if let Some(balance) = balances.into_iter().find(|balance| balance.cents != self.closing()) {
                    wrong = format!("WRONG: balance {}", balance.cents);
                }
                return (choices, if wrong.is_empty() { Ok(()) } else { Err(wrong) });
            };
            let value = self.decide(line);
            assert!(line.alternatives.iter().any(|one| one.value == value), "{value} {line:?}");
            choices.push(line.path);
            decisions.insert(line.path.to_owned(), value);
        }
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "a person reads the table with --nocapture")]
fn unknown_layouts_are_drafted_with_few_choices_and_none_silently_wrong() {
    let (mut table, mut right, mut wrong) = (String::new(), 0, 0);
    for seed in 1..=LAYOUTS {
        let layout = Layout::of(seed);
        let (choices, outcome) = layout.outcome();
        let is_right = outcome.is_ok() && choices.len() <= CHOICES_MAX;
        right += usize::from(is_right);
        wrong += usize::from(outcome.as_ref().is_err_and(|outcome| outcome.starts_with("WRONG")));
        let Layout { words, delimiter, dates, decimal, money, preamble, footer, .. } = &layout;
        let outcome = outcome.err().unwrap_or_else(|| "right".to_owned());
        let marks = [
            (layout.has_header, "header"),
            (layout.has_balance, "balance"),
            (layout.newest_first, "newest first"),
        ];
        let marks: Vec<&str> = marks.iter().filter(|(is, _)| *is).map(|(_, mark)| *mark).collect();
        writeln!(
            table,
            "{seed:2} {:16} {delimiter:?} {dates} {decimal} money {money} preamble {preamble} footer {footer} {}: {outcome} {choices:?}",
            words[0],
            marks.join(", "),
        )
        .expect("memory does not fail");
    }
    println!("{table}{right} of {LAYOUTS} right, {wrong} silently wrong");
    assert_eq!(wrong, 0, "{table}");
    assert!(right >= RIGHT_MIN, "{table}");
}
