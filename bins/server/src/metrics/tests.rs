//! The names of the metrics agree with the document, the alert rules and the dashboard.

use std::collections::BTreeSet;
use std::time::Duration;

use hyper::StatusCode;
use passbook_rest::RateLimiter;
use passbook_store::Store;
use passbook_transport::Statistics;
use prometheus_client::encoding::text::encode;

use super::*;

const DOCUMENT: &str = include_str!("../../docs/operating.md");
const ALERTS: &str = include_str!("../../docs/monitoring/alerts.yml");
const DASHBOARD: &str = include_str!("../../docs/monitoring/dashboard.json");

/// Returns the metrics of a server that has counted one of everything.
fn rendered() -> String {
    let metrics = Metrics::default();
    for (method, tool) in [("POST", Some("get_preferences")), ("other", None)] {
        let mut request = AnsweredRequest::new(method, "/mcp", StatusCode::OK, Duration::from_millis(30));
        (request.call, request.tool) = (Some("tools/call"), tool);
        (request.failure, request.exceeded_limit) = (Some("TIMEOUT"), Some("user"));
        metrics.answered(&request);
    }
    metrics.query_ended("banks", Some(0.004), Some("timeout"));
    let connection = "postgresql://reader@127.0.0.1:1/money".parse().expect("a URL");
    let store = Store::new(passbook_store::StoreConfig::new(connection).with_connections_max(3));
    let store = store.expect("the settings are usable");
    let provider = passbook_auth::provider::Settings::new("https://issuer.example".to_owned());
    let provider = passbook_auth::Provider::new(provider).expect("the issuer is acceptable");
    let sources = Sources::new(store, RateLimiter::new(1, 1), Some(provider), Statistics::default());
    let mut text = String::new();
    encode(&mut text, &metrics.registry(sources)).expect("text can be written");
    text
}

/// Returns the names that start with `passbook_`, without the endings of a histogram's series.
fn names(text: &str) -> BTreeSet<String> {
    let is_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let words = text.split(|character| !is_name(character)).filter(|word| word.starts_with("passbook_"));
    words
        .map(|word| {
            let series = ["_bucket", "_count", "_sum"].iter().find_map(|ending| word.strip_suffix(ending));
            series.unwrap_or(word).to_owned()
        })
        .collect()
}

/// Returns the names of the series, without the lines of help and type.
fn served() -> BTreeSet<String> {
    let text = rendered();
    names(&text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n"))
}

#[tokio::test]
async fn document_lists_each_metric_and_no_other() {
    let rows = DOCUMENT.lines().filter(|line| line.starts_with("| `passbook_"));
    let documented: BTreeSet<String> = rows.filter_map(|row| row.split('`').nth(1)).flat_map(names).collect();
    assert_eq!(documented, served());
}

#[tokio::test]
async fn alert_rules_and_dashboard_use_existing_metrics() {
    let served = served();
    for (file, text) in [("alerts.yml", ALERTS), ("dashboard.json", DASHBOARD)] {
        let used = names(text);
        let unknown: Vec<_> = used.difference(&served).collect();
        assert!(unknown.is_empty() && used.len() > 10, "{file}: {unknown:?}");
    }
    let panels: serde_json::Value = serde_json::from_str(DASHBOARD).expect("the dashboard is JSON");
    assert!(panels["panels"].as_array().is_some_and(|panels| panels.len() > 10));
}

#[tokio::test]
async fn document_explains_each_alert() {
    let alerts = ALERTS.lines().filter_map(|line| line.trim().strip_prefix("- alert: "));
    for alert in alerts {
        assert!(DOCUMENT.contains(&format!("| `{alert}` |")), "{alert}");
    }
}

#[tokio::test]
async fn labels_have_no_text_of_a_caller() {
    let text = rendered();
    for line in [
        "passbook_http_requests_total{method=\"POST\",route=\"/mcp\",status=\"200\"} 1",
        "passbook_http_requests_total{method=\"other\",route=\"/mcp\",status=\"200\"} 1",
        "passbook_http_request_duration_seconds_bucket{le=\"0.05\",route=\"/mcp\",status=\"200\"} 2",
        "passbook_database_errors_total{query=\"banks\",error=\"timeout\"} 1",
        "passbook_database_connections_max 3",
        "# TYPE passbook_connections_accepted counter",
    ] {
        assert!(text.lines().any(|rendered| rendered == line), "{line}\n{text}");
    }
    assert!(!text.contains("ANYTHING"), "{text}");
}
