//! Where the reader connects: the operator's database, or the embedded one.

use crate::outcome::Stop;
use crate::settings::Settings;

/// The opened database.
pub(crate) struct Database {
    /// How the reader connects.
    pub(crate) reader: tokio_postgres::Config,
    /// The demo user's fresh token, when the demo was asked for.
    pub(crate) demo_token: Option<String>,
    #[cfg(feature = "embedded")]
    pub(crate) embedded: Option<embedded::Embedded>,
}

/// Uses the operator's database where one is named, else starts the embedded one.
pub(crate) async fn open(settings: &Settings) -> Result<Database, Stop> {
    match &settings.database {
        Some(reader) => Ok(Database {
            reader: reader.clone(),
            demo_token: None,
            #[cfg(feature = "embedded")]
            embedded: None,
        }),
        #[cfg(feature = "embedded")]
        None => crate::embedded_default::open(settings).await,
        #[cfg(not(feature = "embedded"))]
        None => Err(crate::outcome::Problem::one(
            "PASSBOOK_DATABASE_URL",
            "must be set: this build has no embedded database",
        )),
    }
}

impl Database {
    /// Stops the embedded database, if it is ours.
    #[cfg_attr(not(feature = "embedded"), expect(clippy::unused_async, reason = "there is nothing to stop"))]
    pub(crate) async fn close(self) -> Result<(), Stop> {
        #[cfg(feature = "embedded")]
        if let Some(embedded) = self.embedded {
            embedded.stop().await.map_err(|source| Stop::Internal(Box::new(source)))?;
        }
        Ok(())
    }
}
