//! How far a load has come, for a person who watches.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::exit;

/// A line on standard error that counts records, where that is a terminal; else nothing.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Begins counting.
    pub(crate) fn start(what: &str) -> Progress {
        let bar = ProgressBar::with_draw_target(
            None,
            if exit::is_watched() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() },
        );
        let style = ProgressStyle::with_template("{spinner} {msg}: {human_pos} records, {elapsed}");
        bar.set_style(style.expect("the template is well formed"));
        bar.set_message(what.to_owned());
        Progress(bar)
    }

    /// Shows how many there are so far.
    pub(crate) fn reached(&self, records: u64) {
        self.0.set_position(records);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
