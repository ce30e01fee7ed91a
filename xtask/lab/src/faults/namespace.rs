//! A network namespace for the experiments, in which lost packets and used ports concern nobody else.

use std::path::Path;
use std::process::{Command, Stdio};

use super::clock;
use crate::{debian, pgbouncer};

/// The variable that marks a run in a network namespace of its own.
const INSIDE: &str = "LAB_FAULTS_NAMESPACE";

/// Returns true if the namespace has been entered.
pub(super) fn is_inside() -> bool {
    std::env::var_os(INSIDE).is_some()
}

/// Runs the experiments in the namespace. Returns `None` if
/// the system does not permit it. Installs the programs that experiments need before: the namespace has only a loopback
/// interface.
pub(super) fn run(root: &Path, start: &str) -> Option<Result<(), String>> {
    let mut namespace = Command::new("unshare");
    namespace.args(["--net", "--", "sh", "-c", r#"ip link set lo up && exec "$@""#, "sh"]);
    let is_permitted = Command::new("unshare")
        .args(["--net", "true"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !is_permitted {
        return None;
    }
    // An experiment whose program is missing says so.
    let _ = debian::find("iptables", "iptables");
    let _ = debian::find("redis-server", "redis-server");
    let _ = pgbouncer::find(&root.join("target/clients/pgbouncer"));
    let _ = clock::library(root);
    namespace.arg(std::env::current_exe().ok()?).args(["faults", start]).env(INSIDE, "1");
    let status = namespace.status().map_err(|error| format!("unshare: {error}"));
    Some(status.and_then(
        |status| {
            if status.success() { Ok(()) } else { Err("faults: not as it must be".to_owned()) }
        },
    ))
}
