//! Banks, accounts, balances, transactions and budgets of a tenant.

use jiff::ToSpan as _;
use passbook_domain::Currency;
use passbook_domain::bank::BankStatus;
use passbook_domain::category::Category::{self, Expense, Income};
use passbook_domain::category::{ExpenseCategory as E, IncomeCategory as I};
use passbook_domain::portfolio::AccountType;
use passbook_domain::transaction::TransactionType;
use passbook_records::record::{Account, BalanceSnapshot, Bank, Budget, OwnCategory, Record, Transaction};

use super::tenant::{Tenant, at};
use crate::app::TODAY;
use crate::household::{day, parse_currency};

/// Number of months with transactions and balances, the current month included.
const MONTHS: i32 = 14;

pub(super) fn fill(tenant: &mut Tenant) {
    banks(tenant);
    accounts(tenant);
    own_categories(tenant);
    for month in 0..MONTHS {
        every_month(tenant, month);
    }
    once(tenant);
    budgets(tenant);
}

fn banks(tenant: &mut Tenant) {
    let healthy = Bank {
        user_id: tenant.household.user.user_id,
        bank_id: tenant.id("first bank"),
        name: "First Platypus".to_owned(),
        status: BankStatus::Connected,
        new_accounts_available: false,
        last_successful_update: Some(at("2026-11-20T06:12:03Z")),
        last_failed_update: None,
        consent_expires_at: Some(at("2027-02-01T00:00:00Z")),
        error_code: None,
    };
    let failing = Bank {
        bank_id: tenant.id("second bank"),
        name: tenant.marked("Second Platypus"),
        status: BankStatus::NeedsUpdate,
        new_accounts_available: true,
        last_successful_update: Some(at("2026-11-15T06:12:03Z")),
        last_failed_update: Some(at("2026-11-20T06:12:01Z")),
        error_code: Some(tenant.marked_code("LOGIN_REQUIRED")),
        ..healthy.clone()
    };
    tenant.other_records.extend([Record::Bank(healthy), Record::Bank(failing)]);
}

fn accounts(tenant: &mut Tenant) {
    let [checking, savings, card, depot] =
        tenant.household.accounts.as_slice().try_into().expect("a tenant has four accounts");
    let open = Account {
        user_id: tenant.household.user.user_id,
        account_id: checking,
        bank_id: tenant.id("first bank"),
        name: "Checking".to_owned(),
        account_type: AccountType::Depository,
        subtype: "checking".to_owned(),
        currency: Currency::EUR,
        balance_cents: Some(240_117 * tenant.factor),
        balance_updated_at: Some(at("2026-11-20T06:12:03Z")),
        opened_on: None,
        closed_on: None,
        rows_complete_from: Some(TODAY.first_of_year()),
        source: Some(format!("beancount:{}", tenant.marked("main"))),
    };
    let accounts = [
        Account {
            account_id: savings,
            bank_id: tenant.id("second bank"),
            name: tenant.marked("Savings"),
            subtype: "savings".to_owned(),
            currency: parse_currency("USD"),
            balance_cents: Some(910_113 * tenant.factor),
            ..open.clone()
        },
        Account {
            account_id: card,
            name: tenant.marked("Card"),
            account_type: AccountType::Credit,
            subtype: format!("credit card of {}", tenant.word),
            balance_cents: Some(-48_119 * tenant.factor),
            ..open.clone()
        },
        Account {
            account_id: depot,
            name: "Depot".to_owned(),
            account_type: AccountType::Investment,
            subtype: "brokerage".to_owned(),
            balance_cents: Some(1_200_111 * tenant.factor),
            ..open.clone()
        },
        open,
    ];
    for account in accounts {
        let balance_cents = account.balance_cents.expect("every account has a balance");
        for month in 0..MONTHS {
            tenant.other_records.push(Record::BalanceSnapshot(BalanceSnapshot {
                user_id: account.user_id,
                account_id: account.account_id,
                as_of: TODAY.checked_sub(month.months()).expect("in range"),
                balance_cents: balance_cents - i64::from(month) * 1_009 * tenant.factor,
            }));
        }
        tenant.other_records.push(Record::Account(account));
    }
}

/// Adds an own category that is named by the mark, and one that it contains.
fn own_categories(tenant: &mut Tenant) {
    let parent = OwnCategory {
        user_id: tenant.household.user.user_id,
        own_category_id: tenant.id("parent of own category"),
        name: tenant.word.clone(),
        category: Expense(E::Groceries),
        parent_id: None,
    };
    let own = OwnCategory {
        own_category_id: tenant.id("own category"),
        name: tenant.marked("Market"),
        parent_id: Some(parent.own_category_id),
        ..parent.clone()
    };
    tenant.other_records.extend([Record::OwnCategory(parent), Record::OwnCategory(own)]);
}

