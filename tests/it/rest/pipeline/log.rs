//! Collects the log lines of a test.

use std::io::Write;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use serde_json::Value;
use tracing::Dispatch;
use tracing::subscriber::NoSubscriber;
use tracing_subscriber::fmt::MakeWriter;

/// A second subscriber, which logs nothing. If there is only one, `tracing` disables a statement for the whole program when
/// the first thread that reaches the statement has no subscriber, as the threads of most tests.
static SECOND: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::new()));

/// The lines that a test logs, as JSON.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Collects what this thread logs from now on.
    pub(crate) fn collect(&self) -> tracing::subscriber::DefaultGuard {
        self.collect_filtered("debug")
    }

    /// Collects what this thread logs from now on and the filter lets through.
    pub(crate) fn collect_filtered(&self, filter: &str) -> tracing::subscriber::DefaultGuard {
        LazyLock::force(&SECOND);
        let subscriber = tracing_subscriber::fmt().json().with_env_filter(filter).with_writer(self.clone());
        tracing::subscriber::set_default(subscriber.finish())
    }

    /// Takes the lines logged at level `info` or above.
    pub(crate) fn take(&self) -> Vec<Value> {
        self.take_all().into_iter().filter(|line| line["level"] != "DEBUG").collect()
    }

    /// Takes the lines logged at any level.
    pub(crate) fn take_all(&self) -> Vec<Value> {
        let written = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let text = String::from_utf8(written).expect("the log is UTF-8");
        text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'w> MakeWriter<'w> for Log {
    type Writer = Log;

    fn make_writer(&'w self) -> Log {
        self.clone()
    }
}
