//! Installs the third-party clients at the committed versions, and runs them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::matrix::{Client, Runs};
use crate::clients::node;
use crate::clients::suite::SuiteContext;
use crate::command::{read, write};
use crate::python::Python;

/// The installed clients and their runtimes.
#[derive(Debug)]
pub(super) struct Programs {
    /// Folder of the committed client scripts.
    scripts: PathBuf,
    node: PathBuf,
    /// Folder with a copy of the scripts, from which Node finds the installed packages: Node searches for
    /// packages from the folder of the script upwards.
    modules: PathBuf,
    python_one: Python,
    python_two: Python,
}

impl Programs {
    /// Installs the packages of the clients that are not installed yet.
    pub(super) fn install(context: &SuiteContext<'_>, folder: &Path) -> Result<Programs, String> {
        let programs = Programs {
            scripts: context.committed("sign-in"),
            node: node::node(&context.work)?,
            modules: node::install_member(context.root, "clients/sign-in", &folder.join("node"))?,
            python_one: Python::in_folder(folder.join("python-1")),
            python_two: Python::in_folder(folder.join("python-2")),
        };
        for entry in std::fs::read_dir(&programs.scripts).map_err(|error| error.to_string())? {
            let file = entry.map_err(|error| error.to_string())?.path();
            if let Some(name) = file.file_name().filter(|_| file.extension().is_some_and(|end| end == "mjs"))
            {
                write(&programs.modules.join(name), &read(&file)?)?;
            }
        }
        programs.python_one.install(&programs.scripts.join("requirements-1.txt"))?;
        programs.python_two.install(&programs.scripts.join("requirements-2.txt"))?;
        Ok(programs)
    }

    /// Returns the command that runs a Node script.
    pub(super) fn script(&self, name: &str, arguments: &[&Path]) -> Command {
        let mut command = Command::new(&self.node);
        command.arg(self.modules.join(name)).args(arguments).current_dir(&self.modules);
        command
    }

    /// Runs a client with the plan in a file, which lists its sign-ins. Returns its standard output.
    pub(super) fn run(&self, client: &Client, plan: &Path) -> Result<String, String> {
        let script = client.script;
        let mut command = match client.runs {
            Runs::Node => self.script(&format!("{script}.mjs"), &[plan]),
            Runs::PythonOne => self.python(&self.python_one, script, plan),
            Runs::PythonTwo => self.python(&self.python_two, script, plan),
        };
        let output = command
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("{}: {error}", command.get_program().display()))?;
        if output.status.success() {
            return String::from_utf8(output.stdout).map_err(|error| error.to_string());
        }
        let stderr = String::from_utf8_lossy(&output.stderr);
        Err(format!("{} ended with {}:\n{stderr}", client.name, output.status))
    }

    fn python(&self, python: &Python, script: &str, plan: &Path) -> Command {
        let mut command = Command::new(python.program("python"));
        command.arg(self.scripts.join(format!("{script}.py"))).arg(plan);
        // All clients use the same browser script.
        command.arg(&self.node).arg(self.modules.join("browser.mjs"));
        command.env("PYTHONDONTWRITEBYTECODE", "1").current_dir(&self.modules);
        command
    }
}
