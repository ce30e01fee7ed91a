//! The example host with its own ledger, sessions and tokens. The same rows are stored in PostgreSQL, and both must
//! return the same responses.

use std::fmt::Write as _;

use passbook_domain::category::Category;
use passbook_domain::transaction::TransactionType;
use serde_json::Value;
use tests::app::App;
use tests::household::Household;
use tests::http::{Reply, query};
use uuid::Uuid;

use super::{Host, targets};

/// Day, type, category, cents, currency, pending, title, merchant.
type Row = (&'static str, &'static str, &'static str, i64, &'static str, bool, &'static str, &'static str);

const ROWS: [Row; 14] = [
    ("2026-09-30", "EXPENSE", "RENT", 120_000, "EUR", false, "RENT SEPTEMBER", ""),
    ("2026-10-02", "INCOME", "SALARY", 310_000, "EUR", false, "SALARY", "Employer"),
    ("2026-10-15", "EXPENSE", "BOOKS", 2_150, "EUR", false, "CARD BOOKS", "Librairie"),
    ("2026-10-31", "EXPENSE", "RENT", 120_000, "EUR", false, "RENT OCTOBER", ""),
    ("2026-11-02", "EXPENSE", "COFFEE", 450, "USD", false, "CARD CAFE", "Coffee & Co"),
    ("2026-11-03", "EXPENSE", "COFFEE", 470, "EUR", false, "CARD CAFE", "coffee & co"),
    ("2026-11-03", "EXPENSE", "GROCERIES", 470, "EUR", false, "MARKET", "Marché"),
    ("2026-11-05", "INCOME", "REFUND", 2_150, "EUR", false, "REFUND BOOKS", "Librairie"),
    ("2026-11-06", "INTERNAL_TRANSFER", "TRANSFER_OUT", 50_000, "EUR", false, "TO SAVINGS", ""),
    ("2026-11-09", "EXPENSE", "BOOKS", 9_999, "EUR", true, "CARD BOOKS", "LIBRAIRIE"),
    ("2026-11-20", "INCOME", "SALARY", 310_000, "EUR", false, "SALARY", "Employer"),
    ("2026-11-21", "INCOME", "GIFT", 1_000, "USD", true, "GIFT", ""),
    ("2026-07-31", "EXPENSE", "RENT", 120_000, "EUR", false, "RENT JULY", ""),
    ("2026-08-31", "EXPENSE", "RENT", 115_000, "EUR", false, "RENT AUGUST", ""),
];

/// Requests whose responses do not depend on the current day, in addition to [`targets`].
const REQUESTS: [&str; 17] = [
    "/v1/cashflow/summary?includePending=false",
    "/v1/cashflow/summary?timeRange=1m&dateFrom=2026-10-10",
    "/v1/cashflow/summary?timeRange=1m&dateTo=2026-10-20",
    "/v1/spending/summary?dateFrom=2026-10-10&dateTo=2026-11-21&groupBy=week",
    "/v1/spending/summary?dateFrom=2026-11-01&dateTo=2026-11-21&groupBy=day&includePending=false",
    "/v1/spending/summary?dateFrom=2026-11-01&dateTo=2026-11-10&groupBy=none",
    "/v1/spending/categories?dateTo=2026-11-21",
    "/v1/spending/merchants/top?limit=2",
    "/v1/budgets/summary?year=2026&month=10",
    "/v1/recurring-payments?asOf=2026-11-21&types=EXPENSE,INCOME&status=ACTIVE,OVERDUE,ENDED&minConfidence=0",
    "/v1/recurring-payments?asOf=2026-11-02&minConfidence=0.5",
    "/v1/transactions?showInternalTransfers=true&sort=date_asc",
    "/v1/transactions?sort=amount_desc",
    "/v1/transactions?sort=amount_asc&types=EXPENSE",
    "/v1/transactions?merchantQuery=LIBR&pending=true",
    "/v1/transactions?categories=COFFEE,GIFT&minAmountCents=450&maxAmountCents=460",
    "/v1/transactions?cursor=%7B%22date%22%3A%222026-11-05%22%2C%22id%22%3A%2200000000-0000-0000-0000-000000000008%22%7D",
];

/// A person known to the host.
struct Person {
    name: String,
    session: String,
    token: String,
}

struct Running {
    program: Host,
    people: [Person; 2],
}

/// Starts the host with the rows of the person `first`, and one row of another person.
fn start(first: &str) -> Running {
    let mut text = String::new();
    for (day, kind, category, cents, currency, pending, title, merchant) in ROWS {
        let state = if pending { "pending" } else { "posted" };
        writeln!(text, "{first}|{day}|{kind}|{category}|{cents}|{currency}|{state}|{title}|{merchant}")
            .expect("writing to a string succeeds");
    }
    text.push_str("other@example.org|2026-11-01|EXPENSE|WATER|5|EUR|posted|WATER|\n");
    let mut host = Host::with_ledger("passbook-own-ledger-host", &text);
    let people = [(); 2].map(|()| {
        let line = host.line();
        let words: Vec<&str> = line.split(' ').collect();
        let [name, session, token] = words[..] else { panic!("{line}") };
        Person { name: name.to_owned(), session: session.to_owned(), token: token.to_owned() }
    });
    Running { program: host, people }
}

impl Running {
    async fn in_session(&self, person: &Person, path: &str) -> Reply {
        self.program.get(path, &[("cookie", &format!("session={}", person.session))]).await
    }

    async fn with_token(&self, person: &Person, path: &str) -> Reply {
        self.program.get(path, &[("authorization", &format!("Bearer {}", person.token))]).await
    }
}

