//! The sample: people, transactions, assets and exchange rates, read from the tables in `data`.

mod assets;

use jiff::civil::{Date, date};
use passbook_domain::assets::Assets;
use passbook_domain::category::{Category, ExpenseCategory};
use passbook_domain::transaction::{Transaction, TransactionType};
use passbook_domain::{Currency, Money};
use uuid::Uuid;

use crate::table::{account_id, currency, day, lines};

const PEOPLE: &str = include_str!("../data/people.tsv");
const TRANSACTIONS: &str = include_str!("../data/transactions.tsv");
const RATES: &str = include_str!("../data/rates.tsv");

/// The data that a ledger under test stores.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sample {
    /// The day that the ledger must use as today.
    pub today: Date,
    /// The base currency of the rates.
    pub base: Currency,
    /// The exchange rates, which are the same for everybody.
    pub rates: Vec<Rate>,
    /// The people with their rows.
    pub people: Vec<SamplePerson>,
}

/// One exchange rate.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rate {
    /// The currency.
    pub currency: Currency,
    /// The day of the rate.
    pub day: Date,
    /// Number of units of the currency that are worth one unit of the base currency, as a decimal number.
    pub units_per_base: &'static str,
}

/// One person of the sample.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SamplePerson {
    /// Name by which [`Subject::open`](crate::Subject::open) gets the person.
    pub name: &'static str,
    /// Preferred currency.
    pub preferred_currency: Currency,
    /// IANA name of the time zone.
    pub time_zone: &'static str,
    /// Excluded expense categories.
    pub excluded_categories: Vec<ExpenseCategory>,
    /// Monthly targets of expense categories.
    pub targets: Vec<(ExpenseCategory, Money)>,
    /// The transactions, each with an account. Links are those of the bank: also between a posted and a pending row.
    pub transactions: Vec<Transaction>,
    /// The banks, accounts and wallets. A ledger computes number of accounts and days since the last update of a bank.
    pub assets: Assets,
}

/// Returns the sample.
///
/// # Panics
/// Never: the tables are part of this crate, and its tests read them.
pub fn sample() -> Sample {
    let mut people: Vec<SamplePerson> = lines(PEOPLE).map(|fields| person(&fields)).collect();
    for fields in lines(TRANSACTIONS) {
        let owner = people.iter_mut().find(|person| person.name == fields[0]).expect("a listed person");
        owner.transactions.push(transaction(&fields));
    }
    let rates = lines(RATES).map(|fields| Rate {
        currency: currency(fields[0]),
        day: day(fields[1]),
        units_per_base: fields[2],
    });
    Sample { today: date(2026, 3, 31), base: Currency::EUR, rates: rates.collect(), people }
}

/// Returns the identifier of the transaction with a number of the table.
pub(crate) fn transaction_id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

fn person(fields: &[&'static str]) -> SamplePerson {
    let [name, currency_code, time_zone, excluded, targets] = fields[..] else { panic!("{fields:?}") };
    SamplePerson {
        name,
        preferred_currency: currency(currency_code),
        time_zone,
        excluded_categories: items(excluded).map(expense_category).collect(),
        targets: items(targets).map(target).collect(),
        transactions: Vec::new(),
        assets: assets::assets(name),
    }
}

fn target(text: &str) -> (ExpenseCategory, Money) {
    let parts: Vec<&str> = text.split(':').collect();
    let [category, cents, code] = parts[..] else { panic!("{text}") };
    (expense_category(category), Money::new(cents.parse().expect("cents"), currency(code)))
}

fn transaction(fields: &[&'static str]) -> Transaction {
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

fn items(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split(',').filter(|item| *item != "-")
}

fn expense_category(text: &str) -> ExpenseCategory {
    ExpenseCategory::parse(text).expect("an expense category")
}
