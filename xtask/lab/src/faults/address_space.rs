//! A server whose address space is limited (`ulimit -v`).

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::load::CLIENTS;
use super::setting::Setting;
use crate::command::read;
use crate::connection::Connection;
use crate::server::Server;

/// Starts the program with a limit, in KiB.
const LIMIT: &str = r#"ulimit -v "$1"; exec "$0""#;
/// The limits above the address space of an idle server, in KiB. The server cannot start with the first one.
const ABOVE_IDLE: [i64; 7] = [-4 * 1024, 0, 1024, 4 * 1024, 8 * 1024, 16 * 1024, 64 * 1024];
/// A limit that is large enough, in KiB.
const LARGE_ENOUGH: i64 = 4 * 1024 * 1024;
/// Number of requests of each client.
const REQUESTS: usize = 20;
/// Time in which a server that cannot go on ends.
const END_TIME_MAX: Duration = Duration::from_secs(10);
/// Time between two looks, in milliseconds.
const POLL_MILLISECONDS: u64 = 20;
/// The signals that end a program without memory: an allocation fails, or a stack cannot grow.
const SIGNALS: [&str; 2] = ["(SIGABRT)", "(SIGSEGV)"];
/// The log of a program that cannot create a thread.
const NO_THREAD: &str = "OS can't spawn worker thread";
const PATH: &str = "/v1/transactions?pageSize=200";

/// The requests of all clients to one server.
struct Answers {
    right: usize,
    /// The server ended because of its limit.
    has_ended: bool,
}

/// Servers with different limits under load. Each serves or ends, and no response is wrong.
pub(super) fn run(setting: &Setting<'_>) -> Result<String, String> {
    let log = setting.work.join("address-space.log");
    // Without further arenas, for each of which the allocator reserves 64 MiB if it may.
    let idle = start(setting, LARGE_ENOUGH, &log, &[("MALLOC_ARENA_MAX", "1")])?;
    let idle = address_space(&idle)?;
    let unlimited = start(setting, LARGE_ENOUGH, &log, &[])?;
    let expected = Connection::open(unlimited.base())?.get(PATH, setting.token)?.body;
    let all = answers(unlimited, setting.token, &expected, &log)?;
    if all.has_ended || all.right != CLIENTS * REQUESTS {
        return Err(format!("with a large limit, {} requests succeeded", all.right));
    }
    let (mut ended, mut right) = (0, 0);
    for above in ABOVE_IDLE {
        let limited = match start(setting, idle + above, &log, &[]) {
            Ok(server) => answers(server, setting.token, &expected, &log),
            Err(problem) => expect_end(&problem, &log).map(|()| Answers { right: 0, has_ended: true }),
        };
        let limited = limited.map_err(|problem| format!("{} KiB: {problem}", idle + above))?;
        ended += usize::from(limited.has_ended);
        right += limited.right;
    }
    if ended == 0 {
        return Err("no limit had an effect".to_owned());
    }
    Ok(format!(
        "{} × 200 with a large limit; {ended} of {} servers with a small one ended, {right} × 200",
        all.right,
        ABOVE_IDLE.len()
    ))
}

fn start(
    setting: &Setting<'_>,
    limit: i64,
    log: &Path,
    environment: &[(&str, &str)],
) -> Result<Server, String> {
    let file = std::fs::File::create(log).map_err(|error| format!("{}: {error}", log.display()))?;
    let mut command = Command::new("sh");
    command.args(["-c", LIMIT]).arg(&setting.program).arg(limit.to_string()).stdin(Stdio::null());
    command
        .env("PASSBOOK_LOG", "warn")
        .env("PASSBOOK_LISTEN", "127.0.0.1:0")
        .env("PASSBOOK_RATE_LIMIT_USER", "0")
        .env("PASSBOOK_RATE_LIMIT_CLIENT", "0");
    command.envs(setting.environment.iter().map(|(name, value)| (name, value)));
    command.envs(environment.iter().copied());
    Server::start_by(&mut command, file.into())
}

/// Returns the size of the server's address space, in KiB.
fn address_space(server: &Server) -> Result<i64, String> {
    let status = read(&PathBuf::from(format!("/proc/{}/status", server.process())))?;
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:"));
    let size = size.and_then(|size| size.trim().trim_end_matches("kB").trim().parse().ok());
    size.ok_or_else(|| "the server's status has no VmSize".to_owned())
}

/// Sends the requests of all clients. A client gives up when the server does not answer.
fn answers(mut server: Server, token: &str, expected: &str, log: &Path) -> Result<Answers, String> {
    let (right, base) = (AtomicUsize::new(0), server.base().to_owned());
    let send = || {
        let Ok(mut connection) = Connection::open(&base) else { return Ok(false) };
        for _ in 0..REQUESTS {
            match connection.get(PATH, token) {
                Ok(response) if response.status == 200 && response.body == expected => {
                    right.fetch_add(1, Ordering::SeqCst);
                }
                Ok(response) if response.status == 503 => {}
                Ok(response) => return Err(format!("status {}, or a wrong body", response.status)),
                Err(_) => return Ok(false),
            }
        }
        Ok(true)
    };
    let clients: Vec<Result<bool, String>> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(send)).collect();
        let panicked = |_| Err("a client panicked".to_owned());
        clients.into_iter().map(|client| client.join().unwrap_or_else(panicked)).collect()
    });
    let all_served =
        clients.into_iter().collect::<Result<Vec<bool>, String>>()?.into_iter().all(|served| served);
    let right = right.into_inner();
    if all_served {
        return server.stop().map(|()| Answers { right, has_ended: false });
    }
    let started = Instant::now();
    let status = loop {
        match server.status()? {
            Some(status) => break status,
            None if started.elapsed() > END_TIME_MAX => {
                return Err("the server neither answers nor ends".to_owned());
            }
            None => sleep(Duration::from_millis(POLL_MILLISECONDS)),
        }
    };
    expect_end(&status.to_string(), log).map(|()| Answers { right, has_ended: true })
}

/// Returns an error unless the end of the server, which contains its exit status, is that of a program without memory.
fn expect_end(end: &str, log: &Path) -> Result<(), String> {
    let text = read(log)?;
    match SIGNALS.iter().any(|signal| end.contains(signal)) || text.contains(NO_THREAD) {
        true => Ok(()),
        false => Err(format!("{end}, {text:?}")),
    }
}
