//! Reads SWIFT MT940 customer statements.
//!
//! A message begins with `:20:` and ends with its closing balance. Each `:61:` becomes one entry, whose texts are in the
//! `:86:` behind it. A line without a tag continues the field before it. A file has any number of messages, each with or
//! without the header blocks of the network: `{1:…}{2:…}{4:` before it and `-}` behind it.
//!
//! `RC` is a reversed credit and `RD` a reversed debit: money goes out with `RC` and comes in with `RD`. The balances of
//! real files prove it.

mod envelope;
mod line61;

use jiff::ToSpan as _;
use passbook_domain::Currency;
use passbook_input::Fault;

use super::collector::Collector;
use super::text::{raw, some};
use super::{
    AccountReference, Balance, BalanceKind, Entry, Format, Statement, StatementKind, TEXT_BYTES_MAX,
    Unreadable, amount,
};
use amount::NumberStyle;
use envelope::{Ending, content, ends_message, is_header};
use line61::short_day;

/// Maximum length of an account in `:25:`. A second, longer value is the text of an entry.
const ACCOUNT_CHARACTERS_MAX: usize = 35;

/// Reads an MT940 file.
pub(super) fn read(text: &str, collector: Collector<'_>) -> Result<Vec<Statement>, Unreadable> {
    let has = |tag: &str| text.lines().any(|line| line.starts_with(tag));
    if has(":34F:") && !has(":60F:") && !has(":60M:") {
        let rule = "must be a customer statement (MT940): this is an interim report (MT942), which statements repeat";
        return Err(Fault::new("file", rule).into());
    }
    let mut reader = Mt940Reader { collector, statement: None, entry: None, ending: Ending::default() };
    let mut field: Option<Field<'_>> = None;
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let start = at;
        at += line.len();
        if is_header(line) {
            reader.end_field(field.take(), text);
            reader.end_entry();
            reader.begin_message(number as u64 + 1, true);
        }
        let content = content(line);
        if let Some((tag, value)) = tagged(content) {
            reader.end_field(field.take(), text);
            field = Some(Field { tag, line: number as u64 + 1, start, end: at, value: value.to_owned() });
        } else if ends_message(content) {
            reader.end_field(field.take(), text);
        } else if let Some(field) = &mut field {
            field.end = at;
            if field.value.len() <= TEXT_BYTES_MAX {
                field.value.push('\n');
                field.value.push_str(content);
            }
        }
    }
    reader.end_field(field.take(), text);
    reader.end_entry();
    if let Some(fault) = reader.ending.fault_at_end(text) {
        reader.collector.fault(fault);
    }
    for index in 0..reader.collector.statements().len() {
        complete(reader.collector.statement(index));
    }
    let visible = text.lines().filter(|line| is_entry(line)).count();
    reader.collector.finish(visible as u64, ":61:")
}

/// One field with its continuation lines.
struct Field<'a> {
    tag: &'a str,
    line: u64,
    /// Byte positions of the field in the file.
    start: usize,
    end: usize,
    value: String,
}

fn is_entry(line: &str) -> bool {
    content(line).starts_with(":61:")
}

/// Splits a line such as `:60F:C260101EUR1,00` into tag and value.
fn tagged(line: &str) -> Option<(&str, &str)> {
    let (tag, value) = line.strip_prefix(':')?.split_once(':')?;
    let digits = tag.get(..2).is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    let letter = tag
        .get(2..)
        .is_some_and(|rest| rest.len() <= 1 && rest.bytes().all(|byte| byte.is_ascii_uppercase()));
    (digits && letter).then_some((tag, value))
}

struct Mt940Reader<'a> {
    collector: Collector<'a>,
    /// Index of the open statement.
    statement: Option<usize>,
    /// The entry whose texts may follow.
    entry: Option<Entry>,
    ending: Ending,
}

