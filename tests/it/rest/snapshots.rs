//! Snapshots of payloads and generated documents. They are committed; `cargo xtask bless` rewrites them.

use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use passbook_records::record::Record;
use tests::app::App;
use tests::assets::Assets;
use tests::household::{Household, day, rate};
use tests::mcp::Era;
use uuid::Uuid;

/// A household with fixed identifiers and a value for each field of each payload.
fn household() -> (Household, Vec<Record>) {
    let mut household = Household::new();
    household.user.user_id = Uuid::from_u128(0xde30_0000_0000_4000_8000_0000_0000_0002);
    household.user.email = "snapshot@example.com".to_owned();
    household.user.excluded_categories = vec![ExpenseCategory::Vacation];
    household.accounts = vec![Uuid::from_u128(0xa1), Uuid::from_u128(0xa2)];
    household.expense("2026-11-01", ExpenseCategory::Rent, 120_000, "EUR");
    let shoes = household.expense("2026-11-05", ExpenseCategory::Clothing, 8_990, "EUR");
    shoes.merchant_name = Some("Schuhhaus Müller".to_owned());
    shoes.provider_category = Some("GENERAL_MERCHANDISE_CLOTHING_AND_ACCESSORIES".to_owned());
    household.expense("2026-11-06", ExpenseCategory::Coffee, 450, "USD").merchant_name =
        Some("Café".to_owned());
    household.expense("2026-11-07", ExpenseCategory::Vacation, 99_900, "EUR");
    household.expense("2026-11-08", ExpenseCategory::Books, 300_000, "JPY");
    household.income("2026-10-30", IncomeCategory::Salary, 350_000, "EUR");
    household.income("2026-11-09", IncomeCategory::Refund, 8_990, "EUR");
    household.expense("2026-11-20", ExpenseCategory::Groceries, 1_234, "EUR").pending = true;
    for (number, row) in household.transactions.iter_mut().enumerate() {
        row.user_id = household.user.user_id;
        row.account_id = household.accounts[0];
        row.transaction_id = Uuid::from_u128(0xb0 + number as u128);
    }
    household.transactions[6].linked_transaction_id = Some(household.transactions[1].transaction_id);
    for (month, cents) in [(8_u128, 1_399), (9, 1_399), (10, 1_599)] {
        let title = format!("NETFLIX.COM 866-579-7172 {month}");
        let row =
            household.expense(&format!("2026-{month:02}-03"), ExpenseCategory::Subscriptions, cents, "USD");
        row.user_id = Uuid::from_u128(0xde30_0000_0000_4000_8000_0000_0000_0002);
        row.transaction_id = Uuid::from_u128(0xd0 + month);
        row.merchant_name = Some("Netflix".to_owned());
        row.title = title;
    }
    household.budget(Category::Expense(ExpenseCategory::Groceries), 40_000, "EUR");
    household.budget(Category::Expense(ExpenseCategory::Music), 1_000, "JPY");
    household.budget(Category::Income(IncomeCategory::Salary), 350_000, "EUR");
    for (number, budget) in household.budgets.iter_mut().enumerate() {
        budget.budget_id = Uuid::from_u128(0xc0 + number as u128);
    }
    household.bank = Uuid::from_u128(0xd0);
    let mut records = household.records();
    let mut assets = Assets::one_of_each(household.user.user_id);
    for account in &household.accounts {
        assets.snapshot(*account, "2026-11-05", 0);
    }
    records.extend(assets.records);
    records.push(rate("2026-11-05", "USD", "1.08"));
    assert!(day("2026-11-21") == tests::app::TODAY);
    (household, records)
}