/// Adds the monthly transactions of the month that is `month` months ago.
fn every_month(tenant: &mut Tenant, month: i32) {
    let first = day("2026-11-01").checked_sub(month.months()).expect("in range");
    let on = |number: i64| first.checked_add((number - 1).days()).expect("in range").to_string();
    let landlord = tenant.marked("Landlord");
    let rent = row(tenant, &on(1), Expense(E::Rent), 120_000, "EUR", "Rent");
    rent.merchant_name = Some(landlord);
    row(tenant, &on(3), Expense(E::Subscriptions), 1_599, "EUR", "Films").merchant_name =
        Some("Netflix".to_owned());
    let coffee = row(tenant, &on(5), Expense(E::Coffee), 450, "USD", "Café Crème");
    coffee.merchant_name = Some("Café Crème".to_owned());
    coffee.provider_category = Some("FOOD_AND_DRINK_COFFEE".to_owned());
    let (category, title) = (tenant.categories[0], tenant.marked("Something of my own"));
    let own = row(tenant, &on(6), category, 2_717, "EUR", &title);
    own.provider_category = Some(title);
    let own_category = tenant.id("own category");
    let (tags, note) = ([tenant.word.clone(), tenant.marked("Trip")], tenant.marked("Note"));
    let market = row(tenant, &on(9), Expense(E::Groceries), 8_713, "EUR", "Market");
    market.own_category_id = Some(own_category);
    (market.tags, market.note) = (tags.to_vec(), Some(note));
    row(tenant, &on(11), Expense(E::Vacation), 31_109, "EUR", "Train");
    row(tenant, &on(2), Income(I::Salary), 310_007, "EUR", "Salary");
}

/// Adds single transactions: a transfer, a refund, pending rows, a row after today, and a row in a currency without a rate.
fn once(tenant: &mut Tenant) {
    let out = row(tenant, "2026-11-10", Expense(E::TransferOut), 50_021, "EUR", "To savings").transaction_id;
    let to = account_id(tenant, 1);
    let arrived = row(tenant, "2026-11-10", Income(I::TransferIn), 50_021, "EUR", "From checking");
    (arrived.account_id, arrived.linked_transaction_id) = (to, Some(out));
    let arrived = arrived.transaction_id;
    let rows = &mut tenant.household.transactions;
    rows.iter_mut().find(|row| row.transaction_id == out).expect("just added").linked_transaction_id =
        Some(arrived);

    let shoes = row(tenant, "2026-11-07", Expense(E::Clothing), 8_990, "EUR", "Shoes").transaction_id;
    let returned = tenant.marked("Shoes");
    row(tenant, "2026-11-12", Income(I::Refund), 8_990, "EUR", &returned).linked_transaction_id = Some(shoes);

    let reserved = row(tenant, "2026-11-14", Expense(E::Fuel), 6_001, "EUR", "Fuel");
    reserved.pending = true;
    let reserved = reserved.transaction_id;
    row(tenant, "2026-11-16", Expense(E::Fuel), 6_103, "EUR", "Fuel").linked_transaction_id = Some(reserved);
    row(tenant, "2026-11-20", Expense(E::Restaurant), 4_211, "EUR", "Dinner").pending = true;
    row(tenant, "2026-11-18", Expense(E::Books), 300_000, "JPY", "Books");
    row(tenant, "2026-11-28", Expense(E::Books), 2_309, "EUR", "Ordered book");
}

fn budgets(tenant: &mut Tenant) {
    let [expense, income] = tenant.categories;
    for (category, target_cents, currency) in [
        (Expense(E::Groceries), 40_000, "EUR"),
        (Expense(E::Coffee), 3_000, "USD"),
        (expense, 5_000, "EUR"),
        (Income(I::Salary), 310_000, "EUR"),
        (income, 20_000, "EUR"),
    ] {
        let budget = Budget {
            user_id: tenant.household.user.user_id,
            budget_id: tenant.id(&format!("budget {}", tenant.household.budgets.len())),
            category,
            target_cents: Some(target_cents * tenant.factor),
            currency: parse_currency(currency),
        };
        tenant.household.budgets.push(budget);
    }
}

fn account_id(tenant: &Tenant, number: usize) -> uuid::Uuid {
    tenant.household.accounts[number]
}

fn row<'a>(
    tenant: &'a mut Tenant,
    date: &str,
    category: Category,
    cents: i64,
    currency: &str,
    title: &str,
) -> &'a mut Transaction {
    let transaction_type = match category {
        Expense(E::TransferOut) | Income(I::TransferIn) => TransactionType::InternalTransfer,
        Expense(_) => TransactionType::Expense,
        Income(_) => TransactionType::Income,
    };
    let id = tenant.id(&format!("transaction {}", tenant.household.transactions.len()));
    let factor = tenant.factor;
    let row = tenant.household.row(date, transaction_type, category, cents * factor, currency);
    row.transaction_id = id;
    row.title = title.to_owned();
    row
}
