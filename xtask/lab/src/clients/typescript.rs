//! Type-checks TypeScript with `tsc --strict`. `xtask/lab/clients/tsconfig.json` has the options.

use std::path::PathBuf;

use super::node;
use super::suite::{self, SuiteContext};
use crate::command::{create_folder, read, write};

const CONFIGURATION: &str = "tsconfig.json";

/// A folder in which Node and the compiler find the installed npm packages, because they search for packages in the
/// parent folders too.
#[derive(Debug)]
pub(super) struct Project {
    folder: PathBuf,
}

impl Project {
    /// Creates an empty project.
    pub(super) fn new(context: &SuiteContext<'_>, name: &str) -> Result<Project, String> {
        let folder = node::install_locked(context)?.join(name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        create_folder(&folder)?;
        write(&folder.join(CONFIGURATION), &read(&context.committed(CONFIGURATION))?)?;
        Ok(Project { folder })
    }

    /// Returns the path of a file of the project.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Type-checks every file of the project.
    pub(super) fn check(&self, context: &SuiteContext<'_>) -> Result<(), String> {
        let compiler = node::find(&node::install_locked(context)?, "typescript/bin/tsc")?;
        let mut command = context.client(&node::node(&context.work)?);
        suite::run(command.arg(compiler).arg("--project").arg(&self.folder))
    }
}
