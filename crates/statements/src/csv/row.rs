//! Reads one row of a CSV file.

use std::collections::HashMap;

use ::csv::StringRecord;
use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_input::Fault;

use super::columns::Columns;
use super::dates::DayFormats;
use super::labels::Surroundings;
use super::money::{Exchanges, Money};
use super::profile::Profile;
use super::sides;
use crate::collector::{Collector, count};
use crate::own_words;
use crate::text::{joined, raw, some};
use crate::{
    AccountReference, Balance, BalanceKind, Entry, EntryId, Fee, Format, IdTrust, LineState, Skipped,
    Statement, StatementKind,
};

/// Separator of the parts of a category.
const CATEGORY_SEPARATOR: &str = ": ";

/// Reads rows. Rows of different accounts or currencies go to different statements.
#[derive(Debug)]
pub(super) struct RowReader<'a> {
    profile: &'a Profile,
    columns: &'a Columns,
    formats: DayFormats<'a>,
    exchanges: Exchanges,
    surroundings: Surroundings,
    /// Statements by account.
    statements: HashMap<AccountReference, usize>,
    /// Rows that are left out before a row names the first account.
    skipped: Vec<Skipped>,
    /// Newest booked day of the file.
    newest: Option<Date>,
}

/// The cells of a row that are read before its direction is known.
#[derive(Debug)]
struct CsvRow {
    entry: Entry,
    account: AccountReference,
}

