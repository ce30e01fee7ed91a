//! Reads Quicken Interchange Format.
//!
//! A file has sections, which begin with a line `!Type:…`, and records, which end with a line `^`. It states neither
//! currency nor identifiers. Days are written in the order of the exporting computer, so the order of day and month is
//! a choice of the person, unless a day settles it.

mod record;

use passbook_input::Fault;

use super::collector::Collector;
use super::text::{Lines, some};
use super::unreadable::ReadOptions;
use super::{
    AccountKind, AccountReference, Balance, BalanceKind, Format, Statement, StatementKind, TEXT_BYTES_MAX,
    Unreadable,
};
use record::{DayOrder, Record};

/// Reads a QIF file.
pub(super) fn read(
    text: &str,
    options: &ReadOptions,
    collector: Collector<'_>,
) -> Result<Vec<Statement>, Unreadable> {
    let order = DayOrder::choose(text, options.date_order)?;
    let mut reader = QifReader {
        collector,
        order,
        section: Section::Unknown,
        header: String::new(),
        account: None,
        statement: None,
        trades: 0,
    };
    let mut lines = Lines::of(text);
    let mut record = Record::default();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, content) = (at, line.trim_end_matches(['\r', '\n']));
        at += line.len();
        let trimmed = content.trim_start_matches('\u{feff}').trim();
        if trimmed.is_empty() {
            continue;
        }
        if let Some(header) = trimmed.strip_prefix('!') {
            if !record.is_empty() && matches!(reader.section, Section::Transactions(_)) {
                let rule = "must end with a line ^ before the next header line";
                reader.collector.fault(Fault::new(format!("line {}", record.line), rule));
            }
            if !line.ends_with('\n') {
                let rule = "must have a line end behind it: the file is truncated";
                reader.collector.fault(Fault::new(format!("line {}", lines.line(start)), rule));
            }
            reader.section(header.trim());
            record = Record::default();
        } else if trimmed == "^" {
            record.end = at;
            reader.end_record(std::mem::take(&mut record), text);
        } else {
            if record.is_empty() {
                (record.line, record.start) = (lines.line(start), start);
            }
            record.push(trimmed);
        }
    }
    if !record.is_empty() {
        let rule = "must end with a line ^: the file is truncated";
        reader.collector.fault(Fault::new(format!("line {}", record.line), rule));
    }
    for _ in 0..reader.trades {
        match reader.collector.statements().is_empty() {
            true => reader.collector.other_record(),
            false => reader.collector.skip(0, "the record is a trade"),
        }
    }
    let visible = text.lines().filter(|line| line.trim() == "^").count();
    reader.collector.finish(visible as u64, "^")
}

/// The kind of the records that follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    /// Before the first header line, or after one of an unknown kind.
    Unknown,
    /// Accounts.
    Accounts,
    /// Transactions of an account of this kind.
    Transactions(AccountKind),
    /// Trades.
    Investments,
    /// Categories, classes, prices and other lists.
    Lists,
}

struct QifReader<'a> {
    collector: Collector<'a>,
    order: DayOrder,
    section: Section,
    /// The last header line.
    header: String,
    /// The account that the last record of an account section named.
    account: Option<AccountReference>,
    /// Index of the statement of the present section.
    statement: Option<usize>,
    /// Number of records of trades, which are left out.
    trades: u64,
}

impl QifReader<'_> {
    fn section(&mut self, header: &str) {
        let lower = header.to_ascii_lowercase();
        if lower.starts_with("option") || lower.starts_with("clear") {
            return;
        }
        self.header = format!("!{header}");
        self.section = match lower.strip_prefix("type:").map(str::trim) {
            _ if lower.starts_with("account") => Section::Accounts,
            Some("bank") => Section::Transactions(AccountKind::Checking),
            Some("cash") => Section::Transactions(AccountKind::Cash),
            Some("ccard") => Section::Transactions(AccountKind::Card),
            Some("oth a") => Section::Transactions(AccountKind::Asset),
            Some("oth l") => Section::Transactions(AccountKind::Liability),
            Some("invst" | "port" | "401(k)/403(b)") => Section::Investments,
            Some(
                "cat" | "class" | "memorized" | "security" | "prices" | "tag" | "budget" | "template"
                | "payee",
            ) => Section::Lists,
            _ => Section::Unknown,
        };
        if let Section::Transactions(kind) = self.section {
            let account = AccountReference { kind: Some(kind), ..self.account.clone().unwrap_or_default() };
            self.statement = Some(self.statement(account));
        }
    }

    /// Returns the statement of an account, which is opened if it is new.
    fn statement(&mut self, account: AccountReference) -> usize {
        let known = self.collector.statements().iter().position(|statement| statement.account == account);
        known.unwrap_or_else(|| {
            self.collector.open(Statement::new(Format::Qif, StatementKind::Window, account))
        })
    }

    fn end_record(&mut self, record: Record, text: &str) {
        match (self.section, self.statement) {
            (Section::Accounts, _) => {
                let name = record.field('N').and_then(some);
                self.account = Some(AccountReference { name, ..AccountReference::default() });
                self.collector.other_record();
            }
            (Section::Transactions(_), Some(statement)) => self.transaction(&record, statement, text),
            (Section::Unknown | Section::Transactions(_), _) => {
                let rule = "must follow a line !Type: with a kind of account (Bank, Cash, CCard, Oth A, Oth L, Invst) or list";
                let fault = Fault::new(format!("line {}", record.line), rule);
                self.collector.faulty_record([fault.received(format!("{:?}", self.header))]);
            }
            (Section::Investments, _) => self.trades += 1,
            (Section::Lists, _) => self.collector.other_record(),
        }
    }

    fn transaction(&mut self, record: &Record, statement: usize, text: &str) {
        if record.is_empty() {
            return self.collector.skip(statement, "the record is empty");
        }
        if record.longest() > TEXT_BYTES_MAX {
            let rule = format!("must have texts of at most {TEXT_BYTES_MAX} bytes");
            return self.collector.faulty_record([Fault::new(format!("line {}", record.line), rule)]);
        }
        let own_name = self.collector.statements()[statement].account.name.clone();
        match record.entry(self.order, text) {
            Err(faults) => self.collector.faulty_record(faults),
            Ok(entry) => {
                let opening = entry.party.as_deref() == Some("Opening Balance")
                    && entry.transfer_with.is_some()
                    && (own_name.is_none() || entry.transfer_with == own_name);
                if !opening {
                    return self.collector.entry(statement, entry);
                }
                // Quicken writes the opening balance as a transfer of the account to itself.
                let balance = Balance {
                    kind: BalanceKind::Opening,
                    day: entry.booked,
                    cents: entry.cents,
                    currency: None,
                };
                let opened = self.collector.statement(statement);
                opened.balances.push(balance);
                if opened.account.name.is_none() {
                    opened.account.name = entry.transfer_with;
                    self.account = Some(AccountReference { kind: None, ..opened.account.clone() });
                }
                self.collector.skip(statement, "the opening balance is no booking");
            }
        }
    }
}
