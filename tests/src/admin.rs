//! Runs `passbook-admin`, and other programs that end by themselves.

use std::io::Write as _;
use std::process::{Child, Command, Stdio};

use crate::database::Database;
use crate::postgres_programs;
use crate::temporary::Folder;

/// Exit code and output of a run.
#[derive(Debug)]
pub struct Ended {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    /// Standard output of a run that must have succeeded.
    #[track_caller]
    pub fn done(self) -> String {
        assert_eq!(self.code, 0, "{self:#?}");
        self.stdout
    }

    /// Standard error of a run that must have exited with `code` and printed nothing to standard output.
    #[track_caller]
    pub fn failed(self, code: i32) -> String {
        assert_eq!((self.code, self.stdout.as_str()), (code, ""), "{self:#?}");
        self.stderr
    }
}

/// Runs the program on a database as the writer role.
pub fn admin(database: &Database, arguments: &[&str]) -> Ended {
    admin_with_input(database, arguments, "")
}

/// Runs the program on a database as the writer role, with `input` on standard input.
pub fn admin_with_input(database: &Database, arguments: &[&str], input: &str) -> Ended {
    let url = database.url("passbook_writer");
    run(&[("PASSBOOK_ADMIN_DATABASE_URL", url.as_str())], arguments, input)
}

/// Runs the program. Its environment contains only `environment` and the location of PostgreSQL.
pub fn run(environment: &[(&str, &str)], arguments: &[&str], input: &str) -> Ended {
    start(environment, arguments).with_input(input)
}

/// Runs a program without input. Its environment contains only `environment`, a free port and the location of PostgreSQL.
pub fn run_program(program: &str, environment: &[(&str, &str)], arguments: &[&str]) -> Ended {
    let environment = [&[("PASSBOOK_LISTEN", "127.0.0.1:0")], environment].concat();
    start_program(program, &environment, arguments).with_input("")
}

/// A running program whose standard input is open.
#[derive(Debug)]
pub struct Started {
    child: Child,
    _home: Folder,
}

/// Starts the program. Its environment contains only `environment` and the location of PostgreSQL.
pub fn start(environment: &[(&str, &str)], arguments: &[&str]) -> Started {
    start_program("passbook-admin", environment, arguments)
}

fn start_program(program: &str, environment: &[(&str, &str)], arguments: &[&str]) -> Started {
    let home = Folder::create();
    let child = Command::new(crate::binary(program))
        .args(arguments)
        .env_clear()
        .envs(std::env::vars_os().filter(|(name, _)| name == "PATH"))
        .envs(postgres_programs::variable())
        .env("HOME", home.path())
        .envs(environment.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    Started { child, _home: home }
}

impl Started {
    /// Writes the whole standard input and waits until the program ends.
    pub fn with_input(mut self, input: &str) -> Ended {
        // Writing fails if the program has already rejected its arguments and closed its input.
        drop(self.child.stdin.take().expect("standard input is a pipe").write_all(input.as_bytes()));
        let output = self.child.wait_with_output().expect("the program ends");
        Ended {
            code: output.status.code().expect("the program exits with a code"),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

/// The number that a query returns.
pub async fn number(database: &Database, query: &str) -> i64 {
    database.connect("passbook_writer").await.query_one(query, &[]).await.expect("the query runs").get(0)
}
