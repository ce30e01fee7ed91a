//! The checks of the way to the served database: its clock, the lag of a standby, and a pooler in between.

use std::time::Duration;

use jiff::Timestamp;
use passbook_store::{ConnectionSettings, DatabaseAddress};
use tokio_postgres::{Client, SimpleQueryMessage};

use super::{Findings, State};
use crate::database::{READER_URL, connect};

/// Clock difference to the database from which `doctor` warns, in seconds. The clock of the database decides which tokens
/// and grants have expired.
const CLOCK_SECONDS_WARN: u64 = 5;
/// Lag of a standby from which `doctor` warns, in seconds.
const LAG_SECONDS_WARN: f64 = 10.0;
/// Maximum time for the examination of a pooler, in seconds.
const POOLER_SECONDS_MAX: u64 = 5;

/// The subject of a finding about a host that was not examined.
const HOST: &str = "database-host";

/// Examines each host of the database through the settings of the server.
pub(super) async fn examine(reader: &ConnectionSettings, prepares_statements: bool, findings: &mut Findings) {
    let hosts = reader.of_each_host();
    let has_several = hosts.len() > 1;
    for settings in hosts {
        let name = has_several.then(|| DatabaseAddress::of(settings.config()).hosts().to_owned());
        let host = Host { settings, name, prepares_statements };
        host.examine(findings).await;
    }
}

/// One host of the database.
struct Host {
    settings: ConnectionSettings,
    /// Name and port in the findings; `None` if the database has one host.
    name: Option<String>,
    prepares_statements: bool,
}

impl Host {
    async fn examine(&self, findings: &mut Findings) {
        // The reading role is read-only everywhere, so the connection does not depend on the kind of the host.
        let client = match connect(READER_URL, &self.settings).await {
            Ok(client) => client,
            Err(error) => {
                let text = format!("clock, lag and pooler are not checked: {}", error.lines().join("; "));
                return self.add(findings, HOST, (State::Warning, text));
            }
        };
        self.add(findings, "database-clock", clock_verdict(clock_difference(&client).await));
        match standby_lag(&client).await {
            Some(Lag::None) => {}
            Some(Lag::Seconds(seconds)) => self.add(findings, "standby", standby_verdict(seconds)),
            None => {
                let text = "it is unknown how far the database is behind a primary".to_owned();
                self.add(findings, "standby", (State::Warning, text));
            }
        }
        let limit = Duration::from_secs(POOLER_SECONDS_MAX);
        let verdict = match tokio::time::timeout(limit, has_pooler(&client, &self.settings)).await {
            Ok(Some(is_pooled)) => pooler_verdict(is_pooled, self.prepares_statements),
            Ok(None) | Err(_) => (
                State::Warning,
                "it is unknown whether a pooler is in between: a second connection did not answer".to_owned(),
            ),
        };
        self.add(findings, "pooler", verdict);
        if let Some(text) = temporary_tables(&client).await {
            self.add(findings, "temporary-tables", (State::Warning, text));
        }
    }

    fn add(&self, findings: &mut Findings, subject: &'static str, (state, text): (State, String)) {
        let text = match &self.name {
            Some(name) => format!("{name}: {text}"),
            None => text,
        };
        findings.add(state, subject, text);
    }
}

/// Returns the seconds by which this machine is ahead of the database; `None` if the query fails.
async fn clock_difference(client: &Client) -> Option<f64> {
    let theirs: f64 = value(client, "select extract(epoch from clock_timestamp())").await?.parse().ok()?;
    Some(Timestamp::now().as_millisecond() as f64 / 1000.0 - theirs)
}

fn clock_verdict(seconds_ahead: Option<f64>) -> (State, String) {
    let Some(ahead) = seconds_ahead else {
        return (State::Warning, "the database did not return its time".to_owned());
    };
    let seconds = ahead.abs().round();
    if seconds > CLOCK_SECONDS_WARN as f64 {
        let direction = if ahead < 0.0 { "behind" } else { "ahead of" };
        let text = format!(
            "this machine is {seconds} s {direction} the database, whose clock decides when tokens expire: set both from \
             the network (NTP)"
        );
        (State::Warning, text)
    } else {
        (State::Ok, format!("within {CLOCK_SECONDS_WARN} s of the database's clock"))
    }
}

/// The lag of a host behind its primary.
enum Lag {
    /// The host is a primary.
    None,
    Seconds(f64),
}

/// Returns `None` if the lag is unknown: the query fails, or the standby receives nothing and has replayed all that it had.
async fn standby_lag(client: &Client) -> Option<Lag> {
    // A standby that has just started may have replayed more than it has received from its primary.
    const QUERY: &str = "select case
           when not pg_is_in_recovery() then 'primary'
           when pg_last_wal_receive_lsn() <= pg_last_wal_replay_lsn()
             then (select '0' from pg_stat_wal_receiver)
           else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::text end";
    match value(client, QUERY).await?.as_str() {
        "primary" => Some(Lag::None),
        seconds => seconds.parse().ok().map(Lag::Seconds),
    }
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

/// Returns a warning if the reading role may create temporary tables, which PostgreSQL allows everybody in a new database.
async fn temporary_tables(client: &Client) -> Option<String> {
    const QUERY: &str = "select case when has_database_privilege(current_database(), 'temporary')
           then quote_ident(current_database()) end";
    let database = value(client, QUERY).await?;
    Some(format!(
        "the role may create temporary tables: revoke temporary on database {database} from public; \
         grant temporary on database {database} to passbook_writer"
    ))
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
    fn lagging_standby_wrong_clock_and_unsuitable_pooler_are_warnings() {
        assert_eq!(standby_verdict(0.0).0, State::Ok);
        assert_eq!(standby_verdict(11.0).0, State::Warning);
        assert_eq!(clock_verdict(Some(-5.0)).0, State::Ok);
        assert_eq!(clock_verdict(Some(-6.0)).0, State::Warning);
        assert_eq!(clock_verdict(None).0, State::Warning);
        assert_eq!(pooler_verdict(false, true).0, State::Ok);
        assert_eq!(pooler_verdict(true, false).0, State::Ok);
        assert_eq!(pooler_verdict(true, true).0, State::Warning);
    }
}
