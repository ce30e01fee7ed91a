//! The dialogue of `setup`: a line on the terminal for each value that is open.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use crate::error::CommandError;

/// Maximum number of answers to one prompt.
const ANSWERS_MAX: usize = 3;

/// The way in which open values are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialogue {
    /// On the terminal.
    Terminal,
    /// By the suggestions.
    Suggestions,
}

impl Dialogue {
    /// The dialogue of a command.
    ///
    /// # Errors
    /// No terminal, and no `--yes`.
    pub(in crate::commands) fn new(accepts_suggestions: bool) -> Result<Dialogue, CommandError> {
        match () {
            () if accepts_suggestions => Ok(Dialogue::Suggestions),
            () if std::io::stdin().is_terminal() => Ok(Dialogue::Terminal),
            () => Err(CommandError::configuration(
                "standard input is not a terminal; give --yes to accept every suggestion, and flags for the rest",
            )),
        }
    }

    /// Returns a value: the answer, or the suggestion. A wrong answer is prompted again.
    ///
    /// # Errors
    /// No suggestion without a terminal, the end of the input, or only wrong answers.
    pub(in crate::commands) fn value<T>(
        self,
        prompt: &str,
        flag: &str,
        suggestion: Option<&str>,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, CommandError> {
        let problem = |rule: &str| CommandError::configuration(format!("{flag} {rule}"));
        if self == Dialogue::Suggestions {
            let text = suggestion.ok_or_else(|| problem("must be given, because nothing suggests it"))?;
            return parse(text).map_err(|rule| problem(&rule));
        }
        let shown =
            suggestion.filter(|text| !text.is_empty()).map_or_else(String::new, |text| format!(" [{text}]"));
        for _ in 0..ANSWERS_MAX {
            let answer = line(&format!("{prompt}{shown}: "))?;
            let text = if answer.is_empty() { suggestion.unwrap_or_default() } else { &answer };
            match parse(text) {
                Ok(value) => return Ok(value),
                Err(rule) => drop(writeln!(std::io::stderr(), "{rule}")),
            }
        }
        Err(problem("must be given: no answer was accepted"))
    }
}

/// Reads a line after a prompt on standard error.
fn line(prompt: &str) -> Result<String, CommandError> {
    let mut stderr = std::io::stderr();
    drop(write!(stderr, "{prompt}"));
    drop(stderr.flush());
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    match read.map_err(|error| CommandError::internal("the terminal cannot be read", &error))? {
        0 => Err(CommandError::configuration("the input ended before the dialogue")),
        _ => Ok(answer.trim().to_owned()),
    }
}
