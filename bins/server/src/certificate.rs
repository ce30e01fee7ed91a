//! Keeps the certificate of TLS connections current.

use std::convert::Infallible;
use std::time::Duration;

use passbook_transport::Certificate;
use tokio::signal::unix::{SignalKind, signal};

/// Time between two looks at the files of the certificate, in seconds.
const RELOAD_SECONDS: u64 = 60;

/// Reads the certificate again once a minute and on SIGHUP. A failure is logged, and the old certificate stays in use.
pub(crate) async fn keep_current(certificate: Option<Certificate>) -> Infallible {
    let (Some(certificate), Ok(mut hangup)) = (certificate, signal(SignalKind::hangup())) else {
        return std::future::pending().await;
    };
    loop {
        let _ = tokio::time::timeout(Duration::from_secs(RELOAD_SECONDS), hangup.recv()).await;
        match certificate.reload() {
            Ok(true) => tracing::info!("the certificate was replaced"),
            Ok(false) => {}
            Err(error) => {
                tracing::error!(%error, "the certificate cannot be read again; the old one stays in use")
            }
        }
    }
}
