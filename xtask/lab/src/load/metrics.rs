//! The metrics of a server, and the memory of its process.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::command::read;
use crate::server::Server;

/// Time between two samples, in milliseconds.
const SAMPLE_MILLISECONDS: u64 = 250;
const BYTES_PER_KIBIBYTE: f64 = 1024.0;
pub(crate) const BYTES_PER_MEGABYTE: f64 = 1e6;

/// The metrics at one time.
pub(crate) struct Metrics(String);

impl Metrics {
    /// Reads the metrics of a server.
    pub(crate) fn of(server: &Server) -> Result<Metrics, String> {
        let address = server.metrics().ok_or("the server has no metrics")?;
        let host = address.trim_start_matches("http://").split('/').next().unwrap_or_default();
        let failed = |error: std::io::Error| format!("{address}: {error}");
        let mut stream = TcpStream::connect(host).map_err(failed)?;
        let request = format!("GET /metrics HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).map_err(failed)?;
        let mut text = String::new();
        stream.read_to_string(&mut text).map_err(failed)?;
        Ok(Metrics(text))
    }

    /// Returns the value of a metric: its name, with its labels if it has any. 0 if it has never been counted.
    pub(crate) fn value(&self, name: &str) -> f64 {
        let value = self.0.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.and_then(|value| value.trim().parse().ok()).unwrap_or(0.0)
    }
}

/// Returns the resident memory of the server's process, in bytes.
pub(crate) fn resident(server: &Server) -> Result<f64, String> {
    memory(server, "VmRSS:")
}

/// Returns the largest resident memory that the server's process has had, in bytes.
pub(crate) fn resident_peak(server: &Server) -> Result<f64, String> {
    memory(server, "VmHWM:")
}

fn memory(server: &Server, field: &str) -> Result<f64, String> {
    let text = read(Path::new(&format!("/proc/{}/status", server.process())))?;
    let line = text.lines().find_map(|line| line.strip_prefix(field));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kibibytes
        .map(|kibibytes| kibibytes * BYTES_PER_KIBIBYTE)
        .ok_or_else(|| format!("no {field} in the status"))
}

/// The moment with the most open connections.
#[derive(Clone, Copy, Default)]
pub(crate) struct Fullest {
    pub(crate) connections: f64,
    /// Resident memory at this moment, in bytes.
    pub(crate) resident: f64,
}

/// Samples connections and memory until `is_over`.
pub(crate) fn fullest(server: &Server, is_over: &AtomicBool) -> Result<Fullest, String> {
    let mut fullest = Fullest::default();
    while !is_over.load(Ordering::Relaxed) {
        let connections = Metrics::of(server)?.value("passbook_connections_open");
        let resident = resident(server)?;
        // With equally many connections, the later moment counts: each has then received its requests.
        if connections >= fullest.connections {
            fullest = Fullest { connections, resident: resident.max(fullest.resident) };
        }
        std::thread::sleep(Duration::from_millis(SAMPLE_MILLISECONDS));
    }
    Ok(fullest)
}
