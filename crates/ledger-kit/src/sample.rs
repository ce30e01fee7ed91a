//! The sample: people, transactions, assets and exchange rates, read from the tables in `data`.

mod assets;

use jiff::civil::date;
use passbook_domain::Money;
use passbook_domain::budget::BudgetCategoryEntry;
use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use passbook_domain::transaction::{Transaction, TransactionType};
use uuid::Uuid;

use crate::data::{LedgerData, Rate, StoredPerson};
use crate::table::{account_id, currency, day, id, lines};

const PEOPLE: &str = include_str!("../data/people.tsv");
const TRANSACTIONS: &str = include_str!("../data/transactions.tsv");
const RATES: &str = include_str!("../data/rates.tsv");

/// Identifiers of people and of budgets start after these numbers.
const PEOPLE_FROM: u128 = 0x6000;
const BUDGETS_FROM: u128 = 0x7000;

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

fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').filter(|item| *item != "-")
}

fn expense_category(text: &str) -> ExpenseCategory {
    ExpenseCategory::parse(text).expect("an expense category")
}
