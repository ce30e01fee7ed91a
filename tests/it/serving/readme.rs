//! The README's first command, in a fresh clone of this repository.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::program::{Place, Running, assert_decided, postgres_pid, run, signal, until_gone};
use super::totals::assert_try_line_adds_up;

/// The first block of shell commands in a README.
fn first_command(readme: &str) -> &str {
    let block = readme.split("```sh\n").nth(1).expect("a block of commands");
    block.split("```").next().expect("its end").trim()
}

/// A clone of the repository that this test is built from.
fn clone(into: &Path) -> PathBuf {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned();
    let clone = into.join("passbook");
    let mut git = Command::new("git");
    git.args(["clone", "--quiet", "--local"]).args([&repository, &clone]);
    let ended = run(git);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    clone
}

/// Names this workspace's packages in a configuration above the clone: one setting of theirs differs, so cargo
/// takes the dependencies from the folder that these tests were built in and keeps the clone's own code apart.
fn keep_apart(clone: &Path, above: &Path) {
    let lock = std::fs::read_to_string(clone.join("Cargo.lock")).expect("the lock file is committed");
    let mut config = String::new();
    for package in lock.split("[[package]]").skip(1).filter(|package| !package.contains("\nsource = ")) {
        let name = package.lines().find_map(|line| line.strip_prefix("name = ")).expect("a name");
        writeln!(config, "[profile.dev.package.{name}]\ndebug = false").expect("text grows");
    }
    std::fs::create_dir(above.join(".cargo")).expect("room");
    std::fs::write(above.join(".cargo/config.toml"), config).expect("room");
}

/// The folder in which these tests were built.
fn build_folder() -> PathBuf {
    let program = std::env::current_exe().expect("a program");
    program.ancestors().nth(3).expect("a folder, a profile, deps").to_owned()
}

#[tokio::test]
async fn the_first_command_of_the_readme_does_what_it_says() {
    let place = Place::new();
    let clone = clone(place.path());
    keep_apart(&clone, place.path());
    let readme = std::fs::read_to_string(clone.join("README.md")).expect("a README");
    let mut command = Command::new("sh");
    command.args(["-c", first_command(&readme)]).current_dir(&clone);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("PASSBOOK_") && name != "PASSBOOK_POSTGRES_BIN" {
            command.env_remove(name.as_ref());
        }
    }
    command.env("PASSBOOK_LISTEN", "127.0.0.1:0").env("PASSBOOK_DATA_DIR", place.data_dir());
    command.env("XDG_CONFIG_HOME", place.path().join("settings"));
    command.env("CARGO_TARGET_DIR", place.path().join("target")).env("CARGO_BUILD_BUILD_DIR", build_folder());

    let mut cargo = Running::start(command);
    let lines = cargo.lines(5);
    assert_decided(&lines);
    assert_try_line_adds_up(&lines).await;
    let folder = place.data_dir().join("demo");
    let postgres = postgres_pid(&folder);
    let server = std::fs::read_to_string(folder.join("postgres/lock")).expect("the server's number");
    assert!(signal("TERM", server.trim().parse().expect("a number")), "the server runs");
    let ended = cargo.end();
    assert_eq!((ended.code, ended.stdout), (Some(0), vec![]), "{}", ended.stderr);
    until_gone(postgres);
}
