//! One `STMTTRN` of an OFX file.

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_input::Fault;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::super::amount::{self, NumberStyle};
use super::super::text::{joined, some};
use super::super::{Entry, EntryId, IdTrust, LineState, Original, TEXT_BYTES_MAX, day};
use super::scanner::decoded;

/// The leaf elements of a transaction.
#[derive(Debug)]
pub(super) struct OfxTransaction<'a> {
    pub(super) line: u64,
    /// Byte position of its start tag.
    pub(super) at: usize,
    pending: bool,
    /// Leaf elements by context and name.
    leaves: Vec<(Option<String>, String, &'a str)>,
}

impl<'a> OfxTransaction<'a> {
    pub(super) fn new(line: u64, at: usize, pending: bool) -> OfxTransaction<'a> {
        OfxTransaction { line, at, pending, leaves: Vec::new() }
    }

    pub(super) fn set(&mut self, context: Option<&str>, name: &str, value: &'a str) {
        let context = context.filter(|context| *context != "BANKTRANLIST");
        self.leaves.push((context.map(str::to_owned), name.to_owned(), value));
    }

    /// Returns the entry.
    ///
    /// # Errors
    /// The faults of the transaction.
    pub(super) fn entry(&self, account: Option<Currency>, raw: String) -> Result<Entry, Vec<Fault>> {
        let mut faults = Vec::new();
        if self.leaves.iter().any(|(_, _, value)| value.len() > TEXT_BYTES_MAX) {
            faults.push(self.fault(
                "STMTTRN",
                &format!("must have texts of at most {TEXT_BYTES_MAX} bytes"),
                "",
            ));
        }
        let booked = self.booked().map_err(|fault| faults.push(fault));
        let cents = self.cents().map_err(|fault| faults.push(fault));
        let (Ok(booked), Ok(cents), true) = (booked, cents, faults.is_empty()) else { return Err(faults) };
        let mut entry = Entry::new(self.line, booked, cents);
        entry.status = if self.pending { LineState::Pending } else { LineState::Booked };
        entry.currency = self.currency("CURRENCY").or(account);
        entry.transaction_day =
            self.value("DTUSER").and_then(|text| day::digits(&text)).filter(|day| *day != booked);
        entry.value_day = self.value("DTAVAIL").and_then(|text| day::digits(&text));
        entry.id = self.value("FITID").map(|text| EntryId { text, trust: IdTrust::Hint });
        entry.replaces = self.value("CORRECTFITID");
        entry.reference =
            self.value("CHECKNUM").or_else(|| self.value("CHKNUM")).or_else(|| self.value("REFNUM"));
        let payee = self.in_context("PAYEE", "NAME");
        entry.party = self.value("NAME").or(payee).as_deref().and_then(some);
        let other = self.in_context("BANKACCTTO", "ACCTID").or_else(|| self.in_context("CCACCTTO", "ACCTID"));
        entry.party_account = other.map(|account| account.split_whitespace().collect());
        let memo = self.value("MEMO").unwrap_or_default();
        entry.text = joined([memo.as_str()]);
        entry.code = self.value("TRNTYPE").map(|code| code.to_ascii_uppercase());
        entry.original = self.original(cents, entry.currency);
        entry.raw = raw;
        Ok(entry)
    }

    /// A day of zeros means that the bank has none; then the day of the purchase is the best that the file states.
    fn booked(&self) -> Result<Date, Fault> {
        let names = ["DTPOSTED", "DTTRAN", "DTUSER", "DTAVAIL"];
        let mut written = names.iter().filter_map(|name| self.value(name).map(|text| (*name, text)));
        let stated = written.find(|(_, text)| !text.starts_with("00000000"));
        let Some((name, text)) = stated else {
            return Err(self.fault("DTPOSTED", "must be a day YYYYMMDD", ""));
        };
        day::digits(&text).ok_or_else(|| self.fault(name, "must be a day YYYYMMDD", &text))
    }

    fn cents(&self) -> Result<i64, Fault> {
        let text = self.value("TRNAMT").unwrap_or_default();
        amount::cents(&text, NumberStyle::of_either(&text)).map_err(|rule| self.fault("TRNAMT", rule, &text))
    }

    fn currency(&self, context: &str) -> Option<Currency> {
        let code = self.in_context(context, "CURSYM")?;
        Currency::parse(&code.to_ascii_uppercase()).ok()
    }

    /// The file states the amount after conversion and the rate. The amount before conversion is computed, so it may
    /// differ by one hundredth from what was paid.
    fn original(&self, cents: i64, currency: Option<Currency>) -> Option<Original> {
        let code = self.currency("ORIGCURRENCY").filter(|code| Some(*code) != currency)?;
        let rate = amount::rate(&self.in_context("ORIGCURRENCY", "CURRATE")?.replace(',', "."), '.')?;
        let original = Decimal::from(cents).checked_div(rate)?.round().to_i64()?;
        Some(Original { cents: original, currency: code, rate: Some(rate) })
    }

    fn value(&self, name: &str) -> Option<String> {
        self.find(None, name)
    }

    fn in_context(&self, context: &str, name: &str) -> Option<String> {
        self.find(Some(context), name)
    }

    fn find(&self, context: Option<&str>, name: &str) -> Option<String> {
        let mut leaves = self.leaves.iter();
        let (_, _, value) = leaves.find(|(at, known, _)| at.as_deref() == context && known == name)?;
        Some(decoded(value).trim().to_owned()).filter(|text| !text.is_empty())
    }

    fn fault(&self, name: &str, rule: &str, received: &str) -> Fault {
        Fault::new(format!("line {}, {name}", self.line), rule).received(format!("{received:?}"))
    }
}
