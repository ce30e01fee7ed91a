//! The statements of a request: one transaction that opens the session and executes the queries of the operation. Nothing
//! is prepared again on a connection that has served the same request before.

use passbook_server::settings::Settings;
use passbook_store::{Config, Store};
use serde_json::json;
use tests::app::{App, TODAY, settings};
use tests::database::Database;
use tests::household::Household;
use tests::http::Reply;
use tests::mcp::Era;
use tests::proxy::{PredicateRemoval, Proxy};

/// An application whose connections to PostgreSQL lead through a recording proxy.
struct Recorded {
    app: App,
    proxy: Proxy,
    token: String,
}

impl Recorded {
    async fn start() -> Recorded {
        let database = Database::fresh().await;
        let settings = Settings { today: Some(TODAY), ..settings(&[]) };
        let proxy = Proxy::start(database.configuration(passbook_schema::READER), PredicateRemoval::None);
        // One connection, so that the second request of each kind finds its statements prepared.
        let config = Config::new(proxy.configuration().into()).with_connections_max(1).with_today(TODAY);
        let store = Store::new(config).expect("the configuration is valid");
        let app = App::serve(database, settings, store).await;
        let household = Household::new();
        app.load(household.records()).await;
        let token = app.token(household.user.user_id).await;
        Recorded { app, proxy, token }
    }

    /// Sends a request twice. Returns the messages of PostgreSQL to the second one.
    async fn messages(&self, send: impl AsyncFn() -> Reply) -> Vec<String> {
        send().await;
        self.proxy.clear_responses();
        let reply = send().await;
        assert!(reply.status.is_success(), "{reply:?}");
        self.proxy.completions()
    }
}

/// The messages to a transaction with this number of queries besides the session. Each statement is one round trip, but
/// all are sent at once.
fn transaction(queries: usize) -> Vec<&'static str> {
    let ends = |tag| [tag, "ReadyForQuery"];
    let mut expected = ends("BEGIN").to_vec();
    expected.extend((0..=queries).flat_map(|_| ends("SELECT")));
    expected.extend(ends("COMMIT"));
    expected
}

#[tokio::test]
async fn request_runs_one_transaction_with_the_queries_of_its_operation() {
    let served = Recorded::start().await;
    for (target, queries) in [
        ("/v1/me", 0),
        ("/v1/preferences", 0),
        // The second query reads the names of accounts and banks.
        ("/v1/transactions", 2),
        ("/v1/transactions?categories=RENT&merchantQuery=x", 2),
        // The last query looks up the row of the cursor.
        ("/v1/transactions?sort=amount_desc", 3),
        ("/v1/cashflow/summary?timeRange=1m", 1),
        ("/v1/cashflow/summary?merchantQuery=x", 1),
        ("/v1/spending/categories?timeRange=1m", 2),
        // The last query reads the first and the last counted day, because the range is open.
        ("/v1/spending/categories", 3),
        // The second query reads the names of accounts and banks.
        ("/v1/recurring-payments", 2),
        ("/v1/banks/status", 1),
        ("/v1/portfolio/history", 2),
    ] {
        let messages = served.messages(async || served.app.get(target, &served.token).await).await;
        assert_eq!(messages, transaction(queries), "{target}");
    }
}

#[tokio::test]
async fn initialize_and_tools_list_run_the_grant_check_as_their_only_query() {
    let served = Recorded::start().await;
    for (era, method, params) in [
        (Era::Legacy, "initialize", json!({ "protocolVersion": "2025-11-25" })),
        (Era::Legacy, "ping", json!({})),
        (Era::Legacy, "tools/list", json!({})),
        (Era::Modern, "server/discover", json!({})),
        (Era::Modern, "tools/list", json!({})),
    ] {
        let send = async || served.app.rpc(era, &served.token, method, params.clone()).await;
        assert_eq!(served.messages(send).await, transaction(0), "{method}");
    }
    let call = async || served.app.call(Era::Modern, &served.token, "search_transactions", json!({})).await;
    assert_eq!(served.messages(call).await, transaction(2));
}
