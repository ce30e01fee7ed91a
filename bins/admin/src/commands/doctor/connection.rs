//! The checks of the way to the served database: its clock, the lag of a standby, and a pooler in between.

use std::time::Duration;

use jiff::Timestamp;
use store::ConnectionSettings;
use tokio_postgres::{Client, SimpleQueryMessage};

use super::findings::{Findings, State};
use crate::database::{READER_URL, connect};

/// Clock difference to the database from which `doctor` warns, in seconds. The clock of the database decides which tokens
/// and grants have expired.
const CLOCK_SECONDS_WARN: u64 = 5;
/// Lag of a standby from which `doctor` warns, in seconds.
const LAG_SECONDS_WARN: f64 = 10.0;
/// Maximum time for the examination of a pooler, in seconds.
const POOLER_SECONDS_MAX: u64 = 5;

/// Examines the database through the settings of the server. A reader that cannot connect has a finding already.
pub(super) async fn examine(reader: &ConnectionSettings, prepares_statements: bool, findings: &mut Findings) {
    let Ok(client) = connect(READER_URL, reader).await else { return };
    examine_clock(&client, findings).await;
    examine_standby(&client, findings).await;
    let limit = Duration::from_secs(POOLER_SECONDS_MAX);
    let (state, text) = match tokio::time::timeout(limit, has_pooler(&client, reader)).await {
        Ok(Some(is_pooled)) => pooler_verdict(is_pooled, prepares_statements),
        Ok(None) | Err(_) => (
            State::Warning,
            "it is unknown whether a pooler is in between: a second connection did not answer".to_owned(),
        ),
    };
    findings.add(state, "pooler", text);
}

async fn examine_clock(client: &Client, findings: &mut Findings) {
    const SUBJECT: &str = "database-clock";
    let Some(theirs) = value(client, "select extract(epoch from clock_timestamp())").await else { return };
    let Ok(theirs) = theirs.parse::<f64>() else { return };
    let ahead = Timestamp::now().as_millisecond() as f64 / 1000.0 - theirs;
    let seconds = ahead.abs().round();
    if seconds > CLOCK_SECONDS_WARN as f64 {
        let direction = if ahead < 0.0 { "behind" } else { "ahead of" };
        findings.warning(
            SUBJECT,
            format!(
                "this machine is {seconds} s {direction} the database, whose clock decides when tokens expire: set both \
                 from the network (NTP)"
            ),
        );
    } else {
        findings.ok(SUBJECT, format!("within {CLOCK_SECONDS_WARN} s of the database's clock"));
    }
}

/// Reports the lag of a standby. A primary has no finding.
async fn examine_standby(client: &Client, findings: &mut Findings) {
    const QUERY: &str = "select case
           when not pg_is_in_recovery() then null
           when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then '0'
           else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::text end";
    let Some(lag) = value(client, QUERY).await.and_then(|lag| lag.parse::<f64>().ok()) else { return };
    let (state, text) = standby_verdict(lag);
    findings.add(state, "standby", text);
}

fn standby_verdict(seconds: f64) -> (State, String) {
    let lag = format!("the database is a standby, {seconds:.0} s behind its primary");
    if seconds > LAG_SECONDS_WARN {
        (
            State::Warning,
            format!("{lag}: a token may work that long after its revocation; find the cause of the lag"),
        )
    } else {
        (State::Ok, lag)
    }
}

/// Returns true if a session moves to another server process while a second session is in a transaction: only a pooler in
/// transaction mode does that. Returns `None` if a query fails.
async fn has_pooler(client: &Client, reader: &ConnectionSettings) -> Option<bool> {
    let before = value(client, "select pg_backend_pid()").await?;
    let other = connect(READER_URL, reader).await.ok()?;
    other.batch_execute("begin").await.ok()?;
    let held = value(&other, "select pg_backend_pid()").await?;
    let after = value(client, "select pg_backend_pid()").await?;
    other.batch_execute("rollback").await.ok()?;
    Some(before != after || before == held)
}

fn pooler_verdict(is_pooled: bool, prepares_statements: bool) -> (State, String) {
    match (is_pooled, prepares_statements) {
        (false, _) => (State::Ok, "none in transaction mode".to_owned()),
        (true, false) => (State::Ok, "in transaction mode, and the server prepares no statements".to_owned()),
        (true, true) => (
            State::Warning,
            "in transaction mode: if it does not support prepared statements, as PgBouncer before 1.21, set \
             PASSBOOK_DATABASE_PREPARED_STATEMENTS=false"
                .to_owned(),
        ),
    }
}

/// Returns the only value of a query as text. The simple protocol works behind every pooler.
async fn value(client: &Client, query: &str) -> Option<String> {
    let messages = client.simple_query(query).await.ok()?;
    messages.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lagging_standby_and_unsuitable_pooler_are_warnings() {
        assert_eq!(standby_verdict(0.0).0, State::Ok);
        assert_eq!(standby_verdict(11.0).0, State::Warning);
        assert_eq!(pooler_verdict(false, true).0, State::Ok);
        assert_eq!(pooler_verdict(true, false).0, State::Ok);
        assert_eq!(pooler_verdict(true, true).0, State::Warning);
    }
}
