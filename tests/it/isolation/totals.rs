//! Totals of a tenant include its own rows only: they equal the totals of the model for that household alone.

use std::collections::BTreeSet;

use passbook_domain::transaction::TransactionType;
use passbook_records::record::{ExchangeRate, Record};
use serde_json::Value;
use tests::app::App;
use tests::model::{Counting, Model};
use tests::tenant_pair::Tenant;

fn cents(money: &Value) -> i64 {
    money["amount_cents"].as_i64().expect("cents")
}

/// The identifiers of all transactions of a tenant, read page by page.
async fn listed(app: &App, tenant: &Tenant) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut cursor = String::new();
    loop {
        let target = format!("/v1/transactions?pageSize=50&showInternalTransfers=true{cursor}");
        let page = app.get(&target, &tenant.token).await.ok();
        let rows = page["transactions"].as_array().expect("a list").iter();
        found.extend(rows.map(|row| row["id"].as_str().expect("an id").to_owned()));
        let Some(next) = page["pagination"].get("nextCursor") else { return found };
        cursor = format!("&{}", tests::http::query(&[("cursor", &next.to_string())]));
    }
}

#[tokio::test]
async fn totals_include_own_rows_only() {
    let app = App::start().await;
    let rates: Vec<Record> = Tenant::rates();
    app.load(rates.clone()).await;
    let rates: Vec<ExchangeRate> = rates
        .into_iter()
        .filter_map(|record| if let Record::ExchangeRate(rate) = record { Some(rate) } else { None })
        .collect();
    let tenants = Tenant::pair();
    for tenant in &tenants {
        app.load(tenant.records()).await;
    }
    for tenant in &tenants {
        let model = Model::new(&tenant.household, &rates);
        let everything = Counting::everything();
        let expense = model.total(model.counted(TransactionType::Expense, &everything)).cents;
        let income = model.total(model.counted(TransactionType::Income, &everything)).cents;
        assert!(expense > 0 && income > 0);
        let get = async |path: &str| app.get(path, &tenant.token).await.ok();
        let cashflow = get("/v1/cashflow/summary").await;
        assert_eq!((cents(&cashflow["expenseTotal"]), cents(&cashflow["incomeTotal"])), (expense, income));
        for path in ["/v1/spending/summary", "/v1/spending/categories", "/v1/spending/merchants/top"] {
            assert_eq!(cents(&get(path).await["totalExpense"]), expense, "{path} of {}", tenant.word);
        }
        let visible: BTreeSet<String> =
            model.visible().iter().map(|row| row.transaction_id.to_string()).collect();
        assert_eq!(listed(&app, tenant).await, visible, "{}", tenant.word);
        let month = Counting { from: Some(tests::household::day("2026-11-01")), ..everything };
        let month = model.total(model.counted(TransactionType::Expense, &month)).cents;
        let budgets = get("/v1/budgets/summary").await;
        let spent: i64 = budgets.as_array().expect("a list").iter().map(|entry| cents(&entry["total"])).sum();
        assert_eq!(spent, month, "budgets of {}", tenant.word);
    }
}
