//! Functions for the suites: paths and address of the demo server, and commands whose exit status decides if a check
//! passes.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::command::print_line;

/// The number of lines of a failed command that its error repeats.
const LINES_IN_ERROR: usize = 20;

/// The demo server that is checked, and the folders of a run.
pub(crate) struct SuiteContext<'a> {
    /// The root of the repository.
    pub(super) root: &'a Path,
    /// The folder under `target` that holds installed programs and results.
    pub(super) work: PathBuf,
    /// The base address of the demo server, such as `http://127.0.0.1:8080/api`.
    pub(super) base: &'a str,
    /// The token of the demo household.
    pub(super) token: &'a str,
}

impl SuiteContext<'_> {
    /// Returns the path of a committed file under `xtask/lab/clients`.
    pub(super) fn committed(&self, name: &str) -> PathBuf {
        self.root.join("xtask/lab/clients").join(name)
    }

    /// Returns the address of the tool server.
    pub(super) fn tool_server(&self) -> String {
        format!("{}/mcp", self.base)
    }

    /// Creates a command with the tool server's address and the token in its environment. A command line would show the
    /// token to other users of the machine.
    pub(super) fn client(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("PASSBOOK_MCP", self.tool_server()).env("PASSBOOK_TOKEN", self.token);
        command.env("PYTHONDONTWRITEBYTECODE", "1").current_dir(&self.work).stdin(Stdio::null());
        command
    }
}

/// Runs a command and shows its output. The error repeats the last lines of standard error, because other steps print
/// between them and the summary.
pub(super) fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().display().to_string();
    let failed = |error| format!("{name}: {error}");
    let mut child = command.stderr(Stdio::piped()).spawn().map_err(failed)?;
    let mut last = VecDeque::new();
    for line in child.stderr.take().into_iter().flat_map(|stderr| BufReader::new(stderr).lines()) {
        let line = line.map_err(failed)?;
        print_line(&line);
        last.push_back(line);
        if last.len() > LINES_IN_ERROR {
            last.pop_front();
        }
    }
    let status = child.wait().map_err(failed)?;
    if status.success() { Ok(()) } else { Err(format!("{status}\n{}", Vec::from(last).join("\n"))) }
}

/// Runs a command and returns its standard output. Shows the output if the command fails.
pub(super) fn capture(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(printed);
    }
    print_line(&format!("{printed}{}", String::from_utf8_lossy(&output.stderr)));
    Err(format!("see the output above ({})", output.status))
}
