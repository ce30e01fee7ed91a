//! The harness of the end-to-end tests: a private PostgreSQL, a served application, an HTTP client, households, and
//! independent models of the counting and valuation rules.
#![expect(missing_docs, reason = "only the tests of this repository use these items")]

pub mod admin;
pub mod app;
pub mod assets;
pub mod catalogue;
pub mod compared;
pub mod database;
pub mod demo_totals;
pub mod documents;
pub mod household;
pub mod http;
pub mod mcp;
pub mod plans;
pub mod pooler;
pub mod postgres;
pub mod postgres_programs;
pub mod postgres_stub;
pub mod provider;
pub mod proxy;
pub mod redis;
pub mod server_process;
pub mod signer;
pub mod stored_data;
pub mod stored_rows;
pub mod table;
pub mod temporary;
pub mod tenant_pair;
pub mod terminal;
pub mod transcript;

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use tokio::runtime::Runtime;

/// The environment variable of a thorough test run, which is a step of `cargo xtask ci`.
const THOROUGH: &str = "PASSBOOK_TEST_THOROUGH";

static IS_THOROUGH: LazyLock<bool> = LazyLock::new(|| std::env::var_os(THOROUGH).is_some());

/// Returns one of two numbers of cases, or of two steps over the cases: that of an ordinary or of a thorough test run.
pub fn cases<N>(ordinary: N, thorough: N) -> N {
    if *IS_THOROUGH { thorough } else { ordinary }
}

/// Time between two attempts of [`until`]. Without it, the attempts take a processor from the server that they wait for.
const PAUSE: Duration = Duration::from_millis(2);

/// Waits for something that tells nobody when it happens, such as the start of a server.
pub async fn until(mut has_happened: impl AsyncFnMut() -> bool) {
    let mut pauses = tokio::time::interval(PAUSE);
    while !has_happened().await {
        pauses.tick().await;
    }
}

/// Creates a runtime for a test that is not asynchronous itself.
pub fn runtime() -> Runtime {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime")
}

/// Maximum number of steps that simplify a random value with which a property fails. Each step tests the property.
const SHRINKING_STEPS_MAX: u32 = 64;

/// Checks a property of random values.
pub fn check_property<T: Debug>(
    cases: u32,
    values: &impl Strategy<Value = T>,
    property: impl AsyncFn(T) -> Result<(), TestCaseError>,
) {
    let runtime = runtime();
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: SHRINKING_STEPS_MAX,
        ..Config::default()
    };
    let result = TestRunner::new(config).run(values, |value| runtime.block_on(property(value)));
    result.unwrap_or_else(|error| panic!("{error}"));
}

/// Returns the root folder of the repository, which is above this package.
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_path_buf()
}

/// Returns the text of a file of the repository.
///
/// # Panics
/// If there is no such file.
#[track_caller]
pub fn text_of(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the path of a program. The program has the name of its package, and is built with the profile of the tests.
///
/// `cargo test --workspace` and `cargo it` build every program before they start a test (`tests/programs.rs`). A test run
/// of this package alone uses the programs that were built before.
///
/// # Panics
/// If the program is not built.
pub fn binary(package: &str) -> PathBuf {
    postgres_programs::require();
    let tests = std::env::current_exe().expect("the path of this program");
    let folder = tests.ancestors().nth(2).expect("a test lies in the folder `deps` of the programs");
    let program = folder.join(package);
    assert!(program.is_file(), "{package} is not built: run `cargo test --workspace --no-run`");
    program
}
