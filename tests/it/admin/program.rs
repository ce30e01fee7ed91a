//! Running the tool.

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;
use tests::database::Database;

/// How a run ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) code: i32,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Ended {
    /// Standard output of a run that must have succeeded.
    #[track_caller]
    pub(super) fn done(self) -> String {
        assert_eq!(self.code, 0, "{self:#?}");
        self.stdout
    }

    /// Standard error of a run that must have failed in this way and printed no result.
    #[track_caller]
    pub(super) fn failed(self, code: i32) -> String {
        assert_eq!((self.code, self.stdout.as_str()), (code, ""), "{self:#?}");
        self.stderr
    }
}

/// Runs the tool on a database, as the writer.
pub(super) fn admin(database: &Database, arguments: &[&str]) -> Ended {
    admin_fed(database, arguments, "")
}

/// The same with something on standard input.
pub(super) fn admin_fed(database: &Database, arguments: &[&str], input: &str) -> Ended {
    let url = database.url("passbook_writer");
    run(&[("PASSBOOK_ADMIN_DATABASE_URL", url.as_str())], arguments, input)
}

/// Runs the tool with nothing in its environment but what is given, and what finds PostgreSQL.
pub(super) fn run(environment: &[(&str, &str)], arguments: &[&str], input: &str) -> Ended {
    start(environment, arguments).fed(input)
}

/// A run that waits for its input.
pub(super) struct Started {
    child: Child,
    _home: TempDir,
}

/// Starts the tool with such an environment.
pub(super) fn start(environment: &[(&str, &str)], arguments: &[&str]) -> Started {
    let home = tempfile::tempdir().expect("a folder");
    let child = Command::new(tests::binary("passbook-admin"))
        .args(arguments)
        .env_clear()
        .envs(std::env::vars_os().filter(|(name, _)| name == "PATH" || name == "PASSBOOK_POSTGRES_BIN"))
        .env("HOME", home.path())
        .envs(environment.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool starts");
    Started { child, _home: home }
}

impl Started {
    /// Gives it all of its input, and waits until it ends.
    pub(super) fn fed(mut self, input: &str) -> Ended {
        // A tool that refuses at once closes its input before it has read it.
        drop(self.child.stdin.take().expect("it is piped").write_all(input.as_bytes()));
        let output = self.child.wait_with_output().expect("the tool ends");
        Ended {
            code: output.status.code().expect("it ends by itself"),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

/// A file with this content in a folder.
pub(super) fn file(folder: &Path, name: &str, content: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, content).expect("room");
    path.to_str().expect("UTF-8").to_owned()
}

/// The one number that a query answers.
pub(super) async fn number(database: &Database, query: &str) -> i64 {
    database.connect("passbook_writer").await.query_one(query, &[]).await.expect("the query runs").get(0)
}
