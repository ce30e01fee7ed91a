//! Collects the log lines of a test.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tracing_subscriber::fmt::MakeWriter;

/// The lines that a test logs, as JSON.
#[derive(Clone, Default)]
pub(super) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Collects what this thread logs from now on.
    pub(super) fn collect(&self) -> tracing::subscriber::DefaultGuard {
        let subscriber = tracing_subscriber::fmt().json().with_env_filter("debug").with_writer(self.clone());
        tracing::subscriber::set_default(subscriber.finish())
    }

    /// Takes the lines logged at level `info` or above.
    pub(super) fn take(&self) -> Vec<Value> {
        let written = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let text = String::from_utf8(written).expect("the log is UTF-8");
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line is JSON"));
        lines.filter(|line| line["level"] != "DEBUG").collect()
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
