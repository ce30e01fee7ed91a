//! The server program: settings, wiring, listening and draining. The adapter crates serve the requests.

pub mod announce;
mod database;
#[cfg(feature = "embedded")]
pub mod embedded_default;
pub mod error;
pub mod listen;
pub mod logging;
pub mod metrics;
pub mod mount;
pub mod readiness;
pub mod settings;
#[cfg(feature = "shared-rate-limit")]
pub mod shared_rate_limit;
#[cfg(feature = "opentelemetry")]
pub mod telemetry;
pub mod wiring;

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;

use passbook_auth::Provider;
use passbook_rest::RequestObserver;
use passbook_settings::default_origin;
use passbook_transport::{Drained, Options, Stop};

use crate::announce::{Announcement, Instance};
use crate::error::ServerError;
use crate::metrics::{Metrics, Sources};
use crate::settings::Settings;
use crate::wiring::ProviderCheck;

/// Runs the server until the first signal of `stop`, then drains it. It binds the port only after settings, role and
/// schema have passed their checks.
///
/// # Errors
/// A setting, the role or the schema is wrong, the database cannot be reached, or requests were cut off at the end.
pub async fn run(
    settings: Settings,
    metrics: Metrics,
    stop: Stop<impl Future<Output = ()>, impl Future<Output = ()>>,
) -> Result<(), ServerError> {
    let mut drain = std::pin::pin!(stop.drain);
    let mut database = tokio::select! {
        opened = database::open(&settings) => opened?,
        () = &mut drain => return Ok(()),
    };
    let served = serve(&settings, metrics, &mut database, Stop { drain, abort: stop.abort }).await;
    let closed = database.close().await;
    // After an error of the embedded database, closing it fails for the same reason.
    let (instance, drained) = served?;
    closed?;
    instance.log("stopped");
    match drained.requests_cut {
        0 => Ok(()),
        requests => Err(ServerError::RequestsCut { requests }),
    }
}

/// Serves until the server is drained. Returns the values for the log line of the stop.
async fn serve(
    settings: &Settings,
    metrics: Metrics,
    database: &mut database::Database,
    stop: Stop<impl Future<Output = ()>, impl Future<Output = ()>>,
) -> Result<(Instance, Drained), ServerError> {
    listen::raise_file_limit(settings);
    let store = wiring::store(settings, database.reader.clone()).await?;
    let provider = wiring::provider(settings)?;
    let provider_check = ProviderCheck::fetch(settings, provider.as_ref()).await;
    let origin_at = |address: SocketAddr| {
        settings.origin.clone().unwrap_or_else(|| default_origin(address, settings.certificate.is_some()))
    };
    // Before the server listens: this check may refuse to start.
    provider_check.require_sign_in(&origin_at(settings.listen))?;
    let listener = listen::bind(settings.listen).await?;
    let address = listener.local_addr().map_err(ServerError::internal)?;
    // The settings check their own address only, and an inherited socket may have another one.
    if address.ip().is_unspecified() && settings.origin.is_none() {
        let message = format!(
            "must be set, because the inherited socket listens on {address}, for example to https://money.example"
        );
        return Err(ServerError::configuration("PASSBOOK_ORIGIN", message));
    }
    let origin = origin_at(address);
    // After the server listens: the warnings name the port, which may be chosen by the system.
    provider_check.warn(&origin);
    let instance = Instance::new(address, origin.clone(), database);
    let metrics_listener = metrics::bind(settings.metrics_listen).await?;
    let rate_limiter = wiring::rate_limiter(settings);
    let options = options(settings);
    let statistics = options.statistics.clone();
    let sources = Sources::new(store.clone(), rate_limiter.clone(), provider.clone(), statistics);
    let counts = metrics.clone();
    let registry = move || counts.registry(sources);
    let announced_metrics = metrics_listener.as_ref().map(metrics::url).transpose()?;
    let metrics_served = metrics::serve(metrics_listener, registry);
    let token = database.demo_token.clone();
    let base_url = format!("{origin}{}", mount::PREFIX);
    let observer: Option<Arc<dyn RequestObserver>> = Some(Arc::new(metrics));
    let pipeline = wiring::pipeline(settings, &store, provider.as_ref(), &base_url, rate_limiter, observer);
    let mount = wiring::adapters(settings, address, &pipeline, store, provider.clone(), Some(database));
    let announcement = Announcement {
        origin,
        metrics: announced_metrics,
        token: token.as_deref(),
        page: mount.page.clone(),
    };
    instance.log("started");
    announcement.print();
    let served = passbook_transport::serve(listener, mount, options, stop);
    tokio::select! {
        drained = served => Ok((instance, drained)),
        never = keep_fresh(provider) => match never {},
        error = database.keep_running() => Err(error),
        never = metrics_served => match never {},
        never = listen::keep_certificate_current(settings.certificate.clone()) => match never {},
    }
}

/// Returns the settings of the server's connections.
pub fn options(settings: &Settings) -> Options {
    Options {
        limits: settings.limits,
        proxies: settings.trusted_proxies.clone(),
        certificate: settings.certificate.clone(),
        ..Options::default()
    }
}

/// Refreshes the identity provider's documents until it is dropped.
async fn keep_fresh(provider: Option<Provider>) -> Infallible {
    if let Some(provider) = provider {
        provider.keep_fresh().await;
    }
    std::future::pending().await
}
