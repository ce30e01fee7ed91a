//! The log of an outage: its cause once, and the number of failures at its end.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use passbook_auth::personal_access_token::PlainToken;
use passbook_domain::scope::Scope;
use serde_json::Value;

use super::ledger::{TestLedger, token};
use super::log::Log;
use super::{assert_reply, get, report_of};

const CAUSE: &str = "the ledger is unavailable: the connection was refused";

/// Returns level, message, cause and number of failures of each line.
fn summaries(lines: &[Value]) -> Vec<(&str, &str, &str, u64)> {
    lines.iter().map(summary).collect()
}

fn summary(line: &Value) -> (&str, &str, &str, u64) {
    let fields = &line["fields"];
    let text = |name: &str| fields[name].as_str().unwrap_or_default();
    let level = line["level"].as_str().unwrap_or_default();
    (level, text("message"), text("cause"), fields["failures"].as_u64().unwrap_or_default())
}

#[tokio::test]
async fn outage_of_the_ledger_is_logged_at_its_start_and_at_its_end() {
    let ledger = Arc::new(TestLedger::new(Scope::ALL));
    let report = report_of(ledger.clone(), None);
    let known = token();
    let unseen = PlainToken::generate("pbk_");
    assert_reply(&get(&report, "/report/me", known.reveal()).await, 200, "me.");
    let log = Log::default();
    let _collected = log.collect();
    let answered = ("INFO", "answered", "", 0);
    let started = ("ERROR", "the ledger is unavailable; further failures are counted", CAUSE, 1);
    let ended = |failures| ("INFO", "the ledger is available again", "", failures);
    for first in [known, &unseen] {
        ledger.is_unavailable.store(true, Ordering::Relaxed);
        assert_reply(&get(&report, "/report/me", first.reveal()).await, 503, "cannot reach its data");
        assert_eq!(summaries(&log.take()), [started, answered]);
        for token in [&unseen, known, &unseen] {
            assert_reply(&get(&report, "/report/banks_status", token.reveal()).await, 503, "its data");
        }
        assert_eq!(summaries(&log.take()), [answered; 3]);
        ledger.is_unavailable.store(false, Ordering::Relaxed);
        assert_reply(&get(&report, "/report/me", known.reveal()).await, 200, "me.");
        assert_eq!(summaries(&log.take()), [ended(4), answered]);
        assert_reply(&get(&report, "/report/me", known.reveal()).await, 200, "me.");
        assert_eq!(summaries(&log.take()), [answered]);
    }
}
