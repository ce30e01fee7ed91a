//! Creates transaction records: one per income or expense line, and two linked records per transfer.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use passbook_domain::money::AMOUNT_CENTS_MAX;
use passbook_domain::portfolio::AccountType;
use passbook_domain::transaction::TransactionType;
use passbook_input::Fault;
use passbook_records::Located;
use passbook_records::record::{Record, TAGS_MAX, Transaction};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::account_map::AccountMap;
use super::booked::Booked;
use super::ledger::{Identity, Root};
use super::map_change::{Mapped, MappedAccounts};
use super::movement::{Flow, Reader, Transfer, last_name, transfers};
use super::number::cents;
use super::own_accounts::OwnAccount;
use super::own_category::OwnCategories;
use super::refund::{ExpenseRow, Refunds};
use super::report::{Notes, Rounded};

/// The placeholder accounts, by currency, for transactions that touch no own account, such as a gift paid by somebody
/// else.
pub(super) type Accountless = BTreeMap<Currency, Placeholder>;

/// A placeholder account and the day of its first row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placeholder {
    pub(super) account_id: Uuid,
    pub(super) first_day: Date,
}

/// Creates the transaction rows of a ledger.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    pub(super) reader: Reader<'a>,
    pub(super) map: &'a AccountMap,
    pub(super) identity: &'a Identity,
    pub(super) records: Vec<Located>,
    pub(super) accountless: Accountless,
    /// The accounts under Income and Expenses, with the number of their rows.
    pub(super) mapped: MappedAccounts,
    pub(super) own_categories: OwnCategories,
    refunds: Refunds<'a>,
    /// Number of rows with the same source identifier so far. The number distinguishes rows that are otherwise equal.
    seen: HashMap<String, u32>,
}

/// A transaction row that has no identifier yet.
struct NewRow<'a> {
    account_id: Uuid,
    kind: TransactionType,
    category: Category,
    amount: Decimal,
    currency: Currency,
    /// Title of the row if the transaction has neither narration nor payee.
    name: &'a str,
    /// Part of the source identifier that distinguishes the rows of one transaction.
    line: String,
}