impl Mt940Reader<'_> {
    fn end_field(&mut self, field: Option<Field<'_>>, text: &str) {
        let Some(field) = field else { return };
        if field.value.len() > TEXT_BYTES_MAX {
            let rule = format!("must be at most {TEXT_BYTES_MAX} bytes");
            self.end_entry();
            if field.tag == "61" {
                self.collector.faulty_record([Fault::new(place(&field), rule)]);
            } else {
                self.collector.fault(Fault::new(place(&field), rule));
            }
            return;
        }
        match field.tag {
            "20" => {
                self.end_entry();
                self.begin_message(field.line, false);
                let account = AccountReference::default();
                let statement = Statement::new(Format::Mt940, StatementKind::Window, account);
                self.statement = Some(self.collector.open(statement));
            }
            "61" => self.start_entry(&field, text),
            "86" => {
                if let Some(entry) = &mut self.entry {
                    line61::add_information(entry, &field.value);
                    entry.raw = raw(&format!(
                        "{}\n{}",
                        entry.raw,
                        text.get(field.start..field.end).unwrap_or_default()
                    ));
                }
            }
            _ => {
                self.end_entry();
                self.head(&field);
            }
        }
    }

    fn begin_message(&mut self, line: u64, is_header: bool) {
        if let Some(fault) = self.ending.begin(line, is_header) {
            self.collector.fault(fault);
        }
    }

    fn head(&mut self, field: &Field<'_>) {
        let Some(index) = self.statement else { return };
        let value = field.value.trim();
        let statement = self.collector.statement(index);
        let kind = match field.tag {
            "25" => return self.account(index, field),
            "28C" | "28" => {
                statement.number = some(value);
                return;
            }
            "60F" | "60M" => BalanceKind::Opening,
            "62F" | "62M" => BalanceKind::Closing,
            "64" => BalanceKind::Available,
            _ => return,
        };
        match balance(value, kind) {
            Ok(balance) => {
                statement.account.currency = statement.account.currency.or(balance.currency);
                match kind {
                    BalanceKind::Closing => {
                        statement.as_of = Some(balance.day);
                        // A message with several pages has a closing balance for each: the last one counts.
                        statement.balances.retain(|known| known.kind != kind);
                        self.ending.close(balance.cents);
                    }
                    BalanceKind::Opening => self.ending.open(balance.cents),
                    BalanceKind::Interim | BalanceKind::Available => {}
                }
                statement.balances.push(balance);
            }
            Err(rule) => {
                if kind == BalanceKind::Closing {
                    self.ending.close(0);
                }
                self.collector.fault(Fault::new(place(field), rule).received(format!("{value:?}")));
            }
        }
    }

    /// Reads the account of a message. Some banks write the text of an entry with the tag of the account.
    fn account(&mut self, index: usize, field: &Field<'_>) {
        let value: String = field.value.split_whitespace().collect();
        let mut read = AccountReference::default();
        set_account(&mut read, &value);
        let account = &mut self.collector.statement(index).account;
        let name =
            |account: &AccountReference| (account.iban.clone(), account.bank.clone(), account.number.clone());
        if name(account) == (None, None, None) {
            read.currency = read.currency.or(account.currency);
            *account = read;
        } else if name(account) != name(&read) && value.chars().count() <= ACCOUNT_CHARACTERS_MAX {
            let rule = "must be the only account of a message, which begins with :20:";
            self.collector.fault(Fault::new(place(field), rule).received(format!("{value:?}")));
        }
    }

    fn start_entry(&mut self, field: &Field<'_>, text: &str) {
        self.end_entry();
        let Some(index) = self.statement else {
            let fault = Fault::new(place(field), "must be inside a message, which begins with :20:");
            return self.collector.faulty_record([fault]);
        };
        let currency = self.collector.statements()[index].account.currency;
        match line61::parse(&field.value, field.line) {
            Ok(mut entry) => {
                entry.currency = currency;
                entry.raw = raw(text.get(field.start..field.end).unwrap_or_default());
                self.entry = Some(entry);
            }
            Err(rule) => {
                let fault = Fault::new(place(field), rule).received(format!("{:?}", field.value));
                self.collector.faulty_record([fault]);
            }
        }
    }

    fn end_entry(&mut self) {
        if let (Some(entry), Some(index)) = (self.entry.take(), self.statement) {
            self.ending.add(entry.line, entry.cents);
            let from = &mut self.collector.statement(index).from;
            *from = Some(from.map_or(entry.booked, |first| first.min(entry.booked)));
            self.collector.entry(index, entry);
        }
    }
}

fn place(field: &Field<'_>) -> String {
    format!("line {}, :{}:", field.line, field.tag)
}

/// Reads `:25:`: an IBAN, `BLZ/number` or `BIC/number`, with or without the currency at its end.
fn set_account(account: &mut AccountReference, value: &str) {
    let (bank, number) = match value.rsplit_once('/') {
        Some((bank, number)) => (some(bank), number),
        None => (None, value),
    };
    let split = number.len().saturating_sub(3);
    let end = number
        .get(split..)
        .filter(|_| number[..split.min(number.len())].ends_with(|c: char| c.is_ascii_digit()));
    let currency = end.and_then(|code| Currency::parse(code).ok());
    let number = if currency.is_some() { number.get(..split).unwrap_or(number) } else { number };
    account.bank = bank;
    account.currency = currency;
    account.set_iban_or_number(number);
}

/// Parses a balance such as `C260131EUR1234,56`.
///
/// # Errors
/// The rule that the field breaks.
fn balance(value: &str, kind: BalanceKind) -> Result<Balance, &'static str> {
    const FORM: &str = "must be a balance, such as C260131EUR1234,56";
    let (sign, rest) = match (value.get(..1), value.get(1..)) {
        (Some("C"), Some(rest)) => (1, rest),
        (Some("D"), Some(rest)) => (-1, rest),
        _ => return Err(FORM),
    };
    let (Some(date), Some(code), Some(cents)) = (rest.get(..6), rest.get(6..9), rest.get(9..)) else {
        return Err(FORM);
    };
    let day = short_day(date).ok_or(FORM)?;
    let currency = Some(Currency::parse(code).map_err(|_| FORM)?);
    let cents = cents.split_whitespace().next().unwrap_or_default();
    Ok(Balance { kind, day, cents: sign * cents_with_comma(cents)?, currency })
}

/// Parses an amount of the standard: digits with a decimal comma, also without decimals: `5,`. Without the comma the
/// amount may be cut.
fn cents_with_comma(text: &str) -> Result<i64, &'static str> {
    let cents = amount::cents(text, NumberStyle { decimal: ',', group: None });
    let cents = if text.contains(',') { cents } else { Err(amount::FORM) };
    cents.map_err(
        |rule| if rule == amount::FORM { "must be an amount with a decimal comma: 1234,5" } else { rule },
    )
}

/// Sets the period of a statement, which has the day of its first entry. The day of the opening balance is the first day for some
/// banks, and the evening before it for others, whose statements have no entry of that day.
fn complete(statement: &mut Statement) {
    let day =
        |kind| statement.balances.iter().find(|balance| balance.kind == kind).map(|balance| balance.day);
    let first = statement.from.take();
    if let (Some(opening), Some(to)) = (day(BalanceKind::Opening), day(BalanceKind::Closing)) {
        statement.kind = StatementKind::Sequence;
        let from = if first > Some(opening) { opening.saturating_add(1.day()) } else { opening };
        (statement.from, statement.to) = (Some(from), Some(to));
    }
}
