//! Runs the first command of the README in a fresh clone of this repository.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tests::demo_totals::assert_try_line_totals;
use tests::server_process::{
    Running, TestFolder, assert_startup_lines, postgres_pid, run, signal, wait_until_ended,
};

/// The first block of shell commands in the README.
fn first_command(readme: &str) -> &str {
    let block = readme.split("```sh\n").nth(1).expect("a shell block");
    block.split("```").next().expect("the end of the block").trim()
}

/// Clones the repository that this test is built from.
fn clone(into: &Path) -> PathBuf {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned();
    let clone = into.join("passbook");
    let mut git = Command::new("git");
    git.args(["clone", "--quiet", "--local"]).args([&repository, &clone]);
    let ended = run(git);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    clone
}

/// Writes a cargo configuration above the clone that sets one profile option for each package of this workspace. Cargo
/// then reuses the dependencies from the build folder of these tests, but builds the code of the clone separately.
fn keep_apart(clone: &Path, above: &Path) {
    let lock = std::fs::read_to_string(clone.join("Cargo.lock")).expect("the lock file is committed");
    let mut config = String::new();
    for package in lock.split("[[package]]").skip(1).filter(|package| !package.contains("\nsource = ")) {
        let name = package.lines().find_map(|line| line.strip_prefix("name = ")).expect("a name");
        writeln!(config, "[profile.dev.package.{name}]\ndebug = false")
            .expect("writing to a string succeeds");
    }
    std::fs::create_dir(above.join(".cargo")).expect("the folder is created");
    std::fs::write(above.join(".cargo/config.toml"), config).expect("the file is written");
}

/// The build folder of these tests.
fn build_folder() -> PathBuf {
    let program = std::env::current_exe().expect("the path of this program");
    program.ancestors().nth(3).expect("a folder, a profile, deps").to_owned()
}

#[tokio::test]
async fn first_command_of_the_readme_starts_the_demo() {
    let folder = TestFolder::on_disk();
    let clone = clone(folder.path());
    keep_apart(&clone, folder.path());
    let readme = std::fs::read_to_string(clone.join("README.md")).expect("the README is read");
    let mut command = Command::new("sh");
    command.args(["-c", first_command(&readme)]).current_dir(&clone);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("PASSBOOK_") && name != "PASSBOOK_POSTGRES_BIN" {
            command.env_remove(name.as_ref());
        }
    }
    command.env("PASSBOOK_LISTEN", "127.0.0.1:0").env("PASSBOOK_DATA_DIR", folder.data_dir());
    command.env("XDG_CONFIG_HOME", folder.path().join("settings"));
    command
        .env("CARGO_TARGET_DIR", folder.path().join("target"))
        .env("CARGO_BUILD_BUILD_DIR", build_folder());

    let mut cargo = Running::start(command);
    let lines = cargo.lines(6);
    assert_startup_lines(&lines);
    assert_try_line_totals(&lines).await;
    let demo_folder = folder.data_dir().join("demo");
    let postgres = postgres_pid(&demo_folder);
    let server = std::fs::read_to_string(demo_folder.join("postgres/lock")).expect("the lock file is read");
    assert!(signal("TERM", server.trim().parse().expect("a number")), "the server runs");
    let ended = cargo.end();
    assert_eq!((ended.code, ended.stdout), (Some(0), vec![]), "{}", ended.stderr);
    wait_until_ended(postgres);
}
