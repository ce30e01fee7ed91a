//! Reads Open Financial Exchange: 1.x (SGML) and 2.x (XML), and QFX.
//!
//! The end tags of SGML leaf elements are optional, and some banks omit the end tags that are required. The reader
//! therefore scans tags itself ([`scanner`]) instead of using a parser for either syntax. Elements that it does not
//! know have no effect.
//!
//! The booking day is the first eight digits of `DTPOSTED` as written. A time zone behind them does not move it: the
//! bank's own statement shows the written day.

mod scanner;
mod transaction;

use super::collector::Collector;
use super::text::Lines;
use super::{
    AccountKind, AccountReference, Balance, BalanceKind, Format, Statement, StatementKind, Unreadable,
    amount, day, text as texts,
};
use amount::NumberStyle;
use passbook_domain::Currency;
use passbook_input::Fault;
use scanner::{Scanner, Token};
use transaction::OfxTransaction;

/// Reads an OFX file.
pub(super) fn read(text: &str, collector: Collector<'_>) -> Result<Vec<Statement>, Unreadable> {
    let start = scanner::find_ignoring_case(text, "<ofx").unwrap_or(0);
    if let Some(at) = scanner::find_ignoring_case(text, "<!doctype")
        .or_else(|| scanner::find_ignoring_case(text, "<!entity"))
    {
        let line = texts::line_of(text, at);
        return Err(Fault::new(format!("line {line}"), "must not declare a document type or entities").into());
    }
    if !is_complete(&text[start..]) {
        return Err(Fault::new("file", "must end with </OFX>: the file is truncated").into());
    }
    let mut reader = OfxReader {
        collector,
        lines: Lines::of(text),
        text,
        organisation: None,
        statement: None,
        transaction: None,
        path: Vec::new(),
    };
    for token in Scanner::new(text, start) {
        reader.token(token);
    }
    reader.end_transaction(text.len());
    let visible = scanner::count_ignoring_case(&text[start..], "<stmttrn>")
        + scanner::count_ignoring_case(&text[start..], "<stmttrnp>");
    let mut statements = reader.collector.finish(visible, "STMTTRN")?;
    keep_complete_balances(&mut statements);
    Ok(statements)
}

/// Returns true if the text ends with the element `OFX`. A bank that writes no end tags at all ends the transactions with
/// a balance.
fn is_complete(text: &str) -> bool {
    if text.contains("</") {
        return scanner::find_ignoring_case(text, "</ofx>").is_some();
    }
    let last = text.rfind("<STMTTRN>").unwrap_or(0);
    text[last..].contains("<LEDGERBAL>")
}

struct OfxReader<'c, 'a> {
    collector: Collector<'c>,
    lines: Lines<'a>,
    text: &'a str,
    /// The bank that the file names.
    organisation: Option<String>,
    /// Index of the statement that is being read.
    statement: Option<usize>,
    /// The transaction that is being read.
    transaction: Option<OfxTransaction<'a>>,
    /// Open elements that give a meaning to leaf elements: `LEDGERBAL`, `ORIGCURRENCY` …
    path: Vec<String>,
}

/// Elements that give a meaning to the leaf elements in them.
const CONTEXTS: [&str; 11] = [
    "BANKACCTFROM",
    "CCACCTFROM",
    "INVACCTFROM",
    "BANKACCTTO",
    "CCACCTTO",
    "PAYEE",
    "CURRENCY",
    "ORIGCURRENCY",
    "LEDGERBAL",
    "AVAILBAL",
    "BANKTRANLIST",
];