/// A household of the application with the same rows.
fn household() -> Household {
    let mut household = Household::new();
    for (number, (day, kind, category, cents, currency, pending, title, merchant)) in (1_u128..).zip(ROWS) {
        let kind = TransactionType::parse(kind).expect("a type");
        let category = Category::parse(category).expect("a category");
        let row = household.row(day, kind, category, cents, currency);
        row.transaction_id = Uuid::from_u128(number);
        row.pending = pending;
        row.title = title.to_owned();
        row.merchant_name = (!merchant.is_empty()).then(|| merchant.to_owned());
    }
    household
}

/// Removes the members that depend on the ledger: identifiers of people, and accounts of rows.
fn comparable(mut answer: Value) -> Value {
    let members = answer.as_object_mut();
    if let Some(me) = members.filter(|members| members.contains_key("capabilities")) {
        me.retain(|name, _| name == "email");
    }
    for (list, database_only) in [
        ("transactions", &["account_id", "account_name", "bank_name"][..]),
        // The identifier of a recurring payment is derived from its owner.
        ("recurringPayments", &["account_name", "id"]),
    ] {
        let rows = answer.get_mut(list).and_then(Value::as_array_mut);
        for row in rows.into_iter().flatten().filter_map(Value::as_object_mut) {
            row.retain(|name, _| !database_only.contains(&name.as_str()));
        }
    }
    answer
}

/// Returns true if every number is zero.
fn is_all_zero(payload: &Value) -> bool {
    match payload {
        Value::Object(members) => members.values().all(is_all_zero),
        Value::Array(items) => items.iter().all(is_all_zero),
        Value::Number(number) => number.as_i64() == Some(0),
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}

#[tokio::test]
async fn ledger_in_memory_returns_what_the_database_returns() {
    let app = App::start_today().await;
    let household = household();
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    let host = start(&household.user.email);
    let [person, _] = &host.people;
    assert_eq!(person.name, household.user.email);
    for target in targets().into_iter().chain(REQUESTS.map(str::to_owned)) {
        // The host's ledger has transactions only, so banks and portfolio are empty.
        if target.starts_with("/v1/banks") || target.starts_with("/v1/portfolio") {
            let found = host.in_session(person, &format!("/money{target}")).await.ok();
            assert!(is_all_zero(&found), "{target}: {found}");
            continue;
        }
        let expected = comparable(app.get(&target, &token).await.ok());
        let found = comparable(host.in_session(person, &format!("/money{target}")).await.ok());
        assert_eq!(found, expected, "{target}");
    }
    // All pages in each sort order.
    for sort in ["date_desc", "date_asc", "amount_desc", "amount_asc"] {
        let (mut cursor, mut pages) = (None::<String>, 0);
        loop {
            let mut parameters = vec![("sort", sort), ("pageSize", "3")];
            parameters.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
            let target = format!("/v1/transactions?{}", query(&parameters));
            let expected = comparable(app.get(&target, &token).await.ok());
            let found = comparable(host.in_session(person, &format!("/money{target}")).await.ok());
            assert_eq!(found, expected, "{target}");
            pages += 1;
            match found["pagination"].get("nextCursor") {
                Some(next) => cursor = Some(next.to_string()),
                None => break,
            }
        }
        assert_eq!(pages, 5, "{sort}");
    }
    for bad in ["timeRange=2m&x=1&limit=0", "dateFrom=2026-12-01&dateTo=2026-11-01"] {
        let target = format!("/v1/spending/merchants/top?{bad}");
        let expected = app.get(&target, &token).await.json()["error"]["details"].clone();
        let found = host.in_session(person, &format!("/money{target}")).await;
        assert_eq!((found.status.as_u16(), &found.json()["error"]["details"]), (400, &expected), "{bad}");
    }
}

#[tokio::test]
async fn host_decides_who_may_read_which_data() {
    let host = start("ada@example.org");
    let [ada, other] = &host.people;
    let page = host.in_session(ada, "/").await;
    assert_eq!(String::from_utf8_lossy(&page.body), "134061 cents are left.\n");
    assert_eq!(
        host.in_session(other, "/money/v1/transactions").await.ok()["transactions"][0]["title"],
        "WATER"
    );
    assert_eq!(host.in_session(ada, "/money/v1/me").await.ok()["email"], "ada@example.org");

    // The token of a program has fewer scopes than a session, and a prefix of its own.
    assert!(ada.token.starts_with("own_"));
    assert_eq!(host.with_token(ada, "/money/v1/cashflow/summary").await.status, 200);
    let refused = host.with_token(ada, "/money/v1/transactions").await;
    refused.assert_error(403, "INSUFFICIENT_SCOPE", "");
    for header in [
        ("authorization", "Bearer pbk_0"),
        ("authorization", ada.session.as_str()),
        ("cookie", "session=unknown"),
        ("x-nothing", ""),
    ] {
        let refused = host.program.get("/money/v1/me", &[header]).await;
        refused.assert_error(401, "UNAUTHORIZED", format_args!("{header:?}"));
        let page = host.program.get("/", &[header]).await;
        assert_eq!(String::from_utf8_lossy(&page.body), "Please sign in.\n", "{header:?}");
    }
    assert_eq!(host.in_session(ada, "/money/ready").await.ok()["checks"][0]["name"], "books");
    let root = host.in_session(ada, "/.well-known/oauth-protected-resource").await.ok();
    assert_eq!(root["resource"], host.program.origin.as_str());

    let cookie = format!("session={}", ada.session);
    let reply = host.program.post("/sign-out", &[("cookie", &cookie)], String::new()).await;
    assert_eq!(reply.status, 200);
    assert_eq!(host.in_session(ada, "/money/v1/me").await.status, 401);
    assert_eq!(host.in_session(other, "/money/v1/me").await.status, 200);
}
