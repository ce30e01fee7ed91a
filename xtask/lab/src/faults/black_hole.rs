//! A network between the server and its database, or its identity provider, that loses every packet: nothing is
//! acknowledged, and no connection ends.

use std::net::{Shutdown, TcpListener};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use super::floods::NO_LIMITS;
use super::provider::{CLIENT, KEY, Provider};
use super::setting::Setting;
use crate::connection::Connection;
use crate::server::Server;

/// Time for which the network loses everything: longer than the limit of unacknowledged bytes
/// (`crates/store/src/connection.rs`), and than that of a new connection.
const LOST: Duration = Duration::from_secs(9);
/// Maximum time of a response meanwhile: the limit of a request and a second.
const RESPONSE_TIME_MAX: Duration = Duration::from_secs(11);
/// Maximum time from the end of the fault to a response with status 200.
const RECOVERY_TIME_MAX: Duration = Duration::from_secs(2);
/// Pause that keeps the unseen tokens within their limit.
const PAUSE: Duration = Duration::from_millis(500);
/// The same for the identity provider, which is tried again some seconds after a failure.
const PROVIDER_RECOVERY_TIME_MAX: Duration = Duration::from_secs(10);
const PATH: &str = "/v1/me";

/// Requests during and after the fault.
pub(super) fn run(setting: &Setting<'_>) -> Result<String, String> {
    let port = forward(setting.database.socket())?;
    let mut environment = setting.environment.clone();
    environment.retain(|(name, _)| *name != "PASSBOOK_DATABASE_URL");
    environment.push(("PASSBOOK_DATABASE_URL", PathBuf::from(setting.database.url_at("127.0.0.1", port))));
    let server = Server::start_with_log(&setting.program, &[], &environment, Stdio::null())?;
    let get = || Connection::open(server.base())?.get(PATH, setting.token);
    expect(get()?.status, &[200], "before the fault")?;
    let started = Instant::now();
    let lost = Lost::start(port)?;
    let (mut responses, mut slowest) = (0, Duration::ZERO);
    while started.elapsed() < LOST {
        let sent = Instant::now();
        let response = get()?;
        expect(response.status, &[503, 504], "meanwhile")?;
        if response.status == 503 && !response.has_retry_after {
            return Err("a response with status 503 has no Retry-After".to_owned());
        }
        (responses, slowest) = (responses + 1, slowest.max(sent.elapsed()));
    }
    if slowest > RESPONSE_TIME_MAX {
        return Err(format!("a response took {} ms", slowest.as_millis()));
    }
    lost.end()?;
    let ended = Instant::now();
    while get()?.status != 200 && ended.elapsed() < RECOVERY_TIME_MAX {
        sleep(Duration::from_millis(20));
    }
    let recovered = ended.elapsed();
    if recovered > RECOVERY_TIME_MAX {
        return Err(format!("no success within {} ms after the fault", RECOVERY_TIME_MAX.as_millis()));
    }
    let recovered = recovered.as_millis();
    server.stop()?;
    let slowest = slowest.as_millis();
    Ok(format!("{responses} × 503 or 504, slowest {slowest} ms, recovered after {recovered} ms"))
}

/// The identity provider is lost while a server has its keys, and before another server starts.
pub(super) fn provider(setting: &Setting<'_>) -> Result<String, String> {
    let provider = Provider::start(setting)?;
    let issuer = provider.issuer();
    let settings = [NO_LIMITS[0], NO_LIMITS[1], ("PASSBOOK_OIDC_ISSUER", &*issuer), Provider::SETTINGS];
    let (token, unknown) = (provider.token(CLIENT, KEY, 0)?, provider.token(CLIENT, "unknown", 0)?);
    let get = |server: &Server, token: &str| Connection::open(server.base())?.get(PATH, token);
    let server = setting.serve(&settings)?;
    expect(get(&server, &token)?.status, &[200], "before the fault")?;
    let started = Instant::now();
    let lost = Lost::start(provider.port)?;
    let late = setting.serve(&settings)?;
    let start = started.elapsed().as_millis();
    let (mut responses, mut slowest) = (0, Duration::ZERO);
    while started.elapsed() < LOST {
        for (server, token, expected) in [
            (&server, &*token, &[200][..]),
            (&server, setting.token, &[200]),
            (&server, &unknown, &[401, 503]),
            (&late, &token, &[503]),
            (&late, setting.token, &[200]),
        ] {
            let sent = Instant::now();
            expect(get(server, token)?.status, expected, "meanwhile")?;
            (responses, slowest) = (responses + 1, slowest.max(sent.elapsed()));
        }
        sleep(PAUSE);
    }
    lost.end()?;
    let ended = Instant::now();
    while get(&late, &token)?.status != 200 {
        if ended.elapsed() > PROVIDER_RECOVERY_TIME_MAX {
            return Err("no success after the fault".to_owned());
        }
        sleep(PAUSE);
    }
    let (recovered, slowest) = (ended.elapsed().as_millis(), slowest.as_millis());
    if slowest > RESPONSE_TIME_MAX.as_millis() {
        return Err(format!("a response took {slowest} ms"));
    }
    server.stop()?;
    late.stop()?;
    Ok(format!(
        "{responses} responses right, slowest {slowest} ms; a server without keys starts in {start} ms, 503, \
         recovered after {recovered} ms"
    ))
}

fn expect(status: u16, expected: &[u16], when: &str) -> Result<(), String> {
    if expected.contains(&status) { Ok(()) } else { Err(format!("{when}, a response has status {status}")) }
}

/// Forwards connections of a free port to a Unix socket, until the process ends. Returns the port.
fn forward(socket: PathBuf) -> Result<u16, String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| format!("a free port: {error}"))?;
    let port = listener.local_addr().map_err(|error| format!("a free port: {error}"))?.port();
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            // A client that finds no database sees the end of its connection.
            let Ok(database) = UnixStream::connect(&socket) else { continue };
            let (Ok(from_client), Ok(to_database)) = (client.try_clone(), database.try_clone()) else {
                continue;
            };
            thread::spawn(move || {
                copy(from_client, &to_database);
                let _ = to_database.shutdown(Shutdown::Write);
            });
            thread::spawn(move || {
                copy(database, &client);
                let _ = client.shutdown(Shutdown::Write);
            });
        }
    });
    Ok(port)
}

/// Copies bytes until one of the connections ends.
fn copy(mut from: impl std::io::Read, mut to: impl std::io::Write) {
    let _ = std::io::copy(&mut from, &mut to);
}

/// A rule of the system that drops every packet to a port of the loopback network. Dropping the value removes the rule.
struct Lost(Option<String>);

impl Lost {
    fn start(port: u16) -> Result<Lost, String> {
        crate::debian::find("iptables", "iptables")?;
        change_rule("--insert", &port.to_string())?;
        Ok(Lost(Some(port.to_string())))
    }

    fn end(mut self) -> Result<(), String> {
        self.0.take().map_or(Ok(()), |port| change_rule("--delete", &port))
    }
}

impl Drop for Lost {
    fn drop(&mut self) {
        if let Some(port) = self.0.take() {
            let _ = change_rule("--delete", &port);
        }
    }
}

fn change_rule(change: &str, port: &str) -> Result<(), String> {
    let output = Command::new("iptables")
        .args(["--wait", change, "INPUT", "--in-interface", "lo", "--protocol", "tcp"])
        .args(["--destination-port", port, "--jump", "DROP"])
        .output()
        .map_err(|error| format!("iptables: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("iptables {change}: {}", String::from_utf8_lossy(&output.stderr).trim_end()))
}
