//! Reads the settings, transactions, budgets and rates of everybody from the tables, for a ledger in memory.

use std::collections::HashMap;

use passbook_domain::bank::{Bank, BankStatus};
use passbook_domain::budget::BudgetCategoryEntry;
use passbook_domain::category::{Category, ExpenseCategory};
use passbook_domain::label::{GroupLabel, Label};
use passbook_domain::month_start::MonthStart;
use passbook_domain::portfolio::{Account, AccountType};
use passbook_domain::transaction::{Transaction, TransactionType};
use passbook_domain::{Currency, Money};
use passbook_ledger_kit::assets::StoredAccount;
use passbook_ledger_kit::{LedgerData, Rate, StoredPerson};
use tokio_postgres::{Client, Row};
use uuid::Uuid;

use crate::app::TODAY;

/// Reads the rows of everybody as a superuser: settings, names of banks and accounts, budgets, transactions and rates.
pub async fn read(superuser: &Client) -> LedgerData {
    let rows =
        async |sql: &str| superuser.query(sql, &[]).await.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    let mut data = LedgerData::new(TODAY);
    for row in rows("select currency, date, trim_scale(rate)::text from passbook.exchange_rates").await {
        data.rates.push(Rate { currency: currency(&row, 0), day: row.get(1), units_per_base: row.get(2) });
    }
    let people =
        "select user_id, email, preferred_currency, time_zone, month_start from passbook.users order by 1";
    for row in rows(people).await {
        let mut person = StoredPerson::new(row.get(0), row.get::<_, &str>(1));
        person.preferred_currency = currency(&row, 2);
        person.time_zone = row.get(3);
        person.month_start = MonthStart::from_number(row.get(4)).expect("a start");
        data.people.push(person);
    }
    for row in rows("select user_id, category from passbook.excluded_categories").await {
        let category = ExpenseCategory::parse(row.get(1)).expect("an expense category");
        of(&mut data, &row).excluded_categories.push(category);
    }
    for row in rows("select user_id, budget_id, category, target_cents, currency from passbook.budgets").await
    {
        let (id, cents, currency): (_, Option<i64>, _) = (row.get(1), row.get(3), currency(&row, 4));
        let person = of(&mut data, &row);
        match category(row.get(2)) {
            Category::Expense(category) => {
                person.targets.extend(cents.map(|cents| (category, Money::new(cents, currency))));
            }
            Category::Income(category) => {
                let mut budget = BudgetCategoryEntry::new(id, category, currency);
                budget.target_amount_cents = cents;
                person.budgeted_income.push(budget);
            }
        }
    }
    for row in rows("select user_id, bank_id, name from passbook.bank_connections").await {
        let bank = Bank::new(row.get(1), row.get::<_, &str>(2), BankStatus::Manual);
        of(&mut data, &row).assets.banks.push(bank);
    }
    for row in rows("select user_id, account_id, bank_id, name from passbook.accounts").await {
        let name: &str = row.get(3);
        let account = Account::new(row.get(1), name, AccountType::Other, Currency::EUR);
        of(&mut data, &row).assets.accounts.push(StoredAccount::new(row.get(2), account));
    }
    for row in
        rows("select user_id, own_category_id, name, category, parent_id from passbook.own_categories").await
    {
        let own = GroupLabel::new(row.get(1), row.get::<_, &str>(2), Some(category(row.get(3))));
        of(&mut data, &row).own_categories.push(own.with_parent(row.get(4)));
    }
    let mut names: HashMap<Uuid, String> = HashMap::new();
    for row in rows("select user_id, tag_id, name from passbook.tags").await {
        names.insert(row.get(1), row.get(2));
        of(&mut data, &row).tags.push(Label { id: row.get(1), name: row.get(2) });
    }
    let transactions = "select user_id, transaction_id, date, type, category, amount_cents, currency, title, pending, \
                        merchant_name, linked_transaction_id, account_id, provider_category, own_category_id, tag_ids, \
                        note from passbook.transactions";
    for row in rows(transactions).await {
        let kind = TransactionType::parse(row.get(3)).expect("a type");
        let amount = Money::new(row.get(5), currency(&row, 6));
        let title: &str = row.get(7);
        let mut stored = Transaction::new(row.get(1), row.get(2), kind, category(row.get(4)), amount, title);
        stored.pending = row.get(8);
        stored.merchant_name = row.get(9);
        stored.linked_transaction_id = row.get(10);
        stored.account_id = row.get(11);
        stored.provider_category = row.get(12);
        stored.note = row.get(15);
        let person = of(&mut data, &row);
        let own = person.own_categories.iter().find(|own| Some(own.label.id) == row.get(13));
        stored.own_category = own.map(|own| own.label.clone());
        let tags: Vec<Uuid> = row.get::<_, Option<_>>(14).unwrap_or_default();
        stored.tags = tags.into_iter().map(|id| Label { id, name: names[&id].clone() }).collect();
        stored.tags.sort_by(|one, other| one.name.cmp(&other.name));
        person.transactions.push(stored);
    }
    data
}

/// Returns the person whose identifier is in the first column.
fn of<'a>(data: &'a mut LedgerData, row: &Row) -> &'a mut StoredPerson {
    let user: Uuid = row.get(0);
    data.people.iter_mut().find(|person| person.id == user).expect("every row belongs to a person")
}

fn category(word: &str) -> Category {
    Category::parse(word).expect("a category")
}

fn currency(row: &Row, column: usize) -> Currency {
    Currency::parse(row.get(column)).expect("a currency code")
}
