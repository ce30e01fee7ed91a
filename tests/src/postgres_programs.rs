//! The programs of PostgreSQL that the tests run: those of this machine, or downloaded ones.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use passbook_embedded::{EmbeddedConfig, locate};

/// The setting that names the folder of the programs.
const VARIABLE: &str = "PASSBOOK_POSTGRES_BIN";
/// The exit code of a test run without PostgreSQL.
const WITHOUT_POSTGRES: i32 = 1;

struct Programs {
    folder: PathBuf,
    /// True if the programs under test would not find the folder by themselves.
    must_be_named: bool,
}

static PROGRAMS: LazyLock<Programs> = LazyLock::new(find);

/// Ends the test run with one sentence if the machine has neither PostgreSQL nor npm, so that not every test fails.
pub fn require() {
    LazyLock::force(&PROGRAMS);
}

/// Returns the folder with `postgres`, `initdb` and `pg_ctl`.
pub fn folder() -> &'static Path {
    &PROGRAMS.folder
}

/// Returns the variable for the environment of a program under test; `None` if the program finds PostgreSQL without it.
pub fn variable() -> Option<(&'static str, &'static Path)> {
    PROGRAMS.must_be_named.then(|| (VARIABLE, folder()))
}

/// Returns the settings of a private server in `data_dir`, which is fast instead of durable.
pub fn config(data_dir: PathBuf) -> EmbeddedConfig {
    let search_path = std::env::var_os("PATH");
    EmbeddedConfig {
        data_dir,
        postgres_bin: Some(folder().to_owned()),
        search_path,
        download: false,
        durable: false,
    }
}

/// Locates the programs, or downloads them into a folder that later runs use too.
fn find() -> Programs {
    let named = std::env::var_os(VARIABLE).map(PathBuf::from);
    let cache = std::env::temp_dir().join(format!("passbook-tests-postgres-{}", user()));
    let is_named = named.is_some();
    let config = EmbeddedConfig {
        data_dir: cache.clone(),
        postgres_bin: named,
        search_path: std::env::var_os("PATH"),
        download: true,
        durable: false,
    };
    // A test that needs PostgreSQL may run in an asynchronous runtime, which cannot wait for another one.
    let located = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(locate(&config))
    });
    match located.join().expect("the search does not panic") {
        Ok(folder) => Programs { must_be_named: is_named || folder.starts_with(&cache), folder },
        Err(error) => end(&error),
    }
}

/// Ends the test run. The output of a test is captured, so the sentence goes to standard error directly.
#[expect(
    clippy::disallowed_methods,
    reason = "a panic would fail each of hundreds of tests with the same message"
)]
fn end(error: &passbook_embedded::Error) -> ! {
    let _ = writeln!(std::io::stderr(), "\nThe tests need PostgreSQL. {error}");
    std::process::exit(WITHOUT_POSTGRES)
}

/// Returns the identifier of the user who runs the tests, because another user's folder cannot be written.
fn user() -> u32 {
    let folder = tempfile::tempdir().expect("a folder");
    let metadata = folder.path().metadata().expect("the folder exists");
    std::os::unix::fs::MetadataExt::uid(&metadata)
}
