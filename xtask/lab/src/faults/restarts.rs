//! Restarts of the server under load: no request may fail.

use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::Duration;

use super::setting::Setting;
use crate::connection::Connection;
use crate::server::Server;

/// Time between two readiness checks of the balancer, in milliseconds.
const CHECK_MILLISECONDS: u64 = 50;
/// Pause of a client between two requests, in milliseconds.
const PAUSE_MILLISECONDS: u64 = 3;
/// Number of clients; every second one opens a connection for each request.
const CLIENTS: usize = 8;
/// Number of restarts of each server.
const RESTARTS: usize = 3;
/// Load before, between and after restarts, in milliseconds.
const LOAD_MILLISECONDS: u64 = 500;
const PATH: &str = "/v1/transactions?pageSize=20";
/// Gives an inherited listener the number that socket activation uses (`sd_listen_fds(3)`), and starts the server.
const ACTIVATE: &str = r#"exec 3<&0 0</dev/null; LISTEN_PID=$$ LISTEN_FDS=1 exec "$0""#;

/// Two addresses and their readiness, as a balancer knows them.
struct Balancer {
    bases: [std::sync::Mutex<String>; 2],
    is_ready: [AtomicBool; 2],
}

impl Balancer {
    /// Returns the number and the base address of a ready server.
    fn choose(&self, turn: usize) -> Option<(usize, String)> {
        let number = [turn % 2, (turn + 1) % 2]
            .into_iter()
            .find(|number| self.is_ready[*number].load(Ordering::SeqCst))?;
        Some((number, self.base(number)))
    }

    fn base(&self, number: usize) -> String {
        self.bases[number].lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    fn set_base(&self, number: usize, base: &str) {
        base.clone_into(&mut self.bases[number].lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    }

    fn check(&self, is_over: &AtomicBool) {
        while !is_over.load(Ordering::SeqCst) {
            for number in 0..2 {
                let ready = Connection::open(&self.base(number)).and_then(|mut open| open.get("/ready", ""));
                let is_ready = ready.is_ok_and(|response| response.status == 200);
                self.is_ready[number].store(is_ready, Ordering::SeqCst);
            }
            sleep(Duration::from_millis(CHECK_MILLISECONDS));
        }
    }
}

/// The requests of all clients, and the first that failed.
#[derive(Default)]
struct Outcome {
    succeeded: AtomicUsize,
    /// Requests that were repeated, because the server had closed the idle connection meanwhile.
    repeated: AtomicUsize,
    failure: std::sync::Mutex<Option<String>>,
}

impl Outcome {
    fn fail(&self, problem: String) {
        self.failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(problem);
    }

    fn summary(self) -> Result<String, String> {
        let (succeeded, repeated) = (self.succeeded.into_inner(), self.repeated.into_inner());
        match self.failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some(problem) => Err(format!("a request failed after {succeeded} × 200: {problem}")),
            None if succeeded == 0 => Err("no request was sent".to_owned()),
            None => Ok(format!("{succeeded} × 200, {repeated} repeated on a new connection")),
        }
    }

    /// Sends a request over `reused`, the connection of the request before, or over a new one. As every HTTP client does,
    /// it repeats a request once if the server has closed a connection that was idle (RFC 9110 section 9.2.2).
    fn send(&self, reused: &mut Option<Connection>, base: &str, token: &str) {
        if let Some(connection) = reused {
            match connection.get(PATH, token) {
                Ok(response) => return self.record(response.status, base),
                Err(_) => self.repeated.fetch_add(1, Ordering::SeqCst),
            };
        }
        let sent = Connection::open(base).and_then(|mut open| Ok((open.get(PATH, token)?, open)));
        match sent {
            Ok((response, open)) => {
                self.record(response.status, base);
                *reused = Some(open);
            }
            Err(problem) => {
                *reused = None;
                self.fail(problem);
            }
        }
    }

    fn record(&self, status: u16, base: &str) {
        match status {
            200 => _ = self.succeeded.fetch_add(1, Ordering::SeqCst),
            status => self.fail(format!("{base}: status {status}")),
        }
    }
}

/// Two servers behind a balancer. One after the other is stopped and replaced.
pub(super) fn rolling_restart(setting: &Setting<'_>) -> Result<String, String> {
    let mut servers = [Some(setting.start()?), Some(setting.start()?)];
    let base = |server: &Option<Server>| server.as_ref().map_or("", Server::base).to_owned().into();
    let balancer = Balancer { bases: servers.each_ref().map(base), is_ready: Default::default() };
    let (outcome, is_over, started) = (Outcome::default(), AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| balancer.check(&is_over));
        for client in 0..CLIENTS {
            let (balancer, outcome, is_over, started) = (&balancer, &outcome, &is_over, &started);
            scope.spawn(move || {
                let mut reused: [Option<Connection>; 2] = [None, None];
                let mut turn = client;
                while !is_over.load(Ordering::SeqCst) {
                    match balancer.choose(turn) {
                        Some((number, base)) => {
                            started.store(true, Ordering::SeqCst);
                            if client % 2 == 0 {
                                reused[number] = None;
                            }
                            outcome.send(&mut reused[number], &base, setting.token);
                        }
                        None if started.load(Ordering::SeqCst) => {
                            outcome.fail("no server is ready".to_owned())
                        }
                        None => {}
                    }
                    turn += 1;
                    sleep(Duration::from_millis(PAUSE_MILLISECONDS));
                }
            });
        }
        let replaced = (|| {
            for restart in 0..2 * RESTARTS {
                sleep(Duration::from_millis(LOAD_MILLISECONDS));
                let number = restart % 2;
                servers[number].take().ok_or("a server is missing")?.stop()?;
                let next = setting.start()?;
                balancer.set_base(number, next.base());
                servers[number] = Some(next);
            }
            sleep(Duration::from_millis(LOAD_MILLISECONDS));
            Ok(())
        })();
        is_over.store(true, Ordering::SeqCst);
        replaced
    })
    .and_then(|()| servers.into_iter().flatten().try_for_each(Server::stop))?;
    outcome.summary()
}

