//! The example host with an operation of its own, in REST, OpenAPI, the tools and JSON-RPC.

use serde_json::{Value, json};
use tests::http::Reply;
use tests::mcp::Era;

use super::Host;

/// Rows of the last two months, relative to today, because the host reads the present day.
fn rows() -> String {
    let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
    let earlier = today.first_of_month().yesterday().expect("a day");
    let row = |day: jiff::civil::Date, cents: u32, title: &str| {
        format!("ada|{day}|EXPENSE|BOOKS|{cents}|EUR|posted|{title}|\n")
    };
    let today = today.first_of_month();
    [row(today, 500, "SMALL"), row(today, 900, "LARGE"), row(earlier, 4_000, "EARLIER")].concat()
}

struct Running {
    program: Host,
    authorization: String,
}

fn start() -> Running {
    let mut host = Host::with_ledger("passbook-operation-host", &rows());
    let token = host.line().strip_prefix("ada ").expect("name and token").to_owned();
    Running { program: host, authorization: format!("Bearer {token}") }
}

impl Running {
    async fn get(&self, path: &str) -> Reply {
        self.program.get(path, &[("authorization", &self.authorization)]).await
    }

    /// Sends a JSON-RPC request to the tool server.
    async fn rpc(&self, era: Era, method: &str, params: Value) -> Value {
        let mut headers = era.headers(method, &params);
        headers.push(("authorization", &self.authorization));
        let message = era.message(&json!(1), method, params.clone()).to_string();
        self.program.post("/money/mcp", &headers, message).await.ok()
    }
}

#[tokio::test]
async fn operation_of_the_host_is_served_by_every_adapter() {
    let host = start();
    let reply = host.get("/money/v1/spending/largest?months=2").await;
    assert!(!reply.header("ratelimit-policy").is_empty(), "the host's operation is rate-limited");
    let result = reply.ok();
    let titles: Vec<&Value> =
        result["months"].as_array().expect("months").iter().map(|month| &month["title"]).collect();
    assert_eq!(titles, ["LARGE", "EARLIER"]);
    assert_eq!(result["months"][0]["amount"], json!({ "amount_cents": 900, "currency": "EUR" }));

    let message =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "largest_expenses", "params": { "months": 2 } });
    let authorization = ("authorization", host.authorization.as_str());
    let returned = host.program.post("/json-rpc", &[authorization], message.to_string()).await.ok();
    assert_eq!(returned["result"], result);

    let params = json!({ "name": "get_largest_expenses", "arguments": { "months": 2 } });
    let called = host.rpc(Era::Legacy, "tools/call", params).await;
    assert_eq!(called["result"]["structuredContent"], result, "{called}");
    let listed = host.rpc(Era::Legacy, "tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().expect("tools");
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    let expected =
        ["search_transactions", "get_cashflow_summary", "get_top_merchants", "get_largest_expenses"];
    assert_eq!(names, expected);
    assert_eq!(tools[3]["securitySchemes"][0]["scopes"], json!(["largest-expenses:read"]));
    assert_eq!(tools[3]["inputSchema"]["properties"]["months"]["default"], 6);
}

#[tokio::test]
async fn tool_server_has_the_title_of_the_host_in_both_eras() {
    let host = start();
    for era in Era::ALL {
        let (method, params) = match era {
            Era::Legacy => ("initialize", json!({ "protocolVersion": "2025-11-25" })),
            Era::Modern => ("tools/list", json!({})),
        };
        let reply = host.rpc(era, method, params).await;
        let server = match era {
            Era::Legacy => &reply["result"]["serverInfo"],
            Era::Modern => &reply["result"]["_meta"]["io.modelcontextprotocol/serverInfo"],
        };
        assert_eq!(server["name"], "passbook", "{reply}");
        assert_eq!(server["title"], "Ada's money");
        assert_eq!(server["description"], "What Ada's household earns and spends.");
    }
}

#[tokio::test]
async fn operation_of_the_host_is_described_and_the_others_are_absent() {
    let host = start();
    let document = host.get("/money/openapi.json").await.ok();
    let paths = document["paths"].as_object().expect("paths");
    let mut operations: Vec<&str> =
        paths.keys().map(String::as_str).filter(|path| path.starts_with("/v1/")).collect();
    operations.sort_unstable();
    assert_eq!(
        operations,
        [
            "/v1/cashflow/summary",
            "/v1/me",
            "/v1/spending/largest",
            "/v1/spending/merchants/top",
            "/v1/transactions"
        ]
    );
    let own = &paths["/v1/spending/largest"]["get"];
    assert_eq!(own["security"], json!([{ "bearer": ["largest-expenses:read"] }]));
    assert_eq!((&own["tags"], &own["parameters"][0]["name"]), (&json!(["spending"]), &json!("months")));
    let scopes = document["components"]["schemas"]["Scope"]["enum"].as_array().expect("scopes");
    assert!(scopes.contains(&json!("largest-expenses:read")) && scopes.contains(&json!("spending:read")));
    assert_eq!(document["info"]["title"], "Ada's money");
    assert_eq!(host.get("/money/v1/portfolio").await.status, 404);
    let rejected = host.get("/money/v1/spending/largest?months=13").await;
    rejected.assert_error(400, "INVALID_REQUEST", "");
    // A token of this ledger has two scopes of Passbook, and those of the host that its grant stores.
    let rejected = host.get("/money/v1/transactions").await;
    rejected.assert_error(403, "INSUFFICIENT_SCOPE", "");
}
