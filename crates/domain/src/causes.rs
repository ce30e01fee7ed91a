//! Errors for the log: an error says what failed, its causes why.

use std::error::Error;

/// An error and its causes, in one line.
pub fn chain(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error: &&'_ (dyn Error + 'static)| (*error).source());
    causes.map(ToString::to_string).collect::<Vec<String>>().join(": ")
}
