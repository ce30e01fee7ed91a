//! Banks, accounts, balances, transactions and budgets of a twin.

use domain::Currency;
use domain::bank::BankStatus;
use domain::category::{Category, ExpenseCategory, IncomeCategory};
use domain::portfolio::AccountType;
use domain::transaction::TransactionType;
use formats::record::{Account, BalanceSnapshot, Bank, Budget, Record, Transaction};
use jiff::ToSpan as _;

use super::{Twin, at};
use crate::app::TODAY;
use crate::household::{currency_of, day};

/// Months of movements, the current one included.
const MONTHS: i32 = 14;

pub(super) fn fill(twin: &mut Twin) {
    banks(twin);
    accounts(twin);
    for month in 0..MONTHS {
        every_month(twin, month);
    }
    once(twin);
    budgets(twin);
}

fn banks(twin: &mut Twin) {
    let healthy = Bank {
        user_id: twin.household.user.user_id,
        bank_id: twin.id("first bank"),
        name: "First Platypus".to_owned(),
        status: BankStatus::Connected,
        new_accounts_available: false,
        last_successful_update: Some(at("2026-11-20T06:12:03Z")),
        last_failed_update: None,
        consent_expires_at: Some(at("2027-02-01T00:00:00Z")),
        error_code: None,
    };
    let failing = Bank {
        bank_id: twin.id("second bank"),
        name: twin.marked("Second Platypus"),
        status: BankStatus::NeedsUpdate,
        new_accounts_available: true,
        last_successful_update: Some(at("2026-11-15T06:12:03Z")),
        last_failed_update: Some(at("2026-11-20T06:12:01Z")),
        error_code: Some(twin.marked_code("LOGIN_REQUIRED")),
        ..healthy.clone()
    };
    twin.others.extend([Record::Bank(healthy), Record::Bank(failing)]);
}

fn accounts(twin: &mut Twin) {
    let [checking, savings, card, depot] =
        twin.household.accounts.as_slice().try_into().expect("a twin has four accounts");
    let open = Account {
        user_id: twin.household.user.user_id,
        account_id: checking,
        bank_id: twin.id("first bank"),
        name: "Checking".to_owned(),
        account_type: AccountType::Depository,
        subtype: "checking".to_owned(),
        currency: Currency::EUR,
        balance_cents: 240_117 * twin.factor,
        balance_updated_at: at("2026-11-20T06:12:03Z"),
        closed_on: None,
        source: Some(twin.marked("household.beancount")),
    };
    let accounts = [
        Account {
            account_id: savings,
            bank_id: twin.id("second bank"),
            name: twin.marked("Savings"),
            subtype: "savings".to_owned(),
            currency: currency_of("USD"),
            balance_cents: 910_113 * twin.factor,
            ..open.clone()
        },
        Account {
            account_id: card,
            name: twin.marked("Card"),
            account_type: AccountType::Credit,
            subtype: format!("credit card of {}", twin.word),
            balance_cents: -48_119 * twin.factor,
            ..open.clone()
        },
        Account {
            account_id: depot,
            name: "Depot".to_owned(),
            account_type: AccountType::Investment,
            subtype: "brokerage".to_owned(),
            balance_cents: 1_200_111 * twin.factor,
            ..open.clone()
        },
        open,
    ];
    for account in accounts {
        for month in 0..MONTHS {
            twin.others.push(Record::BalanceSnapshot(BalanceSnapshot {
                user_id: account.user_id,
                account_id: account.account_id,
                as_of: TODAY.checked_sub(month.months()).expect("in range"),
                balance_cents: account.balance_cents - i64::from(month) * 1_009 * twin.factor,
            }));
        }
        twin.others.push(Record::Account(account));
    }
}

