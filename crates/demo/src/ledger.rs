//! Collects the transactions of the demo household while they are generated.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use jiff::civil::Date;
use passbook_domain::category::{
    Category, ExpenseCategory, ExpenseCategory as Spent, IncomeCategory, IncomeCategory as Received,
};
use passbook_domain::transaction::TransactionType;
use passbook_records::id;
use passbook_records::record::Transaction;
use uuid::Uuid;

use super::accounts::{OwnAccount, USER_ID};
use super::calendar::Window;

/// A transaction that has no identifier yet.
#[derive(Clone, Debug)]
pub(super) struct NewTransaction {
    pub(super) account: OwnAccount,
    pub(super) date: Date,
    transaction_type: TransactionType,
    category: Category,
    cents: i64,
    title: String,
    merchant: Option<String>,
    linked: Option<Uuid>,
    pending: bool,
}

impl NewTransaction {
    /// Creates an expense.
    pub(super) fn expense(
        account: OwnAccount,
        date: Date,
        category: ExpenseCategory,
        cents: i64,
    ) -> NewTransaction {
        NewTransaction::new(account, date, TransactionType::Expense, Category::Expense(category), cents)
    }

    /// Creates an income.
    pub(super) fn income(
        account: OwnAccount,
        date: Date,
        category: IncomeCategory,
        cents: i64,
    ) -> NewTransaction {
        NewTransaction::new(account, date, TransactionType::Income, Category::Income(category), cents)
    }

    fn new(
        account: OwnAccount,
        date: Date,
        kind: TransactionType,
        category: Category,
        cents: i64,
    ) -> NewTransaction {
        NewTransaction {
            account,
            date,
            transaction_type: kind,
            category,
            cents,
            title: String::new(),
            merchant: None,
            linked: None,
            pending: false,
        }
    }

    /// Sets the booking text of the bank.
    pub(super) fn title(self, title: impl Into<String>) -> NewTransaction {
        NewTransaction { title: title.into(), ..self }
    }

    /// Sets the merchant's name: the payee, or the payer of an income.
    pub(super) fn merchant(self, name: &str) -> NewTransaction {
        NewTransaction { merchant: Some(name.to_owned()), ..self }
    }

    /// Links the counterpart: the purchase of a refund, or the pending row that a posted row replaces.
    pub(super) fn linked(self, counterpart: Uuid) -> NewTransaction {
        NewTransaction { linked: Some(counterpart), ..self }
    }

    /// Marks the row as not yet posted by the bank.
    pub(super) fn pending(self) -> NewTransaction {
        NewTransaction { pending: true, ..self }
    }
}

/// A transfer between two accounts of the household.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transfer {
    pub(super) from: OwnAccount,
    pub(super) to: OwnAccount,
    pub(super) date: Date,
    pub(super) cents: i64,
    /// Category of the outgoing leg: `TRANSFER_OUT`, or `CREDIT_CARD_PAYMENT` when a card is paid.
    pub(super) out_category: ExpenseCategory,
    pub(super) out_title: &'static str,
    pub(super) in_title: &'static str,
}

/// The transactions generated so far.
#[derive(Debug)]
pub(super) struct Ledger {
    pub(super) window: Window,
    rows: Vec<(OwnAccount, Transaction)>,
    /// Number of rows so far by account and day. It numbers the rows of a day.
    counts: BTreeMap<(OwnAccount, Date), u32>,
}

impl Ledger {
    /// Creates a ledger without transactions.
    pub(super) fn new(window: Window) -> Ledger {
        Ledger { window, rows: Vec::new(), counts: BTreeMap::new() }
    }

    /// Returns true if the bank has reported transactions of this day: the day is in the window, not after the closing
    /// of the account, and not after the bank's last update.
    fn is_reported(&self, account: OwnAccount, date: Date) -> bool {
        self.window.covers(date)
            && date <= account.known_until(self.window.today)
            && account.closed_on(self.window.today).is_none_or(|closed| date <= closed)
    }

    /// Adds a transaction and returns its identifier, or `None` if the bank has not reported that day.
    pub(super) fn add(&mut self, entry: NewTransaction) -> Option<Uuid> {
        if !self.is_reported(entry.account, entry.date) {
            return None;
        }
        let transaction_id = self.next_id(entry.account, entry.date);
        self.write(transaction_id, entry);
        Some(transaction_id)
    }

    /// Adds both legs of a transfer, linked to each other.
    pub(super) fn transfer(&mut self, transfer: Transfer) {
        let Transfer { from, to, date, cents, .. } = transfer;
        if !self.is_reported(from, date) || !self.is_reported(to, date) {
            return;
        }
        let out_id = self.next_id(from, date);
        let in_id = self.next_id(to, date);
        let leg = |account, category, title: &str, counterpart| {
            NewTransaction::new(account, date, TransactionType::InternalTransfer, category, cents)
                .title(title)
                .linked(counterpart)
        };
        self.write(out_id, leg(from, Category::Expense(transfer.out_category), transfer.out_title, in_id));
        self.write(in_id, leg(to, Category::Income(IncomeCategory::TransferIn), transfer.in_title, out_id));
    }

    fn next_id(&mut self, account: OwnAccount, date: Date) -> Uuid {
        let count = self.counts.entry((account, date)).or_insert(0);
        *count += 1;
        id::derive(USER_ID, "transaction", &format!("{}/{date}/{count}", account.key()))
    }

