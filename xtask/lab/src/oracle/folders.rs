//! The paths of the files that the comparison with independent programs reads and writes.

use std::path::PathBuf;

use crate::python::Python;

/// The root of the repository and the folder of the comparison.
#[derive(Debug)]
pub(super) struct Folders {
    pub(super) root: PathBuf,
    pub(super) work: PathBuf,
}

impl Folders {
    pub(super) fn environment(&self) -> Python {
        Python::in_folder(self.work.join("venv"))
    }

    pub(super) fn python(&self) -> PathBuf {
        self.environment().program("python")
    }

    pub(super) fn programs(&self) -> PathBuf {
        self.environment().programs()
    }

    pub(super) fn script(&self, name: &str) -> PathBuf {
        self.root.join("xtask/lab/oracle").join(name)
    }

    pub(super) fn ledger(&self, name: &str) -> PathBuf {
        self.work.join(format!("ledgers/{name}.beancount"))
    }

    /// Returns the page whose example ledger is compared.
    pub(super) fn page(&self) -> PathBuf {
        self.root.join("docs/loading-data.md")
    }

    pub(super) fn rates(&self) -> PathBuf {
        self.work.join("ledgers/rates.csv")
    }

    pub(super) fn binary(&self, name: &str) -> PathBuf {
        self.root.join("target/debug").join(name)
    }

    /// Returns an empty settings folder, so that the settings of the person who runs this program do not apply.
    pub(super) fn settings(&self) -> PathBuf {
        self.work.join("settings")
    }

    pub(super) fn data(&self) -> PathBuf {
        self.work.join("data")
    }
}