#[tokio::test]
async fn payloads_of_all_operations_match_snapshots() {
    let app = App::start().await;
    let (household, records) = household();
    app.load(records).await;
    let token = app.token(household.user.user_id).await;
    for (name, target) in [
        ("me", "/v1/me"),
        ("transactions", "/v1/transactions"),
        ("transactions_page", "/v1/transactions?pageSize=2&sort=amount_desc&showInternalTransfers=true"),
        ("cashflow_summary", "/v1/cashflow/summary?timeRange=1m"),
        ("spending_summary", "/v1/spending/summary?timeRange=1m&groupBy=week"),
        ("spending_categories", "/v1/spending/categories?dateFrom=2026-11-01&dateTo=2026-11-21"),
        ("top_merchants", "/v1/spending/merchants/top"),
        ("recurring_payments", "/v1/recurring-payments?types=EXPENSE,INCOME&status=ACTIVE,OVERDUE,ENDED"),
        ("budget_summary", "/v1/budgets/summary"),
        ("budget_categories", "/v1/budgets/categories"),
        ("banks_status", "/v1/banks/status"),
        ("portfolio", "/v1/portfolio"),
        ("portfolio_history", "/v1/portfolio/history?dateFrom=2026-11-19"),
        ("portfolio_history_weeks", "/v1/portfolio/history?dateFrom=2026-10-20&interval=week"),
        ("preferences", "/v1/preferences"),
        ("health", "/health"),
        ("ready", "/ready"),
        ("protected_resource", "/.well-known/oauth-protected-resource"),
        ("protected_tools", "/.well-known/oauth-protected-resource/mcp"),
    ] {
        let payload = app.get(target, &token).await.ok().to_string().replace(&app.base_url, "BASE");
        let payload: serde_json::Value = serde_json::from_str(&payload).expect("the payload is JSON");
        insta::assert_snapshot!(name, format!("GET {target}\n{payload:#}"));
    }
}

/// The size of a value in tokens of four bytes.
fn tokens(value: &serde_json::Value) -> usize {
    value.to_string().len() / 4
}

/// Limit for the tokens that a model reads about all tools: descriptions and arguments.
pub(crate) const READ_TOKENS_MAX: usize = 5_000;
/// Limit for the tokens of the whole list.
pub(crate) const LIST_TOKENS_MAX: usize = 13_500;

/// Replaces the hash in the address of each picture, which changes with every change of the pictures.
fn without_hashes(text: &str) -> String {
    let address = regex::Regex::new("(ui://passbook/[a-z-]+)-[0-9a-f]{16}[.]html").expect("an expression");
    address.replace_all(text, "$1-HASH.html").into_owned()
}

#[tokio::test]
async fn list_of_tools_matches_snapshot_and_token_limits() {
    let app = App::start().await;
    let (household, records) = household();
    app.load(records).await;
    let token = app.token(household.user.user_id).await;
    let reply = app.rpc(Era::Legacy, &token, "tools/list", serde_json::json!({})).await;
    let tools = reply.ok()["result"]["tools"].clone();
    insta::assert_snapshot!("tools_list", without_hashes(&format!("{tools:#}")));

    // The number of tokens that the tools cost in every conversation.
    let mut figures = format!("{:28}{:>8}{:>8}{:>8}\n", "tokens", "read", "result", "all");
    let mut read_of_all = 0;
    for tool in tools.as_array().expect("a list") {
        let read = tokens(&tool["description"]) + tokens(&tool["inputSchema"]);
        read_of_all += read;
        let name = tool["name"].as_str().expect("a name");
        let (result, all) = (tokens(&tool["outputSchema"]), tokens(tool));
        figures.push_str(&format!("{name:28}{read:8}{result:8}{all:8}\n"));
    }
    let whole = reply.body.len() / 4;
    figures.push_str(&format!("{:28}{read_of_all:8}{:8}{whole:8}", "tools/list", ""));
    insta::assert_snapshot!("tools_tokens", figures);
    assert!(read_of_all <= READ_TOKENS_MAX, "{read_of_all} tokens of descriptions and arguments");
    assert!(whole <= LIST_TOKENS_MAX, "{whole} tokens");
}

#[test]
fn settings_file_of_the_documents_matches_the_settings() {
    super::contract::compare("docs/config.toml", &passbook_server::settings::example_file());
}
