//! The number of cases of a test, in an ordinary and in a thorough test run.

use std::sync::LazyLock;

/// The environment variable of a thorough test run, which is a step of `cargo xtask ci`.
const THOROUGH: &str = "PASSBOOK_TEST_THOROUGH";

static IS_THOROUGH: LazyLock<bool> = LazyLock::new(|| std::env::var_os(THOROUGH).is_some());

/// Returns one of two numbers of cases, or of two steps over the cases: that of an ordinary or of a thorough test run.
pub fn cases<N>(ordinary: N, thorough: N) -> N {
    if *IS_THOROUGH { thorough } else { ordinary }
}
