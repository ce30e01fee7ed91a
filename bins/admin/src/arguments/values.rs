//! The parsers of values on the command line. Each error is the rule with the allowed values, for clap's message.

use domain::scope::{Scope, Surface};
use domain::{Currency, Invalid};

pub(super) fn currency(text: &str) -> Result<Currency, String> {
    Currency::parse(text).map_err(rule)
}

pub(super) fn scope(text: &str) -> Result<Scope, String> {
    Scope::parse(text).map_err(rule)
}

pub(super) fn surface(text: &str) -> Result<Surface, String> {
    Surface::parse(text).map_err(rule)
}

fn rule(invalid: Invalid) -> String {
    match invalid.allowed() {
        [] => invalid.rule().to_owned(),
        allowed => format!("{}: {}", invalid.rule(), allowed.join(", ")),
    }
}