/// What comes every month, `month` months ago.
fn every_month(twin: &mut Twin, month: i32) {
    use {ExpenseCategory as E, IncomeCategory as I};
    let first = day("2026-11-01").checked_sub(month.months()).expect("in range");
    let on = |number: i64| first.checked_add((number - 1).days()).expect("in range").to_string();
    let landlord = twin.marked("Landlord");
    let rent = expense(twin, &on(1), E::Rent, 120_000, "EUR", "Rent");
    rent.merchant_name = Some(landlord);
    expense(twin, &on(3), E::Subscriptions, 1_599, "EUR", "Films").merchant_name = Some("Netflix".to_owned());
    let coffee = expense(twin, &on(5), E::Coffee, 450, "USD", "Café Crème");
    coffee.merchant_name = Some("Café Crème".to_owned());
    coffee.provider_category = Some("FOOD_AND_DRINK_COFFEE".to_owned());
    let (category, title) = (twin.categories[0], twin.marked("Something of my own"));
    let own = row(twin, &on(6), TransactionType::Expense, category, 2_717, "EUR", &title);
    own.provider_category = Some(title);
    expense(twin, &on(9), E::Groceries, 8_713, "EUR", "Market").account_id = twin_account(twin, 1);
    expense(twin, &on(11), E::Vacation, 31_109, "EUR", "Train");
    income(twin, &on(2), I::Salary, 310_007, "EUR", "Salary");
}

/// What happens once: a transfer, a refund, what is pending, what has no rate.
fn once(twin: &mut Twin) {
    use {ExpenseCategory as E, IncomeCategory as I};
    let transfer = TransactionType::InternalTransfer;
    let (out, into) = (Category::Expense(E::TransferOut), Category::Income(I::TransferIn));
    let out = row(twin, "2026-11-10", transfer, out, 50_021, "EUR", "To savings").transaction_id;
    let to = twin_account(twin, 1);
    let arrived = row(twin, "2026-11-10", transfer, into, 50_021, "EUR", "From checking");
    (arrived.account_id, arrived.linked_transaction_id) = (to, Some(out));
    let arrived = arrived.transaction_id;
    let rows = &mut twin.household.transactions;
    rows.iter_mut().find(|row| row.transaction_id == out).expect("just added").linked_transaction_id =
        Some(arrived);

    let shoes = expense(twin, "2026-11-07", E::Clothing, 8_990, "EUR", "Shoes").transaction_id;
    income(twin, "2026-11-12", I::Refund, 8_990, "EUR", "Shoes").linked_transaction_id = Some(shoes);

    let reserved = expense(twin, "2026-11-14", E::Fuel, 6_001, "EUR", "Fuel");
    reserved.pending = true;
    let reserved = reserved.transaction_id;
    expense(twin, "2026-11-16", E::Fuel, 6_103, "EUR", "Fuel").linked_transaction_id = Some(reserved);
    expense(twin, "2026-11-20", E::Restaurant, 4_211, "EUR", "Dinner").pending = true;
    expense(twin, "2026-11-18", E::Books, 300_000, "JPY", "Books");
}

fn budgets(twin: &mut Twin) {
    let [expense, income] = twin.categories;
    let shared = |category| Category::Expense(category);
    for (category, target_cents, currency) in [
        (shared(ExpenseCategory::Groceries), 40_000, "EUR"),
        (shared(ExpenseCategory::Coffee), 3_000, "USD"),
        (expense, 5_000, "EUR"),
        (Category::Income(IncomeCategory::Salary), 310_000, "EUR"),
        (income, 20_000, "EUR"),
    ] {
        let budget = Budget {
            user_id: twin.household.user.user_id,
            budget_id: twin.id(&format!("budget {}", twin.household.budgets.len())),
            category,
            target_cents: Some(target_cents * twin.factor),
            currency: currency_of(currency),
        };
        twin.household.budgets.push(budget);
    }
}

fn twin_account(twin: &Twin, number: usize) -> uuid::Uuid {
    twin.household.accounts[number]
}

fn expense<'a>(
    twin: &'a mut Twin,
    date: &str,
    category: ExpenseCategory,
    cents: i64,
    currency: &str,
    title: &str,
) -> &'a mut Transaction {
    row(twin, date, TransactionType::Expense, Category::Expense(category), cents, currency, title)
}

fn income<'a>(
    twin: &'a mut Twin,
    date: &str,
    category: IncomeCategory,
    cents: i64,
    currency: &str,
    title: &str,
) -> &'a mut Transaction {
    row(twin, date, TransactionType::Income, Category::Income(category), cents, currency, title)
}

fn row<'a>(
    twin: &'a mut Twin,
    date: &str,
    transaction_type: TransactionType,
    category: Category,
    cents: i64,
    currency: &str,
    title: &str,
) -> &'a mut Transaction {
    let id = twin.id(&format!("transaction {}", twin.household.transactions.len()));
    let factor = twin.factor;
    let row = twin.household.row(date, transaction_type, category, cents * factor, currency);
    row.transaction_id = id;
    row.title = title.to_owned();
    row
}
