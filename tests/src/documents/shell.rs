//! Runs the commands of a document in a shell, in a temporary folder, with the programs of this working tree.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::postgres_programs;
use crate::server_process::signal;
use crate::temporary::Folder;

/// Defines `cargo run --bin NAME -- …` as the built program of that name.
const PRELUDE: &str = r#"set -eu
cargo() { name=$3; shift 3; if [ "${1-}" = -- ]; then shift; fi; "$name" "$@"; }
"#;

/// Time limit for commands that must end.
const TIMEOUT: Duration = Duration::from_secs(300);

/// The folder is both the working folder and the home folder of the commands.
impl Folder {
    /// Returns the command of a shell that runs a script.
    pub fn shell(&self, script: &str, programs: &[&str]) -> Command {
        let folders = programs
            .iter()
            .map(|program| crate::binary(program).parent().expect("a program lies in a folder").to_owned());
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path: OsString =
            std::env::join_paths(folders.chain(std::env::split_paths(&path))).expect("folders have no colon");
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{PRELUDE}{script}")]).current_dir(self.path()).env_clear();
        shell.envs(postgres_programs::variable());
        shell.env("PATH", path).env("HOME", self.path()).env("PASSBOOK_LISTEN", "127.0.0.1:0");
        shell.env("PASSBOOK_DATA_DIR", self.path().join("data"));
        shell.stdin(Stdio::null());
        shell
    }

    /// Runs commands until they end. Kills them at the time limit.
    ///
    /// # Panics
    /// If the commands do not end in time, as a server does not.
    pub fn run(&self, script: &str, programs: &[&str]) -> Output {
        let mut shell = self.shell(script, programs);
        shell.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
        let shell = shell.spawn().expect("a shell");
        let group = shell.id();
        let (sender, output) = channel();
        // The receiver is gone after the time limit.
        std::thread::spawn(move || drop(sender.send(shell.wait_with_output())));
        let output = output.recv_timeout(TIMEOUT).unwrap_or_else(|_| {
            signal("KILL", format_args!("-{group}"));
            panic!("the commands run longer than {TIMEOUT:?}: {script}")
        });
        output.expect("the output is read")
    }

    /// Runs commands that must succeed. Returns standard output.
    #[track_caller]
    pub fn done(&self, script: &str, programs: &[&str]) -> String {
        let output = self.run(script, programs);
        assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Runs commands of which the last is a server. Stops the server after a line for which `last` returns true.
    /// Returns all lines.
    #[track_caller]
    pub fn serve(&self, script: &str, programs: &[&str], last: impl Fn(&str) -> bool) -> Vec<String> {
        self.start(script, programs, last).stop()
    }

    /// Runs commands of which the last is a server, until it prints a line for which `last` returns true.
    #[track_caller]
    pub fn start(&self, script: &str, programs: &[&str], last: impl Fn(&str) -> bool) -> Serving {
        let mut shell = self.shell(script, programs);
        let mut shell = Group(shell.process_group(0).stdout(Stdio::piped()).spawn().expect("a shell"));
        let output = BufReader::new(shell.0.stdout.take().expect("standard output is a pipe"));
        let mut serving = Serving { shell, output, lines: Vec::new() };
        while !serving.lines.last().is_some_and(|line| last(line)) {
            assert!(serving.read_line(), "the server ended before the expected line: {:?}", serving.lines);
        }
        serving
    }
}

/// Running commands, the last of which is a server. Dropping it kills their processes.
#[derive(Debug)]
pub struct Serving {
    shell: Group,
    output: BufReader<ChildStdout>,
    /// The lines of standard output that were read.
    pub lines: Vec<String>,
}

impl Serving {
    /// Reads the next line. Returns false if standard output is closed, which means that every process has ended.
    fn read_line(&mut self) -> bool {
        let mut line = String::new();
        let is_line = self.output.read_line(&mut line).expect("UTF-8") > 0;
        self.lines.extend(is_line.then(|| line.trim_end_matches('\n').to_owned()));
        is_line
    }

    /// Stops the server. Returns all lines.
    #[track_caller]
    pub fn stop(mut self) -> Vec<String> {
        assert!(self.shell.signal("TERM"), "{:?}", self.lines);
        while self.read_line() {}
        self.shell.0.wait().expect("the shell can be awaited");
        self.lines
    }
}

/// A shell and the processes that it has started. Dropping the group kills them.
#[derive(Debug)]
struct Group(Child);

impl Group {
    /// Sends a signal to the group. Returns true if the group exists.
    fn signal(&self, name: &str) -> bool {
        signal(name, format_args!("-{}", self.0.id()))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.signal("KILL");
    }
}