impl<'a> OfxReader<'_, 'a> {
    fn token(&mut self, token: Token<'a>) {
        match token {
            Token::Open { name, at } => self.open(&name, at),
            Token::Leaf { name, value } => self.leaf(&name, value),
            Token::Close { name, end } => self.close(&name, end),
        }
    }

    fn open(&mut self, name: &str, at: usize) {
        match name {
            "STMTRS" | "CCSTMTRS" | "INVSTMTRS" => {
                self.end_transaction(at);
                let kind = match name {
                    "CCSTMTRS" => Some(AccountKind::Card),
                    "INVSTMTRS" => Some(AccountKind::Investment),
                    _ => None,
                };
                let bank_name = self.organisation.clone();
                let account = AccountReference { kind, bank_name, ..AccountReference::default() };
                let statement = Statement::new(Format::Ofx, StatementKind::Window, account);
                self.statement = Some(self.collector.open(statement));
                self.path.clear();
            }
            "STMTTRN" | "STMTTRNP" => {
                self.end_transaction(at);
                let line = self.lines.line(at);
                self.transaction = Some(OfxTransaction::new(line, at, name == "STMTTRNP"));
            }
            "BANKTRANLISTP" => {
                if let Some(index) = self.statement {
                    self.collector.statement(index).lists_pending = true;
                }
            }
            context if CONTEXTS.contains(&context) => {
                if matches!(context, "LEDGERBAL" | "AVAILBAL") {
                    self.end_transaction(at);
                }
                self.path.push(context.to_owned());
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str, end: usize) {
        match name {
            "STMTTRN" | "STMTTRNP" => self.end_transaction(end),
            "STMTRS" | "CCSTMTRS" | "INVSTMTRS" => {
                self.end_transaction(end);
                self.statement = None;
            }
            _ => {
                if let Some(at) = self.path.iter().rposition(|open| open == name) {
                    self.path.truncate(at);
                }
            }
        }
    }

    fn leaf(&mut self, name: &str, value: &'a str) {
        let context = self.path.last().map(String::as_str);
        if let Some(transaction) = &mut self.transaction {
            transaction.set(context, name, value);
            return;
        }
        let value = scanner::decoded(value);
        let value = value.trim();
        if value.is_empty() {
            return;
        }
        let Some(index) = self.statement else {
            if name == "ORG" {
                self.organisation = Some(value.to_owned());
            }
            return;
        };
        let statement = self.collector.statement(index);
        match (context, name) {
            (Some("BANKACCTFROM" | "CCACCTFROM" | "INVACCTFROM"), "ACCTID") => {
                statement.account.set_iban_or_number(value);
            }
            (Some("BANKACCTFROM"), "BANKID") | (Some("INVACCTFROM"), "BROKERID") => {
                statement.account.bank = Some(value.to_owned());
            }
            (Some("BANKACCTFROM"), "ACCTTYPE") => statement.account.kind = account_kind(value),
            (Some("BANKTRANLIST"), "DTSTART") => statement.from = day::digits(value),
            (Some("BANKTRANLIST"), "DTEND") => statement.to = day::digits(value),
            (Some("LEDGERBAL" | "AVAILBAL"), "BALAMT" | "DTASOF") => {
                let kind =
                    if context == Some("LEDGERBAL") { BalanceKind::Interim } else { BalanceKind::Available };
                self.balance(index, kind, name, value);
            }
            (_, "CURDEF") => statement.account.currency = Currency::parse(&value.to_ascii_uppercase()).ok(),
            (_, "DTASOF") => statement.as_of = day::digits(value),
            _ => {}
        }
    }

    /// Reads amount and day of a balance, whose order differs between banks. A balance needs both: some banks write a
    /// day of zeros. A ledger balance without a time is that of the end of its day.
    fn balance(&mut self, index: usize, kind: BalanceKind, name: &str, value: &str) {
        let statement = self.collector.statement(index);
        let currency = statement.account.currency;
        let is_own = |known| known == kind || (kind, known) == (BalanceKind::Interim, BalanceKind::Closing);
        let position = statement.balances.iter().position(|balance| is_own(balance.kind));
        let unset = Balance { kind, day: UNSET, cents: i64::MIN, currency };
        let position = position.unwrap_or_else(|| {
            statement.balances.push(unset);
            statement.balances.len() - 1
        });
        let balance = &mut statement.balances[position];
        if name == "BALAMT" {
            balance.cents = amount::cents(value, NumberStyle::of_either(value)).unwrap_or(i64::MIN);
        } else if let Some(day) = day::digits(value) {
            balance.day = day;
            if kind == BalanceKind::Interim {
                let has_time = value.as_bytes().get(8).is_some_and(u8::is_ascii_digit);
                balance.kind = if has_time { kind } else { BalanceKind::Closing };
                statement.as_of = Some(day);
            }
        }
    }

    fn end_transaction(&mut self, end: usize) {
        let Some(transaction) = self.transaction.take() else { return };
        self.path.clear();
        let Some(index) = self.statement else {
            let fault =
                Fault::new(format!("line {}", transaction.line), "must be inside a statement (STMTRS)");
            self.collector.faulty_record([fault]);
            return;
        };
        let currency = self.collector.statements()[index].account.currency;
        let raw = texts::raw(self.text.get(transaction.at..end).unwrap_or_default());
        match transaction.entry(currency, raw) {
            Ok(entry) => self.collector.entry(index, entry),
            Err(faults) => self.collector.faulty_record(faults),
        }
    }
}

/// Day of a balance whose day is not read yet.
const UNSET: jiff::civil::Date = jiff::civil::Date::constant(1900, 1, 1);

/// Removes balances without an amount or a day.
fn keep_complete_balances(statements: &mut [Statement]) {
    for statement in statements {
        statement.balances.retain(|balance| balance.day != UNSET && balance.cents != i64::MIN);
    }
}

fn account_kind(text: &str) -> Option<AccountKind> {
    match text.to_ascii_uppercase().as_str() {
        "CHECKING" => Some(AccountKind::Checking),
        "SAVINGS" | "MONEYMRKT" | "CD" => Some(AccountKind::Savings),
        "CREDITLINE" => Some(AccountKind::Loan),
        _ => None,
    }
}
