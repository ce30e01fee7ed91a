//! The sample: people, transactions, assets and exchange rates, read from the tables in `data`.

mod assets;

use jiff::civil::{Date, date};
use passbook_domain::budget::BudgetCategoryEntry;
use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use passbook_domain::label::{GroupLabel, Label};
use passbook_domain::transaction::{Transaction, TransactionType};
use passbook_domain::{Currency, Money};
use uuid::Uuid;

use crate::data::{LedgerData, Rate, StoredPerson};

const PEOPLE: &str = include_str!("../data/people.tsv");
const TRANSACTIONS: &str = include_str!("../data/transactions.tsv");
const LABELS: &str = include_str!("../data/labels.tsv");
const RATES: &str = include_str!("../data/rates.tsv");

/// Identifiers of people and of budgets start after these numbers.
const PEOPLE_FROM: u128 = 0x6000;
const BUDGETS_FROM: u128 = 0x7000;
/// Identifiers of own categories start after this number.
const OWN_CATEGORIES_FROM: u128 = 0x8000;

/// Returns the sample: the data that a ledger under test stores.
///
/// # Panics
/// Never: the tables are part of this crate, and its tests read them.
pub fn sample() -> LedgerData {
    let mut data = LedgerData::new(date(2026, 3, 31));
    data.people = (1..).zip(lines(PEOPLE)).map(|(number, fields)| person(number, &fields)).collect();
    for fields in lines(TRANSACTIONS) {
        let mut people = data.people.iter_mut();
        let owner = people.find(|person| person.name == fields[0]).expect("a listed person");
        owner.transactions.push(transaction(&fields));
    }
    for fields in lines(LABELS) {
        let owner = data.people.iter_mut().find(|person| person.name == fields[0]).expect("a listed person");
        add_labels(owner, &fields);
    }
    let rates = lines(RATES).map(|fields| Rate {
        currency: currency(fields[0]),
        day: day(fields[1]),
        units_per_base: fields[2].to_owned(),
    });
    data.rates = rates.collect();
    data
}

/// Returns the identifier of the transaction with a number of the table.
pub(crate) fn transaction_id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

fn person(number: u128, fields: &[&str]) -> StoredPerson {
    let [name, currency_code, time_zone, excluded, targets, income] = fields[..] else {
        panic!("{fields:?}")
    };
    let mut person = StoredPerson::new(Uuid::from_u128(PEOPLE_FROM + number), name);
    person.preferred_currency = currency(currency_code);
    person.time_zone = time_zone.to_owned();
    person.excluded_categories = items(excluded).map(expense_category).collect();
    person.targets = items(targets).map(target).collect();
    person.budgeted_income = items(income).map(budgeted_income).collect();
    person.assets = assets::assets(name);
    person
}

/// Reads a budget of an income category: its number, the category, the cents or a hyphen, and the currency.
fn budgeted_income(text: &str) -> BudgetCategoryEntry {
    let parts: Vec<&str> = text.split(':').collect();
    let [number, category, cents, code] = parts[..] else { panic!("{text}") };
    let category = IncomeCategory::parse(category).expect("an income category");
    let mut budget = BudgetCategoryEntry::new(id(BUDGETS_FROM, number), category, currency(code));
    budget.target_amount_cents = cents.parse().ok();
    budget
}

fn target(text: &str) -> (ExpenseCategory, Money) {
    let parts: Vec<&str> = text.split(':').collect();
    let [category, cents, code] = parts[..] else { panic!("{text}") };
    (expense_category(category), Money::new(cents.parse().expect("cents"), currency(code)))
}

fn transaction(fields: &[&str]) -> Transaction {
    let [_, number, date, kind, category, cents, code, state, account, link, title, merchant] = fields[..]
    else {
        panic!("{fields:?}")
    };
    let id = transaction_id(number.parse().expect("a number"));
    let kind = TransactionType::parse(kind).expect("a type");
    let category = Category::parse(category).expect("a category");
    let amount = Money::new(cents.parse().expect("cents"), currency(code));
    let mut transaction = Transaction::new(id, day(date), kind, category, amount, title);
    transaction.pending = state == "pending";
    transaction.account_id = Some(account_id(account));
    transaction.linked_transaction_id = link.parse().ok().map(transaction_id);
    transaction.merchant_name = (!merchant.is_empty()).then(|| merchant.to_owned());
    transaction
}

/// Adds an own category, or the labels of a transaction.
fn add_labels(person: &mut StoredPerson, fields: &[&str]) {
    let own_category = |number: &str| id(OWN_CATEGORIES_FROM, number);
    if let ["-", number, name, category, parent] = fields[1..] {
        let category = Category::parse(category).expect("a category");
        let parent = (parent != "-").then(|| own_category(parent));
        let label = GroupLabel::new(own_category(number), name, Some(category));
        person.own_categories.push(label.with_parent(parent));
        return;
    }
    let [number, own, tags, note] = fields[1..] else { panic!("{fields:?}") };
    let number = transaction_id(number.parse().expect("a number"));
    let row = person.transactions.iter_mut().find(|row| row.id == number).expect("a listed transaction");
    let found = person.own_categories.iter().find(|known| own != "-" && known.label.id == own_category(own));
    row.own_category = found.map(|known| known.label.clone());
    row.tags = items(tags).map(tag).collect();
    row.note = (!note.is_empty()).then(|| note.to_owned());
}

/// Returns the tag with a name. Its identifier is the bytes at the start of the name.
fn tag(name: &str) -> Label {
    let bytes = name.bytes().take(16).fold(0, |number, byte| number << 8 | u128::from(byte));
    Label { id: Uuid::from_u128(bytes), name: name.to_owned() }
}

fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').filter(|item| *item != "-")
}

fn expense_category(text: &str) -> ExpenseCategory {
    ExpenseCategory::parse(text).expect("an expense category")
}

/// Identifiers of accounts start after this number.
const ACCOUNTS_FROM: u128 = 0x1000;

/// Returns the fields of each row, without comments.
pub(crate) fn lines(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

/// Returns the identifier of the account with a number, which transactions and assets name.
pub(crate) fn account_id(number: &str) -> Uuid {
    id(ACCOUNTS_FROM, number)
}

/// Returns the identifier of a row with a number, in a table whose identifiers start after `from`.
pub(crate) fn id(from: u128, number: &str) -> Uuid {
    Uuid::from_u128(from + number.parse::<u128>().expect("a number"))
}

pub(crate) fn currency(text: &str) -> Currency {
    Currency::parse(text).expect("a currency code")
}

pub(crate) fn day(text: &str) -> Date {
    text.parse().expect("a date")
}