impl<'a> RowReader<'a> {
    pub(super) fn new(
        profile: &'a Profile,
        columns: &'a Columns,
        formats: DayFormats<'a>,
        exchanges: Exchanges,
    ) -> RowReader<'a> {
        let surroundings = Surroundings::default();
        RowReader {
            profile,
            columns,
            formats,
            exchanges,
            surroundings,
            statements: HashMap::new(),
            skipped: Vec::new(),
            newest: None,
        }
    }

    /// Opens the statement of a file whose rows name no account, so that a file without rows is a statement too.
    pub(super) fn start(&mut self, collector: &mut Collector<'_>, surroundings: Surroundings) {
        self.surroundings = surroundings;
        let columns = self.columns;
        let names_account = columns.sides.is_some()
            || [&columns.at.account, &columns.at.account_name, &columns.at.currency]
                .iter()
                .any(|c| !c.is_empty());
        if !names_account {
            let account = AccountReference { currency: self.profile.fixed_currency(), ..self.own_account() };
            self.statement(account, collector);
        }
    }

    /// Reads a row.
    pub(super) fn read(
        &mut self,
        record: &StringRecord,
        line: u64,
        text: &str,
        collector: &mut Collector<'_>,
    ) {
        let (profile, columns) = (self.profile, self.columns);
        let money = Money { profile, columns, record, line };
        if let Some(reason) = columns.skip.iter().find_map(|test| test.reason(record)) {
            return match collector.statements().is_empty() {
                true => count(&mut self.skipped, &reason),
                false => collector.skip(0, &reason),
            };
        }
        if let Some(fault) = self.wrong_length(record, line) {
            return collector.faulty_record([fault]);
        }
        match self.row(&money, text) {
            Err(faults) => collector.faulty_record(faults),
            Ok(row) => match (&columns.sides, &profile.sides) {
                (Some(side_columns), Some(sides)) => {
                    match sides::entries(&row.entry, &row.account, sides, side_columns, &money) {
                        Ok(entries) => self.add_all(entries, collector),
                        Err(fault) => collector.faulty_record([fault]),
                    }
                }
                _ => {
                    let statement = self.statement(row.account, collector);
                    self.note_balance(&row.entry, statement, collector);
                    collector.entry(statement, row.entry);
                }
            },
        }
    }

    /// Adds the entries of one row.
    fn add_all(&mut self, entries: Vec<(AccountReference, Entry)>, collector: &mut Collector<'_>) {
        for (index, (account, entry)) in entries.into_iter().enumerate() {
            let statement = self.statement(account, collector);
            if index == 0 {
                collector.entry(statement, entry);
            } else {
                collector.further_entry(statement, entry);
            }
        }
    }

    /// Returns the index of the statement of an account, which is opened if it is new.
    fn statement(&mut self, account: AccountReference, collector: &mut Collector<'_>) -> usize {
        if let Some(index) = self.statements.get(&account) {
            return *index;
        }
        let mut statement = Statement::new(Format::Csv, StatementKind::Window, account.clone());
        statement.profile = Some(self.profile.name.clone());
        statement.lists_pending = self.columns.pending.is_some();
        let index = collector.open(statement);
        self.statements.insert(account, index);
        for Skipped { reason, count } in self.skipped.drain(..) {
            (0..count).for_each(|_| collector.skip(index, &reason));
        }
        index
    }

    /// Returns the account that the file as a whole names.
    fn own_account(&self) -> AccountReference {
        AccountReference { bank_name: Some(self.profile.bank.clone()), ..self.surroundings.account.clone() }
    }

    /// Opens a statement if the file has no rows.
    pub(super) fn finish(&mut self, collector: &mut Collector<'_>) {
        self.any_statement(collector);
    }

    /// Leaves out the rows of the footer.
    pub(super) fn leave_out(&mut self, footer_rows: u64, collector: &mut Collector<'_>) {
        for _ in 0..footer_rows {
            let statement = self.any_statement(collector);
            collector.skip(statement, "they are the footer");
        }
    }

    fn any_statement(&mut self, collector: &mut Collector<'_>) -> usize {
        if collector.statements().is_empty() {
            let account = AccountReference { currency: self.profile.fixed_currency(), ..self.own_account() };
            return self.statement(account, collector);
        }
        0
    }

    /// A balance outside the rows holds at the end of the newest booked day.
    fn note_balance(&mut self, entry: &Entry, statement: usize, collector: &mut Collector<'_>) {
        let Some(cents) = self.surroundings.balance else { return };
        if entry.status == LineState::Pending || self.newest.is_some_and(|newest| newest >= entry.booked) {
            return;
        }
        self.newest = Some(entry.booked);
        let balance =
            Balance { kind: BalanceKind::Closing, day: entry.booked, cents, currency: entry.currency };
        collector.statement(statement).balances = vec![balance];
    }

    /// Returns the fault of a row with fewer cells than the header, or with text in further cells. Some banks end every
    /// row with an empty cell.
    fn wrong_length(&self, record: &StringRecord, line: u64) -> Option<Fault> {
        let count = self.columns.count?;
        let surplus = record.iter().skip(count).any(|cell| !cell.trim().is_empty());
        if record.len() >= count && !surplus {
            return None;
        }
        let rule = format!("must have {count} cells, as the header line has");
        Some(Fault::new(format!("line {line}"), rule).received(record.len().to_string()))
    }

    fn row(&self, money: &Money<'_>, text: &str) -> Result<CsvRow, Vec<Fault>> {
        let columns = self.columns;
        let mut faults = Vec::new();
        let mut keep = |fault: Fault| faults.push(fault);
        let booked = self
            .day(money, &columns.at.booked)
            .and_then(|day| day.ok_or_else(|| money.fault(&columns.at.booked, &self.formats.rule(), "")));
        let booked = booked.map_err(&mut keep).ok();
        let value_day = self.day(money, &columns.at.value).map_err(&mut keep).ok().flatten();
        let transaction_day = self.day(money, &columns.at.transaction).map_err(&mut keep).ok().flatten();
        let cents = money.amount().map_err(&mut keep).ok();
        let fee = money.fee().map_err(&mut keep).ok().flatten();
        let balance_after = money.balance().map_err(&mut keep).ok().flatten();
        let currency = money.currency(&columns.at.currency).map_err(&mut keep).ok().flatten();
        let currency = currency.or_else(|| self.profile.fixed_currency());
        let original = money.original(cents.unwrap_or(0), currency).map_err(&mut keep).ok().flatten();
        let (Some(booked), Some(cents), true) = (booked, cents, faults.is_empty()) else {
            return Err(faults);
        };

        let mut entry = Entry::new(money.line, booked, cents);
        entry.currency = currency;
        entry.value_day = value_day;
        entry.transaction_day = transaction_day.filter(|day| *day != booked);
        entry.fee = fee;
        if let Some(fee) = fee.filter(|fee| !fee.included && cents == 0) {
            // The row is nothing but the fee.
            (entry.cents, entry.fee) = (fee.cents, Some(Fee { included: true, ..fee }));
        }
        entry.balance_after = balance_after;
        entry.original = original;
        if columns.pending.as_ref().is_some_and(|test| test.is_met(money.record)) {
            entry.status = LineState::Pending;
        }
        self.texts(&mut entry, money);
        if columns.transfers.iter().any(|test| test.is_met(money.record)) {
            entry.transfer_with.get_or_insert_default();
            entry.original = entry.original.or_else(|| self.exchanges.other_side(money, cents));
        }
        entry.raw = raw(text);
        let account = self.account(money, currency);
        Ok(CsvRow { entry, account })
    }

    fn texts(&self, entry: &mut Entry, money: &Money<'_>) {
        let columns = self.columns;
        let cell = |at: &[usize]| money.cell(at);
        let trust = if self.profile.authoritative_ids { IdTrust::Authoritative } else { IdTrust::Hint };
        entry.id = cell(&columns.at.id).map(|id| EntryId { text: id.to_owned(), trust });
        entry.replaces = cell(&columns.at.replaces).map(str::to_owned);
        entry.reference = cell(&columns.at.reference).map(str::to_owned);
        let directed = if entry.cents < 0 { &columns.at.party_out } else { &columns.at.party_in };
        entry.party = cell(directed).or_else(|| cell(&columns.at.party)).and_then(some);
        entry.party_account =
            cell(&columns.at.party_account).map(|account| account.split_whitespace().collect::<String>());
        let parts = columns.at.text.iter().filter_map(|at| money.record.get(*at));
        entry.text = joined(parts);
        entry.code = cell(&columns.at.code).and_then(some);
        let parts = columns.at.category.iter().filter_map(|at| money.record.get(*at)).filter_map(some);
        entry.category =
            Some(parts.collect::<Vec<_>>().join(CATEGORY_SEPARATOR)).filter(|text| !text.is_empty());
        self.own_words(entry, money);
        entry.transfer_with = cell(&columns.at.transfer).and_then(some);
        if let Some(prefix) = &self.profile.transfer_prefix {
            let other = entry.party.as_deref().and_then(|party| party.strip_prefix(prefix.trim_end()));
            let other = other.map(|other| other.trim_start().to_owned());
            entry.transfer_with = other.or(entry.transfer_with.take());
        }
    }

    fn own_words(&self, entry: &mut Entry, money: &Money<'_>) {
        let cell = |at: &[usize]| money.cell(at);
        let (profile, at) = (self.profile, &self.columns.at);
        let category = cell(&at.own_category);
        let grouped = category.zip(profile.category_separator.as_deref());
        let grouped = grouped.and_then(|(category, separator)| category.split_once(separator));
        let (parent, category) = match grouped {
            Some((parent, category)) => (Some(parent), Some(category)),
            None if category.is_none() => (None, cell(&at.own_parent)),
            None => (cell(&at.own_parent), category),
        };
        entry.own_category = category.map(str::to_owned);
        entry.own_parent = parent.map(str::to_owned);
        let tags = cell(&at.tags).unwrap_or_default();
        entry.tags = match profile.tag_mark {
            Some(mark) => own_words::marked_tags(tags, mark).collect(),
            None => tags.split(',').map(str::to_owned).collect(),
        };
        entry.note = cell(&at.note).map(str::to_owned);
    }

    fn account(&self, money: &Money<'_>, currency: Option<Currency>) -> AccountReference {
        let mut account = AccountReference { currency, ..self.own_account() };
        if let Some(cell) = money.cell(&self.columns.at.account) {
            account.set_iban_or_number(cell);
        }
        let names = self.columns.at.account_name.iter().filter_map(|at| money.record.get(*at));
        let name = joined(names);
        if !name.is_empty() {
            account.name = Some(name);
        }
        account
    }

    /// Returns the day of a column; an empty cell is `None`.
    fn day(&self, money: &Money<'_>, columns: &[usize]) -> Result<Option<Date>, Fault> {
        let Some(cell) = money.cell(columns) else { return Ok(None) };
        match self.formats.parse(cell) {
            Some(day) => Ok(Some(day)),
            None => Err(money.fault(columns, &self.formats.rule(), cell)),
        }
    }
}
