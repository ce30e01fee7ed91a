//! The database that the server reads: the operator's, or the embedded one.

use std::path::PathBuf;

use crate::error::ServerError;
use crate::settings::Settings;

/// A database that the server can connect to.
pub(crate) struct Database {
    /// The connection settings of the reading role.
    pub(crate) reader: passbook_store::ConnectionSettings,
    /// The folder of the embedded database; `None` for the operator's database.
    pub(crate) data_dir: Option<PathBuf>,
    /// The token of the demo user, if the demo household is served.
    pub(crate) demo_token: Option<String>,
    #[cfg(feature = "embedded")]
    pub(crate) embedded: Option<passbook_embedded::Embedded>,
}

/// Returns the operator's database, if one is set, and otherwise starts the embedded one.
pub(crate) async fn open(settings: &Settings) -> Result<Database, ServerError> {
    match &settings.database {
        Some(reader) => Ok(Database {
            reader: reader.clone(),
            data_dir: None,
            demo_token: None,
            #[cfg(feature = "embedded")]
            embedded: None,
        }),
        #[cfg(feature = "embedded")]
        None => crate::embedded_default::open(settings).await,
        #[cfg(not(feature = "embedded"))]
        None => Err(ServerError::configuration(
            "PASSBOOK_DATABASE_URL",
            "must be set, because this build has no embedded database",
        )),
    }
}

impl Database {
    /// Restarts the embedded database whenever it ends by itself. Never returns for the operator's database.
    ///
    /// # Errors
    /// The embedded database cannot be restarted.
    pub(crate) async fn keep_running(&mut self) -> ServerError {
        #[cfg(feature = "embedded")]
        if let Some(embedded) = &mut self.embedded {
            return ServerError::internal(embedded.keep_running().await);
        }
        std::future::pending().await
    }

    /// Stops the embedded database, if this process started it.
    #[cfg_attr(not(feature = "embedded"), expect(clippy::unused_async, reason = "there is nothing to stop"))]
    pub(crate) async fn close(self) -> Result<(), ServerError> {
        #[cfg(feature = "embedded")]
        if let Some(embedded) = self.embedded {
            embedded.stop().await.map_err(ServerError::internal)?;
        }
        Ok(())
    }
}
