//! Random settings, targets and transactions of a person with accounts.

use jiff::ToSpan as _;
use passbook_domain::Money;
use passbook_domain::budget::BudgetCategoryEntry;
use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use passbook_domain::label::{GroupLabel, Label};
use passbook_domain::transaction::{Transaction, TransactionType};
use uuid::Uuid;

use super::{Random, any_currency, day};
use crate::data::StoredPerson;

/// Maximum number of transactions, and their largest age in days and amount in cents.
const ROWS_MAX: usize = 70;
const OLDEST_DAYS: usize = 800;
const CENTS_MAX: i64 = 3_000_000;
/// Names that differ in case, accents and outer white space.
const MERCHANTS: [Option<&str>; 7] =
    [None, None, Some("Café"), Some("CAFÉ"), Some(" café "), Some("Zoo"), Some("Bäcker")];
const TITLES: [&str; 4] = ["MIETE MÄRZ", "Lastschrift", "100% JUICE_BAR", "Café am Zoo"];
/// In the order of their names.
const TAGS: [&str; 2] = ["Été 2026", "été zwei"];
/// Share of rows that belong to a payment of a fixed amount each month: one in this number.
const REGULAR_ONE_IN: usize = 4;
/// Share of rows after today: one in this number.
const PLANNED_ONE_IN: usize = 12;

pub(super) fn add(random: &mut Random, person: &mut StoredPerson) {
    use ExpenseCategory::{Groceries, Rent, Vacation};
    person.excluded_categories = [Vacation, Groceries].into_iter().filter(|_| random.one_in(2)).collect();
    for category in [Rent, Groceries, Vacation, ExpenseCategory::Books] {
        if random.one_in(2) {
            let code = any_currency(random);
            person.targets.push((category, Money::new(random.between(0, 500_000), code)));
        }
    }
    for (number, category) in [(100_u128, IncomeCategory::Salary), (101, IncomeCategory::Gift)] {
        let code = any_currency(random);
        let mut budget = BudgetCategoryEntry::new(Uuid::from_u128(number), category, code);
        budget.target_amount_cents = random.one_in(2).then(|| random.between(0, 500_000));
        person.budgeted_income.push(budget);
    }
    let own =
        |number: u128, name: &str, category| GroupLabel::new(Uuid::from_u128(number), name, Some(category));
    let (home, trip) = (Category::Expense(Groceries), Category::Expense(Vacation));
    person.own_categories = vec![own(201, "Haus", home), own(202, "Reise", trip)];
    person.own_categories.push(own(203, "Café", home).with_parent(Some(Uuid::from_u128(201))));
    person.transactions = (0..random.below(ROWS_MAX)).map(|number| row(random, person, number)).collect();
    for at in 0..person.transactions.len() {
        if random.one_in(3) {
            person.transactions[at].linked_transaction_id = link(random, &person.transactions, at);
        }
    }
}

fn row(random: &mut Random, person: &StoredPerson, number: usize) -> Transaction {
    let id = Uuid::from_u128(number as u128 + 1);
    let code = any_currency(random);
    let account = random.pick(&person.assets.accounts).account.id;
    let mut date = day(random, OLDEST_DAYS);
    let (kind, category) = kind(random.below(15));
    let mut cents = random.between(0, CENTS_MAX);
    let mut merchant = *random.pick(&MERCHANTS);
    if random.one_in(PLANNED_ONE_IN) {
        date = super::TODAY + jiff::Span::new().days(random.between(1, 40));
    }
    if random.one_in(REGULAR_ONE_IN) {
        let months = i32::try_from(number % 24).expect("few months");
        (date, cents, merchant) = (super::TODAY - months.months(), 1_599, Some("Streaming"));
    }
    let title = *random.pick(&TITLES);
    let mut row = Transaction::new(id, date, kind, category, Money::new(cents, code), title);
    row.account_id = Some(account);
    row.pending = random.one_in(7);
    row.merchant_name = merchant.map(str::to_owned);
    if random.one_in(2) {
        row.own_category = Some(random.pick(&person.own_categories).label.clone());
    }
    for (number, name) in (0_u128..).zip(TAGS) {
        let tag = Label { id: Uuid::from_u128(301 + number), name: name.to_owned() };
        row.tags.extend(random.one_in(3).then_some(tag));
    }
    row.note = random.one_in(5).then(|| "Café mit Zoë".to_owned());
    row
}

/// Returns type and category of a row, including refunds and transfers.
fn kind(number: usize) -> (TransactionType, Category) {
    use ExpenseCategory as E;
    use IncomeCategory as I;
    let expense = |category| (TransactionType::Expense, Category::Expense(category));
    let income = |category| (TransactionType::Income, Category::Income(category));
    match number {
        0 => expense(E::Rent),
        1 | 2 => expense(E::Groceries),
        3 => expense(E::Vacation),
        4 => expense(E::Uncategorized),
        5 | 6 => expense(E::Clothing),
        7 => income(I::Salary),
        8 | 9 => income(I::Refund),
        10 => income(I::TransferIn),
        11 => expense(E::TransferOut),
        12 => expense(E::CreditCardPayment),
        13 => (TransactionType::InternalTransfer, Category::Expense(E::TransferOut)),
        _ => (TransactionType::InternalTransfer, Category::Income(I::TransferIn)),
    }
}

/// Returns the row that a row links to: for a transfer another leg and for a refund an expense, each the first from a
/// random place on; for any other row a random row.
fn link(random: &mut Random, rows: &[Transaction], at: usize) -> Option<Uuid> {
    let row = &rows[at];
    let from = random.below(rows.len());
    let mut onwards = rows.iter().cycle().skip(from).take(rows.len());
    let found = match (row.r#type, row.category) {
        (TransactionType::InternalTransfer, _) => onwards.find(|other| may_be_legs(rows, row, other)),
        (_, Category::Income(IncomeCategory::Refund)) => {
            onwards.find(|other| other.r#type == TransactionType::Expense)
        }
        _ => rows.get(from).filter(|other| other.id != row.id),
    };
    found.map(|other| other.id)
}

/// Returns true if the transfers `row` and `other` may be linked: they move money in opposite directions on two
/// accounts, `other` links to nothing or to `row`, and no transfer except `other` links to `row`.
fn may_be_legs(rows: &[Transaction], row: &Transaction, other: &Transaction) -> bool {
    let is_transfer = |row: &Transaction| row.r#type == TransactionType::InternalTransfer;
    let links_here = |third: &&Transaction| is_transfer(third) && third.linked_transaction_id == Some(row.id);
    let is_income = |leg: &Transaction| matches!(leg.category, Category::Income(_));
    is_transfer(other)
        && is_income(other) != is_income(row)
        && other.account_id != row.account_id
        && other.linked_transaction_id.is_none_or(|back| back == row.id)
        && rows.iter().filter(links_here).all(|third| third.id == other.id)
}
