//! Errors of reading and migrating a schema.

/// A schema that could not be read or migrated.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database did not answer, or rejected a statement.
    #[error("the database reported an error while {step}")]
    Database {
        /// The step, as a participle clause such as "reading the record of migrations".
        step: &'static str,
        /// The driver's error.
        #[source]
        source: tokio_postgres::Error,
    },
    /// A migration failed, and the whole run was rolled back.
    #[error("migration {version} ({name}) failed and nothing was changed")]
    Migration {
        /// Version of the migration.
        version: i32,
        /// Name of the migration.
        name: &'static str,
        /// The driver's error.
        #[source]
        source: tokio_postgres::Error,
    },
    /// The database has migrations that this program does not know.
    #[error(
        "the database is at schema version {found}, ahead of this program's {known}: use a program as new as the database"
    )]
    Ahead {
        /// Version of the database.
        found: i32,
        /// Newest version that this program knows.
        known: i32,
    },
    /// The SHA-256 of a recorded migration differs from this program's.
    #[error(
        "migration {version} ({name}) differs from the one with which this database was created. Before the first release, each \
         development version has a schema of its own: back up the database with the program that created it, and restore the \
         backup with this program into a new database"
    )]
    Edited {
        /// Version of the migration.
        version: i32,
        /// Name of the migration.
        name: String,
    },
}

impl Error {
    pub(crate) fn database(step: &'static str) -> impl FnOnce(tokio_postgres::Error) -> Error {
        move |source| Error::Database { step, source }
    }
}
