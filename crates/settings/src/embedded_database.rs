//! The settings of the embedded database, which both programs start from the same folder.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::{Reader, folders};

/// The settings of the embedded database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EmbeddedDatabase {
    /// The data folder: the value of the setting, otherwise the default folder. `None` if neither is known because
    /// there is no home folder.
    pub data_dir: Option<PathBuf>,
    /// The folder that contains the programs `postgres` and `initdb`; `None` to search for them.
    pub postgres_bin: Option<PathBuf>,
    /// Value of the environment variable `PATH`.
    pub search_path: Option<OsString>,
    /// True if PostgreSQL may be downloaded.
    pub download: bool,
}

impl EmbeddedDatabase {
    /// Reads the settings. If `is_used` is true, a missing data folder is a problem.
    pub fn read(reader: &mut Reader<'_>, is_used: bool) -> EmbeddedDatabase {
        let given = reader.is_given("PASSBOOK_DATA_DIR");
        let data_dir = if given {
            reader.path("PASSBOOK_DATA_DIR")
        } else {
            folders::default_data_dir(|name| reader.sources().variable(name), folders::is_root())
        };
        if is_used && data_dir.is_none() && !given {
            reader.problem(
                "PASSBOOK_DATA_DIR",
                "must name a folder, because there is no home folder (HOME is not set)",
            );
        }
        EmbeddedDatabase {
            data_dir,
            postgres_bin: reader.path("PASSBOOK_POSTGRES_BIN"),
            search_path: reader.sources().variable("PATH").map(OsString::from),
            download: !reader.boolean("PASSBOOK_NO_DOWNLOAD"),
        }
    }
}