    fn write(&mut self, transaction_id: Uuid, entry: NewTransaction) {
        // Recent card purchases are pending: the bank posts them after one or two days.
        let fresh = entry.date > self.window.today - 2.days();
        let unposted = fresh
            && entry.account == OwnAccount::Card
            && entry.transaction_type == TransactionType::Expense
            && entry.linked.is_none();
        let row = Transaction {
            user_id: USER_ID,
            transaction_id,
            account_id: entry.account.account_id(),
            date: entry.date,
            transaction_type: entry.transaction_type,
            category: entry.category,
            amount_cents: entry.cents,
            currency: entry.account.currency(),
            title: entry.title,
            pending: entry.pending || unposted,
            provider_category: provider_category(entry.category).map(str::to_owned),
            merchant_name: entry.merchant,
            linked_transaction_id: entry.linked,
            own_category_id: None,
            tags: Vec::new(),
            note: None,
        };
        self.rows.push((entry.account, row));
    }

    /// Returns the cash of an account at the end of a day, pending rows excluded.
    pub(super) fn balance(&self, account: OwnAccount, day: Date) -> i64 {
        let moved: i64 = self.posted(account).filter(|row| row.date <= day).map(signed).sum();
        account.facts().opening_cents + moved
    }

    /// Iterates over the posted rows of an account in the order added.
    pub(super) fn posted(&self, account: OwnAccount) -> impl Iterator<Item = &Transaction> {
        self.rows.iter().filter(move |(on, row)| *on == account && !row.pending).map(|(_, row)| row)
    }

    /// Returns every row, oldest first.
    pub(super) fn into_rows(self) -> Vec<Transaction> {
        let mut rows: Vec<Transaction> = self.rows.into_iter().map(|(_, row)| row).collect();
        rows.sort_by_key(|row| row.date);
        rows
    }
}

/// Returns the amount of a transaction, negative for outgoing money.
pub(super) fn signed(row: &Transaction) -> i64 {
    match row.category {
        Category::Income(_) => row.amount_cents,
        Category::Expense(_) => -row.amount_cents,
    }
}

/// Returns the aggregator's detailed code for a category, or `None` if an aggregator would not recognise the row.
fn provider_category(category: Category) -> Option<&'static str> {
    match category {
        Category::Expense(spent) => expense_label(spent),
        Category::Income(Received::Salary) => Some("INCOME_SALARY"),
        Category::Income(Received::Dividend) => Some("INCOME_DIVIDENDS"),
        Category::Income(Received::Interest) => Some("INCOME_INTEREST_EARNED"),
        Category::Income(Received::Freelance) => Some("INCOME_CONTRACTOR"),
        Category::Income(Received::TransferIn) => Some("TRANSFER_IN_ACCOUNT_TRANSFER"),
        Category::Income(_) => None,
    }
}

fn expense_label(spent: Spent) -> Option<&'static str> {
    let label = match spent {
        Spent::Groceries => "FOOD_AND_DRINK_GROCERIES",
        Spent::Restaurant => "FOOD_AND_DRINK_RESTAURANT",
        Spent::FastFood => "FOOD_AND_DRINK_FAST_FOOD",
        Spent::Coffee => "FOOD_AND_DRINK_COFFEE",
        Spent::Books => "GENERAL_MERCHANDISE_BOOKSTORES_AND_NEWSSTANDS",
        Spent::Clothing => "GENERAL_MERCHANDISE_CLOTHING_AND_ACCESSORIES",
        Spent::Electronics => "GENERAL_MERCHANDISE_ELECTRONICS",
        Spent::Marketplace => "GENERAL_MERCHANDISE_ONLINE_MARKETPLACES",
        Spent::Pharmacy => "MEDICAL_PHARMACIES_AND_SUPPLEMENTS",
        Spent::Dentist => "MEDICAL_DENTAL_CARE",
        Spent::Cinema => "ENTERTAINMENT_TV_AND_MOVIES",
        Spent::VideoGames => "ENTERTAINMENT_VIDEO_GAMES",
        Spent::Fitness => "PERSONAL_CARE_GYMS_AND_FITNESS_CENTERS",
        Spent::Beauty => "PERSONAL_CARE_HAIR_AND_BEAUTY",
        Spent::Insurance => "GENERAL_SERVICES_INSURANCE",
        Spent::Donation => "GOVERNMENT_AND_NON_PROFIT_DONATIONS",
        Spent::PublicTransport => "TRANSPORTATION_PUBLIC_TRANSIT",
        Spent::Taxi => "TRANSPORTATION_TAXIS_AND_RIDE_SHARES",
        Spent::Flights => "TRAVEL_FLIGHTS",
        Spent::Lodging => "TRAVEL_LODGING",
        Spent::Vacation => "TRAVEL_OTHER_TRAVEL",
        Spent::Rent => "RENT_AND_UTILITIES_RENT",
        Spent::Energy => "RENT_AND_UTILITIES_GAS_AND_ELECTRICITY",
        Spent::Water => "RENT_AND_UTILITIES_WATER",
        Spent::Internet => "RENT_AND_UTILITIES_INTERNET_AND_CABLE",
        Spent::Phone => "RENT_AND_UTILITIES_TELEPHONE",
        Spent::TransferOut => "TRANSFER_OUT_ACCOUNT_TRANSFER",
        Spent::CashWithdrawal => "TRANSFER_OUT_WITHDRAWAL",
        Spent::CreditCardPayment => "LOAN_PAYMENTS_CREDIT_CARD_PAYMENT",
        _ => return None,
    };
    Some(label)
}
