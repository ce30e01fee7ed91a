//! The server program: settings, wiring, listening and draining. The adapter crates serve the requests.

pub mod announce;
mod database;
#[cfg(feature = "embedded")]
pub mod embedded_default;
pub mod error;
pub mod listen;
pub mod logging;
pub mod mount;
mod provider_check;
pub mod readiness;
pub mod settings;
pub mod wiring;

use std::future::Future;

use auth::Provider;
use tokio::net::TcpListener;

use crate::announce::Announcement;
use crate::error::ServerError;
use crate::settings::Settings;

/// Runs the server until `shutdown`, then drains it. It binds the port only after settings, role and schema have passed
/// their checks.
///
/// # Errors
/// A setting, the role or the schema is wrong, or the database cannot be reached.
pub async fn run(settings: Settings, shutdown: impl Future<Output = ()>) -> Result<(), ServerError> {
    let mut shutdown = std::pin::pin!(shutdown);
    let database = tokio::select! {
        opened = database::open(&settings) => opened?,
        () = &mut shutdown => return Ok(()),
    };
    let outcome = serve(&settings, &database, shutdown).await;
    let closed = database.close().await;
    outcome.and(closed)
}

async fn serve(
    settings: &Settings,
    database: &database::Database,
    shutdown: impl Future<Output = ()>,
) -> Result<(), ServerError> {
    let store = wiring::store(settings, database.reader.clone()).await?;
    let provider = wiring::provider(settings)?;
    provider_check::run(settings, provider.as_ref()).await?;
    let listener = TcpListener::bind(settings.listen).await.map_err(|source| {
        let message =
            format!("cannot listen on {}: {source}; free the port or set another one", settings.listen);
        ServerError::configuration("PASSBOOK_LISTEN", message)
    })?;
    let address = listener.local_addr().map_err(ServerError::internal)?;
    let origin = settings.origin.clone().unwrap_or_else(|| format!("http://{address}"));
    let announcement = Announcement { origin, token: database.demo_token.as_deref() };
    let mount = wiring::mount(settings, store, provider.clone(), announcement.base_url());
    announcement.print();
    let served = listen::serve(listener, mount, settings.limits, shutdown);
    tokio::select! {
        () = served => {}
        () = keep_fresh(provider) => {}
    }
    Ok(())
}

/// Refreshes the identity provider's documents until it is dropped.
async fn keep_fresh(provider: Option<Provider>) {
    match provider {
        Some(provider) => provider.keep_fresh().await,
        None => std::future::pending().await,
    }
}