/// One server after the other takes over the same listener. Between them connections wait in the listener's queue.
pub(super) fn socket_activation(setting: &Setting<'_>) -> Result<String, String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| format!("a free port: {error}"))?;
    let address = listener.local_addr().map_err(|error| format!("a free port: {error}"))?;
    let base = format!("http://{address}/api");
    let start = || {
        let inherited: OwnedFd = listener.try_clone().map_err(|error| error.to_string())?.into();
        let mut command = Command::new("sh");
        command.args(["-c", ACTIVATE]).arg(&setting.program).stdin(inherited);
        command
            .env("PASSBOOK_LOG", "warn")
            .env("PASSBOOK_RATE_LIMIT_USER", "0")
            .env("PASSBOOK_RATE_LIMIT_CLIENT", "0");
        command.envs(setting.environment.iter().map(|(name, value)| (name, value)));
        Server::start_by(&mut command, Stdio::null())
    };
    let mut server = start()?;
    if server.base() != base {
        return Err(format!("the server listens at {} instead of {base}", server.base()));
    }
    let (outcome, is_over) = (Outcome::default(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (outcome, is_over, base) = (&outcome, &is_over, &base);
            scope.spawn(move || {
                let mut reused = None;
                while !is_over.load(Ordering::SeqCst) {
                    if client % 2 == 0 {
                        reused = None;
                    }
                    outcome.send(&mut reused, base, setting.token);
                    sleep(Duration::from_millis(PAUSE_MILLISECONDS));
                }
            });
        }
        let restarted = (|| {
            for _ in 0..RESTARTS {
                sleep(Duration::from_millis(LOAD_MILLISECONDS));
                // The old server ends first, as under systemd.
                server.end()?;
                server = start()?;
            }
            sleep(Duration::from_millis(LOAD_MILLISECONDS));
            Ok::<(), String>(())
        })();
        is_over.store(true, Ordering::SeqCst);
        restarted
    })?;
    server.stop()?;
    outcome.summary()
}

/// The server receives the signal to stop while queries run. Every request in progress must be answered.
pub(super) fn slow_queries(setting: &Setting<'_>) -> Result<String, String> {
    let server = Server::start_with_log(&setting.program, &[], &setting.environment, Stdio::null())?;
    let base = server.base().to_owned();
    let mut connections = Vec::new();
    for _ in 0..CLIENTS / 2 {
        // The first request looks up the token and opens a database connection.
        let mut connection = Connection::open(&base)?;
        connection.get(PATH, setting.token)?;
        connections.push(connection);
    }
    setting.database.signal_all("-STOP")?;
    let statuses = std::thread::scope(|scope| {
        let requests: Vec<_> = connections
            .into_iter()
            .map(|mut connection| scope.spawn(move || connection.get(PATH, setting.token)))
            .collect();
        sleep(Duration::from_millis(LOAD_MILLISECONDS));
        let stopping = scope.spawn(|| server.stop());
        sleep(Duration::from_millis(LOAD_MILLISECONDS));
        let resumed = setting.database.signal_all("-CONT");
        let statuses: Result<Vec<u16>, String> = requests
            .into_iter()
            .map(|request| {
                request.join().map_err(|_| "a client panicked".to_owned())?.map(|response| response.status)
            })
            .collect();
        stopping.join().map_err(|_| "the stop panicked".to_owned())??;
        resumed.and(statuses)
    })?;
    match statuses.iter().find(|status| **status != 200) {
        Some(status) => Err(format!("a request in progress was answered with {status}")),
        None => Ok(format!("{} × 200, and exit code 0", statuses.len())),
    }
}