impl<'a> Rows<'a> {
    pub(super) fn new(reader: Reader<'a>, map: &'a AccountMap, identity: &'a Identity) -> Rows<'a> {
        let (mapped, refunds) = (MappedAccounts::default(), Refunds::default());
        let (records, accountless, seen) = (Vec::new(), Accountless::new(), HashMap::new());
        let own_categories = OwnCategories::default();
        Rows { reader, map, identity, records, accountless, mapped, own_categories, refunds, seen }
    }

    /// Adds the rows of one booked transaction. Transactions must be added in order of date.
    pub(super) fn add(&mut self, booked: &'a Booked, notes: &mut Notes) -> Result<(), Fault> {
        notes.report.transactions += 1;
        for _ in TAGS_MAX..booked.tags.len() + booked.links.len() {
            notes.skip("tags", "the transaction has 20 other tags and links");
        }
        let movement = self.reader.movement(booked, notes);
        for flow in &movement.flows {
            let row = self.flow(flow, booked.date, notes);
            let mut transaction = self.transaction(booked, &row, notes)?;
            let own = &mut self.own_categories;
            let (user_id, account) = (self.identity.user_id, &flow.line.account);
            transaction.own_category_id =
                Some(own.of_account(user_id, account, flow.root, self.map, &booked.place)?);
            self.note_expense(booked, flow, &transaction);
            self.push(booked, transaction);
        }
        for transfer in transfers(movement.legs) {
            self.transfer(booked, &transfer, notes)?;
        }
        notes.report.rows = self.records.len();
        Ok(())
    }

    /// Links refunds to their purchases, and returns all records. Call it after the last transaction was added.
    pub(super) fn finish(mut self, notes: &mut Notes) -> Vec<Located> {
        self.refunds.link(&mut self.records, notes);
        self.records
    }

    /// Notes a row under Expenses as a purchase or a refund.
    fn note_expense(&mut self, booked: &'a Booked, flow: &Flow<'a>, transaction: &Transaction) {
        if flow.root != Root::Expenses || transaction.amount_cents == 0 {
            return;
        }
        let row = ExpenseRow {
            record: self.records.len(),
            transaction_id: transaction.transaction_id,
            date: booked.date,
            account: &flow.line.account,
            payee: booked.payee.as_deref(),
            links: &booked.links,
            amount_cents: transaction.amount_cents,
            currency: transaction.currency,
        };
        match transaction.transaction_type {
            TransactionType::Income => self.refunds.refunds.push(row),
            _ => self.refunds.purchases.push(row),
        }
    }

    fn flow<'b>(&mut self, flow: &Flow<'b>, date: Date, notes: &mut Notes) -> NewRow<'b> {
        let account = &flow.line.account;
        let negative = flow.amount.number.is_sign_negative() && !flow.amount.number.is_zero();
        let zero = flow.amount.number.is_zero();
        let category = match (flow.root, negative) {
            (Root::Income, income) if income || zero => {
                let known = self.map.income(account);
                self.mapped.count(account, Mapped::Income, 1);
                known.is_none().then(|| notes.unmapped(account));
                Category::Income(known.unwrap_or(IncomeCategory::OtherIncome))
            }
            (Root::Expenses, true) => Category::Income(IncomeCategory::Refund),
            // An expense, or a positive amount under an income account, which is a loss.
            _ => {
                let known = self.map.expense(account);
                self.mapped.count(account, Mapped::Expense, 1);
                known.is_none().then(|| notes.unmapped(account));
                Category::Expense(known.unwrap_or(ExpenseCategory::Uncategorized))
            }
        };
        let kind = match category {
            Category::Income(_) => TransactionType::Income,
            Category::Expense(_) => TransactionType::Expense,
        };
        let account_id = match flow.account {
            Some(position) => self.reader.accounts.all[position].account_id,
            None => self.accountless(flow.currency, date),
        };
        let line = format!("{account}\u{1f}{}", flow.amount);
        let (amount, currency) = (flow.amount.number.abs(), flow.currency);
        NewRow { account_id, kind, category, amount, currency, name: last_name(account), line }
    }

    fn accountless(&mut self, currency: Currency, first_day: Date) -> Uuid {
        let derived = || Placeholder {
            account_id: self.identity.derive("account", &format!("-/{currency}")),
            first_day,
        };
        self.accountless.entry(currency).or_insert_with(derived).account_id
    }

    fn transfer(&mut self, booked: &Booked, transfer: &Transfer, notes: &mut Notes) -> Result<(), Fault> {
        let accounts = &self.reader.accounts.all;
        let both = transfer.out.is_some() && transfer.into.is_some();
        let kind = |alone| if both { TransactionType::InternalTransfer } else { alone };
        let name = |side: &Option<(usize, Decimal, Currency)>| side.map(|(position, ..)| &accounts[position]);
        let (from, to) = (name(&transfer.out), name(&transfer.into));
        let pair =
            [from, to].map(|account| account.map_or(String::new(), |account| account.account_id.to_string()));
        let to_card = to.is_some_and(|to| to.account_type == AccountType::Credit);
        let out_category = Category::of_transfer_to(to_card);
        let row = |side: (usize, Decimal, Currency), other: Option<&'a OwnAccount>, incoming: bool| {
            let (position, amount, currency) = side;
            let own = &accounts[position];
            let (category, kind) = if incoming {
                (Category::Income(IncomeCategory::TransferIn), kind(TransactionType::Income))
            } else {
                (Category::Expense(out_category), kind(TransactionType::Expense))
            };
            let line = format!("{}\u{1f}{incoming}\u{1f}{amount} {currency}", pair.join("\u{1f}"));
            let name = other.map_or(own.name.as_str(), |other| other.name.as_str());
            NewRow { account_id: own.account_id, kind, category, amount, currency, name, line }
        };
        let rows =
            [transfer.out.map(|side| row(side, to, false)), transfer.into.map(|side| row(side, from, true))];
        let mut made = Vec::new();
        for row in rows.into_iter().flatten() {
            made.push(self.transaction(booked, &row, notes)?);
        }
        if let [out, into] = made.as_mut_slice() {
            out.linked_transaction_id = Some(into.transaction_id);
            into.linked_transaction_id = Some(out.transaction_id);
            notes.report.transfer_rows += 2;
        }
        made.into_iter().for_each(|transaction| self.push(booked, transaction));
        Ok(())
    }

    fn transaction(
        &mut self,
        booked: &Booked,
        row: &NewRow<'_>,
        notes: &mut Notes,
    ) -> Result<Transaction, Fault> {
        let (amount_cents, exact) =
            cents(row.amount).filter(|(cents, _)| *cents <= AMOUNT_CENTS_MAX).ok_or_else(|| {
                booked.place.fault("an amount must be at most 9·10^13").received(row.amount.to_string())
            })?;
        if !exact {
            let amount = format!("{} {}", row.amount, row.currency);
            notes.report.rounded.push(Rounded { place: booked.place.to_string(), amount, amount_cents });
        }
        let title = booked.narration.as_ref().or(booked.payee.as_ref()).map_or(row.name, String::as_str);
        Ok(Transaction {
            user_id: self.identity.user_id,
            transaction_id: self.transaction_id(booked, &row.line),
            account_id: row.account_id,
            date: booked.date,
            transaction_type: row.kind,
            category: row.category,
            amount_cents,
            currency: row.currency,
            title: title.to_owned(),
            pending: false,
            provider_category: None,
            merchant_name: booked.payee.clone(),
            linked_transaction_id: None,
            own_category_id: None,
            tags: booked.tags(),
            note: None,
        })
    }

    /// Derives the identifier of a row from its date, payee, narration, account and amount, so that additions to the
    /// ledger do not change it. Rows that are equal in all of these are numbered in the order of the file.
    fn transaction_id(&mut self, booked: &Booked, line: &str) -> Uuid {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let source = [booked.date.to_string(), text(&booked.payee), text(&booked.narration), line.to_owned()];
        let source = source.join("\u{1e}");
        let ordinal = self.seen.entry(source.clone()).or_default();
        *ordinal += 1;
        self.identity.derive("transaction", &format!("{source}\u{1e}{ordinal}"))
    }

    fn push(&mut self, booked: &Booked, transaction: Transaction) {
        self.records
            .push(Located { place: booked.place.to_string(), record: Record::Transaction(transaction) });
    }
}
