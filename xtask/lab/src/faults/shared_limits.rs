//! Two servers that count requests together in Redis, clients that send too many, and a Redis that fails.

use std::io::Write as _;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use super::setting::Setting;
use crate::command::run_quietly;
use crate::connection::Connection;
use crate::server::Server;

/// Requests of a client per minute, and how many may come at once.
const RATE: &str = "120";
const REQUESTS_PER_SECOND: f64 = 2.0;
const BURST: f64 = 40.0;
/// Clients of the user that send too many requests, at each server.
const CLIENTS: usize = 3;
/// Duration of each fault.
const DURATION: Duration = Duration::from_secs(6);
/// Pause of the client that sends few requests, in milliseconds.
const PAUSE_MILLISECONDS: u64 = 700;
/// Requests that the counts may differ from the rate by.
const SLACK: f64 = 4.0;
const PATH: &str = "/v1/me";

/// A running Redis that stores nothing. Dropping the value kills it.
struct Redis(Child);

impl Redis {
    fn start(socket: &Path) -> Result<Redis, String> {
        let _ = std::fs::remove_file(socket);
        let mut command = Command::new("redis-server");
        command.args(["--port", "0", "--save", "", "--appendonly", "no", "--unixsocket"]).arg(socket);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let redis = command.spawn().map(Redis).map_err(|error| format!("redis-server: {error}"))?;
        while !socket.exists() {
            sleep(Duration::from_millis(20));
        }
        // The servers connect again within a second.
        sleep(Duration::from_secs(2));
        Ok(redis)
    }

    fn signal(&self, signal: &str) -> Result<(), String> {
        run_quietly("kill", &[signal, &self.0.id().to_string()], &[]).map(drop)
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.0.kill().and_then(|()| self.0.wait());
    }
}

/// Faults of Redis, one after the other, while clients of one user send too many requests.
pub(super) fn run(setting: &Setting<'_>) -> Result<String, String> {
    crate::debian::find("redis-server", "redis-server")?;
    let socket = setting.work.join("redis.sock");
    let mut redis = Some(Redis::start(&socket)?);
    let store = format!("unix://{}", socket.display());
    let settings = [
        ("PASSBOOK_RATE_LIMIT_STORE", &*store),
        ("PASSBOOK_RATE_LIMIT_USER", "0"),
        ("PASSBOOK_RATE_LIMIT_CLIENT", RATE),
    ];
    let servers = [setting.serve(&settings)?, setting.serve(&settings)?];
    sleep(Duration::from_secs(1));
    let other = setting.database.token_of_another()?;
    let mut figures = Vec::new();
    for (name, servers_that_count) in [
        ("a store", 1.0),
        ("a frozen store", 2.0),
        ("no store", 2.0),
        ("a store that talks nonsense", 2.0),
        ("a store again", 1.0),
    ] {
        match name {
            "a frozen store" => redis.as_ref().map_or(Ok(()), |redis| redis.signal("-STOP"))?,
            "no store" => drop(redis.take()),
            "a store that talks nonsense" => talk_nonsense(&socket)?,
            "a store again" => redis = Some(Redis::start(&socket)?),
            _ => {}
        }
        // A new token has a full quota.
        let token = setting.database.token("")?;
        let (served, slowest) =
            hammered(&servers, &token, &other).map_err(|problem| format!("{name}: {problem}"))?;
        let max = servers_that_count * (BURST + REQUESTS_PER_SECOND * DURATION.as_secs_f64()) + SLACK;
        if served as f64 > max {
            return Err(format!("{name}: {served} requests are served, at most {max}"));
        }
        figures.push(format!("{name} {served} × 200, slowest other request {} ms", slowest.as_millis()));
    }
    servers.into_iter().try_for_each(Server::stop)?;
    Ok(figures.join("; "))
}

/// Sends too many requests with `token`, and few with `other`, which must all succeed. Returns the number of responses with
/// status 200 to the first, and the longest time of the second.
fn hammered(servers: &[Server; 2], token: &str, other: &str) -> Result<(usize, Duration), String> {
    let (served, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        let hammers: Vec<_> = (0..2 * CLIENTS)
            .map(|client| {
                let (served, is_over) = (&served, &is_over);
                scope.spawn(move || -> Result<(), String> {
                    let mut connection = Connection::open(servers[client % 2].base())?;
                    while !is_over.load(Ordering::Relaxed) {
                        match connection.get(PATH, token)?.status {
                            200 => _ = served.fetch_add(1, Ordering::Relaxed),
                            429 => sleep(Duration::from_millis(5)),
                            status => return Err(format!("status {status}")),
                        }
                    }
                    Ok(())
                })
            })
            .collect();
        let (started, mut slowest, mut turn, mut failed) = (Instant::now(), Duration::ZERO, 0, Ok(()));
        while started.elapsed() < DURATION && failed.is_ok() {
            let sent = Instant::now();
            let reply = Connection::open(servers[turn % 2].base()).and_then(|mut open| open.get(PATH, other));
            slowest = slowest.max(sent.elapsed());
            failed = match reply {
                Ok(reply) if reply.status == 200 => Ok(()),
                Ok(reply) => Err(format!("another user's request has status {}", reply.status)),
                Err(problem) => Err(problem),
            };
            turn += 1;
            sleep(Duration::from_millis(PAUSE_MILLISECONDS));
        }
        is_over.store(true, Ordering::Relaxed);
        for hammer in hammers {
            hammer.join().map_err(|_| "a client panicked".to_owned())??;
        }
        failed.map(|()| (served.load(Ordering::Relaxed), slowest))
    })
}

/// Listens instead of Redis, and answers every connection with bytes that are no reply, until the next Redis starts.
fn talk_nonsense(socket: &Path) -> Result<(), String> {
    let _ = std::fs::remove_file(socket);
    let listener = UnixListener::bind(socket).map_err(|error| format!("{}: {error}", socket.display()))?;
    thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            let _ = client.write_all(b"*3\r\n:9\r\n$-7\r\nnonsense\r\n");
        }
    });
    Ok(())
}
