//! Why a schema could not be read or brought up to date.

/// A schema that will not do, with what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database did not answer, or refused a statement.
    #[error("the database refused while {step}")]
    Database {
        /// What was being done, as a clause.
        step: &'static str,
        /// The driver's error.
        #[source]
        source: tokio_postgres::Error,
    },
    /// A migration failed; nothing of the run was kept.
    #[error("migration {version} ({name}) failed and nothing was changed")]
    Migration {
        /// The migration's version.
        version: i32,
        /// The migration's name.
        name: &'static str,
        /// The driver's error.
        #[source]
        source: tokio_postgres::Error,
    },
    /// The database has migrations this program does not know.
    #[error(
        "the database is at schema version {found}, ahead of this program's {known}: use a program as new as the database"
    )]
    Ahead {
        /// The database's version.
        found: i32,
        /// The newest version this program knows.
        known: i32,
    },
    /// A recorded migration is not the one this program has.
    #[error(
        "migration {version} ({name}) differs from the one this database was made with: use the program that made it, or restore the file"
    )]
    Edited {
        /// The migration's version.
        version: i32,
        /// The migration's name.
        name: String,
    },
}

impl Error {
    pub(crate) fn database(step: &'static str) -> impl FnOnce(tokio_postgres::Error) -> Error {
        move |source| Error::Database { step, source }
    }
}
