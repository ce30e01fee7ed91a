//! The limit of open files, which network and database connections count towards.

use nix::sys::resource::{Resource, getrlimit, rlim_t, setrlimit};

use crate::settings::Settings;

/// Descriptors besides connections: standard streams, listeners, files of certificates, log, name resolution.
const OTHERS: u64 = 64;

/// Raises the limit of open files as far as the system allows and the settings need. Logs a warning if the system does not
/// allow it: the server then cannot accept all connections that it is set to.
pub(crate) fn ensure(settings: &Settings) {
    let needed = needed(settings);
    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else { return };
    if soft >= needed {
        return;
    }
    let raised = needed.min(hard);
    let limit = if setrlimit(Resource::RLIMIT_NOFILE, raised, hard).is_ok() { raised } else { soft };
    if limit < needed {
        tracing::warn!(
            limit,
            needed,
            "too few open files for PASSBOOK_CONNECTIONS: raise the limit (ulimit -n, LimitNOFILE= of systemd), or lower \
             PASSBOOK_CONNECTIONS"
        );
    }
}

/// Returns the number of descriptors that the settings need at most.
fn needed(settings: &Settings) -> rlim_t {
    let connections = settings.limits.connections.saturating_add(settings.database_connections);
    u64::try_from(connections).unwrap_or(u64::MAX).saturating_add(OTHERS)
}
