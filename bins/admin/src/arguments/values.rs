//! The parsers of values on the command line. Each error is the rule, for clap's message.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use passbook_domain::scope::{Scope, Surface};
use passbook_domain::{Currency, Invalid};
use passbook_statements::DateOrder;
use uuid::Uuid;

use super::tokens::TokenReference;

pub(super) fn currency(text: &str) -> Result<Currency, String> {
    Currency::parse(text).map_err(rule)
}

/// Parses a scope. The help and the error list all scopes.
pub(super) fn scope() -> impl TypedValueParser<Value = Scope> {
    PossibleValuesParser::new(Scope::ALL.iter().map(|scope| scope.as_str()))
        .map(|text| Scope::parse(&text).expect("the possible values are those of the type"))
}

/// Parses a surface. The help and the error list all surfaces.
pub(super) fn surface() -> impl TypedValueParser<Value = Surface> {
    PossibleValuesParser::new(Surface::ALL.iter().map(|surface| surface.as_str()))
        .map(|text| Surface::parse(&text).expect("the possible values are those of the type"))
}

/// Parses the order of day and month.
pub(super) fn date_order() -> impl TypedValueParser<Value = DateOrder> {
    PossibleValuesParser::new(DateOrder::ALL.iter().map(|order| order.as_str()))
        .map(|text| DateOrder::parse(&text).expect("the possible values are those of the type"))
}

/// Parses a day, a day with a time (UTC), or a timestamp.
pub(super) fn as_of(text: &str) -> Result<DateTime, String> {
    let timestamp = || text.parse::<Timestamp>().map(|time| time.to_zoned(TimeZone::UTC).datetime());
    let rule = "must be a day or a time (UTC), such as 2026-01-31 or 2026-01-31T10:00";
    text.parse().or_else(|_| timestamp()).map_err(|_invalid| rule.to_owned())
}

/// The help of the scopes of a client. They are validated with the database, so clap does not know their values.
pub(super) fn client_scopes_help() -> String {
    let scopes: Vec<&str> = Scope::ALL.iter().map(|scope| scope.as_str()).collect();
    format!("Scopes that the client may request, separated by commas: {}", scopes.join(", "))
}

/// Parses the name of a ledger, which becomes a part of the source of accounts.
pub(super) fn ledger(text: &str) -> Result<String, String> {
    if passbook_input::contains_token(text) {
        return Err("must not be a token, because names of ledgers are displayed".to_owned());
    }
    Ok(text.to_owned())
}

pub(super) fn token_id(text: &str) -> Result<Uuid, String> {
    let rule = "must be the id of a token, a UUID; `passbook-admin token list` shows the ids";
    text.parse().map_err(|_invalid| rule.to_owned())
}

pub(super) fn token_reference(text: &str) -> Result<TokenReference, String> {
    if text == "-" {
        return Ok(TokenReference::StandardInput);
    }
    let rule = "must be the id of a token, a UUID that `passbook-admin token list` shows; to revoke a token by the \
                token itself, use - and give the token on standard input";
    text.parse().map(TokenReference::Id).map_err(|_invalid| rule.to_owned())
}

fn rule(invalid: Invalid) -> String {
    match invalid.allowed() {
        [] => invalid.rule().to_owned(),
        allowed => format!("{}: {}", invalid.rule(), allowed.join(", ")),
    }
}
