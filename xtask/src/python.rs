//! Python environments under `target`, with exactly the packages of a committed list.

use std::path::{Path, PathBuf};

use crate::command::{read, run_quietly, say, write};

/// An environment of its own.
#[derive(Debug)]
pub(crate) struct Python {
    folder: PathBuf,
}

impl Python {
    pub(crate) fn at(folder: PathBuf) -> Python {
        Python { folder }
    }

    /// Where its programs are.
    pub(crate) fn programs(&self) -> PathBuf {
        self.folder.join("bin")
    }

    /// One of its programs.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.programs().join(name)
    }

    /// Installs what a list of pinned packages says, unless that is what is there.
    pub(crate) fn install(&self, requirements: &Path) -> Result<(), String> {
        let wanted = read(requirements)?;
        let installed = self.folder.join("requirements.txt");
        if read(&installed).ok().as_deref() == Some(wanted.as_str()) {
            return Ok(());
        }
        say(&format!("installing the packages of {}", requirements.display()));
        run_quietly("python3", &["-m", "venv", "--clear", &self.folder.display().to_string()], &[])?;
        let file = requirements.display().to_string();
        let install =
            ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", &file];
        run_quietly(&self.program("python").display().to_string(), &install, &[])?;
        write(&installed, &wanted)
    }
}
