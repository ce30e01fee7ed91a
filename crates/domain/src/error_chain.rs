//! One-line text of an error and its causes, for the log.

use std::error::Error;

/// Returns the message of `error` and of every error in its [`source`](Error::source) chain, outermost first, separated
/// by `": "`.
///
/// The text is for the operator's log. It may contain internal details and must not be sent to a client.
pub fn error_chain(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error: &&'_ (dyn Error + 'static)| (*error).source());
    causes.map(ToString::to_string).collect::<Vec<String>>().join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("outer")]
    struct Outer(#[source] std::fmt::Error);

    #[test]
    fn error_chain_joins_messages_outermost_first() {
        let expected = format!("outer: {}", std::fmt::Error);
        assert_eq!(error_chain(&Outer(std::fmt::Error)), expected);
        assert_eq!(error_chain(&std::fmt::Error), std::fmt::Error.to_string());
    }
}
