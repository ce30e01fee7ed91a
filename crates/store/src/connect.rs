//! Connects a store and runs the start-up check: [`Store::connect`] returns no store for an unfit database.

use passbook_domain::ports::ReadError;

use crate::check::check;
use crate::cluster::Cluster;
use crate::connection_failure::ConnectionFailure;
use crate::connection_settings::ConnectionSettings;
use crate::finding::Finding;
use crate::lifetime::Upkeep;
use crate::store::{Store, StoreConfig};

/// The reason why [`Store::connect`] failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The role or the schema is unfit. Contains the findings, each with its remedy.
    #[error("the start-up check found problems with role or schema: {}", list(.0))]
    Unfit(Vec<Finding>),
    /// The database rejected the role, the password, the database name or the kind of connection.
    #[error(transparent)]
    Refused(ConnectionFailure),
    /// The database cannot be reached. A later attempt may succeed without a change of settings.
    #[error(transparent)]
    Unreachable(ConnectionFailure),
    /// Passbook has a defect, or the database returned unexpected results.
    #[error("the database cannot be examined")]
    Broken(#[source] ReadError),
}

impl Store {
    /// Connects to the database and runs the start-up check ([`check`]).
    ///
    /// # Errors
    /// Any [`ConnectError`]. Only [`ConnectError::Unreachable`] is worth a retry without changes.
    pub async fn connect(config: StoreConfig) -> Result<Store, ConnectError> {
        let connection = config.connection.clone();
        let store = Store::new(config).map_err(|source| ConnectError::Broken(source.into()))?;
        if let Some(cluster) = &store.cluster {
            if let Err(source) = cluster.primary().await {
                return Err(no_primary(&connection, source.into()).await);
            }
            Cluster::watch(cluster);
        }
        match check(&store).await {
            Ok(findings) if findings.is_empty() => {
                Upkeep::start(&store.upkeep);
                Ok(store)
            }
            Ok(findings) => Err(ConnectError::Unfit(findings)),
            Err(source @ (ReadError::Unavailable(_) | ReadError::TimedOut(_))) => {
                let failure = ConnectionFailure::new(connection.config(), &source);
                Err(if failure.is_rejection() {
                    ConnectError::Refused(failure)
                } else {
                    ConnectError::Unreachable(failure)
                })
            }
            Err(source) => Err(ConnectError::Broken(source)),
        }
    }
}

/// Returns the reason why no primary was found: the failure to connect, if there is one.
async fn no_primary(settings: &ConnectionSettings, source: ReadError) -> ConnectError {
    let mut failure = ConnectionFailure::new(settings.config(), &source);
    for host in settings.hosts() {
        if let Err(error) = host.connect(settings.connector().clone()).await {
            failure = ConnectionFailure::new(&host, &error);
        }
    }
    if failure.is_rejection() { ConnectError::Refused(failure) } else { ConnectError::Unreachable(failure) }
}

fn list(findings: &[Finding]) -> String {
    findings.iter().map(Finding::to_string).collect::<Vec<String>>().join("; ")
}
