//! The progress of a long command, on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output;

/// A line on standard error that counts records. Invisible if standard error is not a terminal.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Starts the line. `activity` names the step, such as "loading".
    pub(crate) fn start(activity: &str) -> Progress {
        let target =
            if output::is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{spinner} {msg}: {human_pos} records, {elapsed}");
        bar.set_style(style.expect("the template is well formed"));
        bar.set_message(activity.to_owned());
        Progress(bar)
    }

    /// Shows the number of records so far.
    pub(crate) fn update(&self, records: u64) {
        self.0.set_position(records);
    }

    /// Runs a function that writes to standard error while the line is hidden.
    pub(crate) fn suspend(&self, write: impl FnOnce()) {
        self.0.suspend(write);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
