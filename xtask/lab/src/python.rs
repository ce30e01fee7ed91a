//! Creates Python environments under `target` with exactly the packages of a committed list.

use std::path::{Path, PathBuf};

use crate::command::{print_line, read, run_quietly, write};

/// A Python virtual environment.
#[derive(Debug)]
pub(crate) struct Python {
    folder: PathBuf,
}

impl Python {
    /// Returns the environment in `folder`, which may not exist yet.
    pub(crate) fn in_folder(folder: PathBuf) -> Python {
        Python { folder }
    }

    /// Returns the folder with the programs of the environment.
    pub(crate) fn programs(&self) -> PathBuf {
        self.folder.join("bin")
    }

    /// Returns the path of the environment's program `name`.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.programs().join(name)
    }

    /// Installs the packages of a requirements file, unless exactly these packages are installed.
    pub(crate) fn install(&self, requirements: &Path) -> Result<(), String> {
        let list = read(requirements)?;
        let installed = self.folder.join("requirements.txt");
        if read(&installed).ok().as_deref() == Some(list.as_str()) {
            return Ok(());
        }
        print_line(&format!("installing the packages of {}", requirements.display()));
        run_quietly("python3", &["-m", "venv", "--clear", &self.folder.display().to_string()], &[])?;
        let file = requirements.display().to_string();
        let install =
            ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", &file];
        run_quietly(&self.program("python").display().to_string(), &install, &[])?;
        write(&installed, &list)
    }
}
