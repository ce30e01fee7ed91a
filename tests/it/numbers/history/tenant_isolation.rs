//! Tenant isolation of the history, with either isolation mechanism alone.

use passbook_domain::scope::Scope;
use serde_json::Value;
use tests::app::App;
use tests::assets::Assets;
use tests::household::Household;
use tokio_postgres::SimpleQueryMessage;
use uuid::Uuid;

/// Two people. The second has more assets over a longer time.
async fn two_people(app: &App) -> (Uuid, Uuid) {
    let people = [Household::new(), Household::new()].map(|household| household.user.user_id);
    for user in people {
        let mut household = Household::new();
        household.user.user_id = user;
        household.user.email = format!("{}@example.com", user.simple());
        app.load(household.records().into_iter().take(1)).await;
        app.load(Assets::one_of_each(user).records).await;
    }
    let mut more = Assets::new(people[1]);
    let bank = more.bank("Deep Sea Bank", passbook_domain::bank::BankStatus::Manual);
    let account =
        more.account(bank, "Vault", passbook_domain::portfolio::AccountType::Other, 7_000_000, "USD");
    more.snapshot(account, "2020-01-01", 7_000_000);
    let unpriced = more.security("NEW", passbook_domain::portfolio::SecurityType::Cryptocurrency, "EUR");
    let wallet = more.wallet("Hot wallet");
    more.wallet_holding(wallet, unpriced, "2019-01-01", "3");
    app.load(more.records).await;
    (people[0], people[1])
}

async fn history(app: &App, token: &str) -> Value {
    app.get("/v1/portfolio/history?timeRange=all&interval=week", token).await.ok()
}

#[tokio::test]
async fn history_shows_own_rows_only_without_row_level_security() {
    let app = App::start().await;
    let (user, other) = two_people(&app).await;
    let (token, _) = app.token_with(user, Scope::ALL, true, true).await;
    let before = history(&app, &token).await;
    assert_eq!(before["dateFrom"], "2026-01-01", "{before}");
    let superuser = app.database.connect("postgres").await;
    let disable = "do $$ declare name text; begin \
        for name in select tablename from pg_tables where schemaname = 'passbook' and rowsecurity loop \
          execute format('alter table passbook.%I disable row level security', name); end loop; end $$";
    superuser.batch_execute(disable).await.expect("a superuser can disable row-level security");
    assert_eq!(history(&app, &token).await, before);
    let (token, _) = app.token_with(other, Scope::ALL, true, true).await;
    assert_eq!(history(&app, &token).await["dateFrom"], "2019-01-01");
}

#[tokio::test]
async fn history_shows_own_rows_only_without_user_predicates() {
    let app = App::start().await;
    let (user, other) = two_people(&app).await;
    let reader = app.database.connect("passbook_reader").await;
    for (name, column) in [("portfolio_history_span", "span"), ("portfolio_history", "w")] {
        let query =
            passbook_store::QUERIES.iter().find(|query| query.name == name).expect("the query exists");
        let bound = |sql: &str, user: Uuid| {
            sql.replace("$1", &format!("'{user}'"))
                .replace("$2", "'week'")
                .replace("$3", "1200")
                .replace("$4", "'account'")
        };
        let without_predicate = query
            .sql
            .replace(&format!("where {column}.user_id = $1"), "")
            .replace("where since.user_id = $1", "");
        assert!(
            !without_predicate.lines().any(|line| !line.starts_with("--") && line.contains("$1")),
            "{without_predicate}"
        );
        let mut answers = Vec::new();
        for named in [user, other] {
            let open_session = format!(
                "begin read only; select from passbook_read.open_session('{named}', 'x', 'x', null, null, 'all', null, null, '2026-11-21')"
            );
            reader.batch_execute(&open_session).await.expect("the session opens");
            let expected = rows(&reader, &bound(query.sql, named)).await;
            assert!(!expected.is_empty());
            assert_eq!(rows(&reader, &bound(&without_predicate, named)).await, expected, "{name}");
            reader.batch_execute("commit").await.expect("the transaction ends");
            answers.push(expected);
        }
        assert_ne!(answers[0], answers[1], "{name} must return different rows for the two people");
    }
}

async fn rows(client: &tokio_postgres::Client, query: &str) -> Vec<Vec<Option<String>>> {
    let messages = client.simple_query(query).await.unwrap_or_else(|error| panic!("{query}: {error:?}"));
    let row = |message: SimpleQueryMessage| match message {
        SimpleQueryMessage::Row(row) => {
            Some((0..row.len()).map(|at| row.get(at).map(str::to_owned)).collect())
        }
        _ => None,
    };
    messages.into_iter().filter_map(row).collect()
}
