//! Lines that a person answers on the terminal: the dialogue about open values, and the query before a command that removes
//! rows.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use clap::Args;

use super::transaction::Rehearsal;
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
    pub(super) fn new(accepts_suggestions: bool) -> Result<Dialogue, CommandError> {
        match () {
            () if accepts_suggestions => Ok(Dialogue::Suggestions),
            () if std::io::stdin().is_terminal() => Ok(Dialogue::Terminal),
            () => Err(CommandError::configuration(
                "standard input is not a terminal; give --yes to accept every suggestion, and flags for the rest",
            )),
        }
    }

    /// Returns a value: the answer, or the suggestion. An empty answer is the suggestion. A wrong answer is prompted again.
    ///
    /// # Errors
    /// No suggestion without a terminal, the end of the input, or only wrong answers.
    pub(super) fn value<T>(
        self,
        prompt: &str,
        flag: &str,
        suggestion: Option<&str>,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, CommandError> {
        let value = self.answer(prompt, flag, suggestion, parse)?;
        value.ok_or_else(|| problem(flag, "must be given: no answer was accepted"))
    }

    /// Returns a value as [`Self::value`], or `None` if all answers were wrong.
    ///
    /// # Errors
    /// No suggestion without a terminal, or the end of the input.
    pub(super) fn answer<T>(
        self,
        prompt: &str,
        flag: &str,
        suggestion: Option<&str>,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, CommandError> {
        if self == Dialogue::Suggestions {
            let text =
                suggestion.ok_or_else(|| problem(flag, "must be given, because nothing suggests it"))?;
            return parse(text).map(Some).map_err(|rule| problem(flag, &rule));
        }
        let shown =
            suggestion.filter(|text| !text.is_empty()).map_or_else(String::new, |text| format!(" [{text}]"));
        for _ in 0..ANSWERS_MAX {
            let ended = || CommandError::configuration("the input ended before the dialogue");
            let answer = prompted(&format!("{prompt}{shown}: "))?.ok_or_else(ended)?;
            let text = if answer.is_empty() { suggestion.unwrap_or_default() } else { &answer };
            match parse(text) {
                Ok(value) => return Ok(Some(value)),
                Err(rule) => drop(writeln!(std::io::stderr(), "{rule}")),
            }
        }
        Ok(None)
    }
}

fn problem(flag: &str, rule: &str) -> CommandError {
    CommandError::configuration(format!("{flag} {rule}"))
}

/// Reads a line after a prompt on standard error, without the white space at its ends. `None` at the end of the input.
pub(super) fn prompted(prompt: &str) -> Result<Option<String>, CommandError> {
    let mut stderr = std::io::stderr();
    drop(write!(stderr, "{prompt}"));
    drop(stderr.flush());
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    let read = read.map_err(|error| CommandError::internal("the terminal cannot be read", &error))?;
    Ok((read > 0).then(|| answer.trim().to_owned()))
}

/// The flag that answers the query.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Confirmation {
    /// Do it without asking. Required if standard input is not a terminal
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Waits for an answer on the terminal. Does not wait with `--yes` and in a dry run.
///
/// # Errors
/// Another answer than yes, or no terminal.
pub(super) fn confirm(
    query: &str,
    confirmation: Confirmation,
    rehearsal: Rehearsal,
) -> Result<(), CommandError> {
    if confirmation.yes || rehearsal.dry_run {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() {
        return Err(CommandError::configuration(
            "this command asks for a confirmation, but standard input is not a terminal; give --yes to do it without \
             asking, or --dry-run to see what it does",
        ));
    }
    let answer = prompted(&format!("{query} [y/N] "))?.unwrap_or_default();
    match answer.to_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(CommandError::configuration("nothing was changed, because the answer is not y")),
    }
}
