//! The pauses between restarts of a server that ends by itself.

use std::time::Duration;

/// Number of restarts in a row, each of a server that did not run for long.
const RESTARTS_MAX: u32 = 5;
/// Pause before the first restart, in milliseconds. Each further pause in a row is twice as long.
const PAUSE_MILLISECONDS: u64 = 100;
/// Time after which a server has run for long, in seconds. The next restart then counts as the first.
const LASTING_SECONDS: u64 = 60;

/// The restarts in a row.
#[derive(Debug, Default)]
pub(crate) struct Restarts(u32);

impl Restarts {
    /// Returns the pause before the next restart of a server that ran for `lasted`; `None` after too many in a row.
    pub(crate) fn next(&mut self, lasted: Duration) -> Option<Duration> {
        if lasted >= Duration::from_secs(LASTING_SECONDS) {
            self.0 = 0;
        }
        let pause = (self.0 < RESTARTS_MAX).then(|| Duration::from_millis(PAUSE_MILLISECONDS << self.0));
        self.0 += 1;
        pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_until_restarts_in_a_row_are_given_up() {
        let mut restarts = Restarts::default();
        let pauses: Vec<u128> =
            std::iter::from_fn(|| restarts.next(Duration::ZERO)).map(|pause| pause.as_millis()).collect();
        assert_eq!(pauses, [100, 200, 400, 800, 1600]);
        // A server that ran for long is restarted at once again.
        assert_eq!(restarts.next(Duration::from_secs(LASTING_SECONDS)), Some(Duration::from_millis(100)));
    }
}
