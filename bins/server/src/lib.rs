//! The server program: settings, wiring, listening and draining. The adapter crates serve the requests.

pub mod announce;
mod database;
pub mod documentation;
#[cfg(feature = "embedded")]
pub mod embedded_default;
pub mod error;
mod instance;
pub mod listen;
pub mod logging;
pub mod mount;
mod provider_check;
pub mod readiness;
mod running_requests;
pub mod settings;
pub mod wiring;

use std::future::Future;

use auth::Provider;
use tokio::net::TcpListener;

use crate::announce::Announcement;
use crate::error::ServerError;
use crate::instance::Instance;
use crate::provider_check::ProviderCheck;
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
    let served = serve(&settings, &database, shutdown).await;
    let closed = database.close().await;
    let instance = served?;
    closed?;
    instance.log("stopped");
    Ok(())
}

/// Serves until `shutdown`. Returns the values for the log line of the stop.
async fn serve(
    settings: &Settings,
    database: &database::Database,
    shutdown: impl Future<Output = ()>,
) -> Result<Instance, ServerError> {
    let store = wiring::store(settings, database.reader.clone()).await?;
    let provider = wiring::provider(settings)?;
    let provider_check = ProviderCheck::fetch(settings, provider.as_ref()).await;
    let origin_at = |address| settings.origin.clone().unwrap_or_else(|| format!("http://{address}"));
    // Before the server listens: this check may refuse to start.
    provider_check.require_sign_in(&origin_at(settings.listen))?;
    let listener = TcpListener::bind(settings.listen).await.map_err(|source| {
        let message =
            format!("cannot listen on {}: {source}; free the port or set another one", settings.listen);
        ServerError::configuration("PASSBOOK_LISTEN", message)
    })?;
    let address = listener.local_addr().map_err(ServerError::internal)?;
    let origin = origin_at(address);
    // After the server listens: the warnings name the port, which may be chosen by the system.
    provider_check.warn(&origin);
    let instance = Instance::new(address, origin.clone(), database);
    let announcement = Announcement { origin, token: database.demo_token.as_deref() };
    let mount = wiring::mount(settings, store, provider.clone(), announcement.base_url());
    instance.log("started");
    announcement.print();
    let served = listen::serve(listener, mount, settings.limits, shutdown);
    tokio::select! {
        () = served => {}
        () = keep_fresh(provider) => {}
    }
    Ok(instance)
}

/// Refreshes the identity provider's documents until it is dropped.
async fn keep_fresh(provider: Option<Provider>) {
    match provider {
        Some(provider) => provider.keep_fresh().await,
        None => std::future::pending().await,
    }
}
