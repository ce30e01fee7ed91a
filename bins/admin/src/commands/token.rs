//! `token`: creates, lists, rotates and revokes personal access tokens.

use std::io::{IsTerminal as _, Read as _};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use passbook_auth::personal_access_token::PlainToken;
use passbook_domain::scope::{Scope, Surface};
use passbook_ingest::tokens::{
    self, EXPIRES_IN_DAYS_DEFAULT, EXPIRES_IN_DAYS_MAX, NewToken, Rotated, Rotation, Token,
};
use passbook_input::Fault;
use tokio_postgres::Client;
use uuid::Uuid;

use super::transaction::{self, Rehearsal};
use super::user::{self, Owner};
use crate::chosen::{self, Choosable};
use crate::error::CommandError;
use crate::listing::{self, Column, ListEntry, Listing, joined};
use crate::output;

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin token create --user you@example.org --name laptop
  passbook-admin token create --user you@example.org --name assistant --surfaces mcp \
--scopes transactions:read,cashflow:read --expires-in-days 30
  passbook-admin token list --user you@example.org
  passbook-admin token rotate laptop
  passbook-admin token revoke laptop
  passbook-admin token revoke - < token.txt";

/// The value that stands for all scopes.
const ALL: &str = "all";
/// The argument that stands for a token on standard input.
const STANDARD_INPUT: &str = "-";

#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Create a token and print it; it cannot be shown again
    Create(TokenCreation),
    /// List tokens, without the tokens themselves, which are not stored
    List {
        /// List only the tokens of the user with this e-mail address
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
    /// Replace a token: print a new token with the same name, scopes, surfaces and lifetime, and revoke the old one
    ///
    /// The lifetime starts again. The new token cannot be shown again.
    Rotate {
        /// The token: its name, or its id
        token: String,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
    /// Revoke a token; the next request with it is refused
    Revoke {
        /// The token: its name, or its id; or - to read the token itself from standard input
        token: String,
        #[command(flatten)]
        rehearsal: Rehearsal,
    },
}

#[derive(Debug, Args)]
pub(crate) struct TokenCreation {
    #[command(flatten)]
    pub(crate) owner: Owner,
    /// Name by which the owner recognises the token
    #[arg(long)]
    pub(crate) name: String,
    /// Scopes that the token grants, separated by commas
    #[arg(long, value_delimiter = ',', default_value = ALL, value_parser = scopes())]
    pub(crate) scopes: Vec<&'static [Scope]>,
    /// Surfaces that accept the token, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "rest,mcp", value_parser = surface())]
    pub(crate) surfaces: Vec<Surface>,
    #[arg(long, help = format!("Lifetime in days, at most {EXPIRES_IN_DAYS_MAX}"),
         value_name = "DAYS", default_value_t = EXPIRES_IN_DAYS_DEFAULT,
        value_parser = clap::value_parser!(u16).range(1..=i64::from(EXPIRES_IN_DAYS_MAX)))]
    pub(crate) expires_in_days: u16,
    #[command(flatten)]
    pub(crate) rehearsal: Rehearsal,
}

/// Runs a command on personal access tokens. `prefix` is the prefix of new tokens, and `origin` the public origin of the server.
pub(super) async fn run(
    client: &mut Client,
    command: TokenCommand,
    prefix: &str,
    origin: &str,
) -> Result<(), CommandError> {
    match command {
        TokenCommand::Create(wanted) => create(client, &wanted, prefix, origin).await,
        TokenCommand::List { user, listing } => {
            let user_id = user::find_id(client, user.as_deref()).await?;
            listing::print(&tokens::list(client, user_id).await?, listing)
        }
        TokenCommand::Rotate { token, rehearsal } => {
            let token_id = find(client, &token).await?;
            rotate(client, token_id, rehearsal, prefix).await
        }
        TokenCommand::Revoke { token, rehearsal } => revoke(client, &token, rehearsal).await,
    }
}

/// Creates a token. Prints the token alone on standard output, and notes on standard error, which do not repeat it.
async fn create(
    client: &mut Client,
    wanted: &TokenCreation,
    prefix: &str,
    origin: &str,
) -> Result<(), CommandError> {
    let owner = wanted.owner.find(client).await?;
    let user_id = owner.user_id;
    let scopes = wanted.scopes.concat();
    let token = NewToken {
        user_id,
        name: &wanted.name,
        scopes: &scopes,
        rest: wanted.surfaces.contains(&Surface::Rest),
        mcp: wanted.surfaces.contains(&Surface::Mcp),
        expires_in_days: wanted.expires_in_days,
    };
    let plain = PlainToken::generate(prefix);
    let transaction = client.transaction().await?;
    let token_id = tokens::create(&transaction, &token, &plain).await?;
    if wanted.rehearsal.dry_run {
        return transaction::end(transaction, wanted.rehearsal).await;
    }
    // Printed before the commit: a token that could not be printed must not exist, because it cannot be shown again.
    output::lines([plain.reveal()])?;
    transaction::end(transaction, wanted.rehearsal).await?;
    output::note(&format!(
        "created token {token_id} for {}, valid for {} days, with {}; store the token now, it cannot be shown again",
        owner.email,
        wanted.expires_in_days,
        tokens::distinct(&scopes).join(",")
    ));
    if token.mcp {
        output::note(&format!("connect an assistant: {}", connection(origin, "TOKEN")));
    }
    Ok(())
}

/// Returns the command that connects an assistant.
pub(super) fn connection(origin: &str, token: &str) -> String {
    format!(
        "claude mcp add --transport http passbook {origin}/api/mcp --header 'Authorization: Bearer {token}'"
    )
}

/// Replaces a token by a new one. Prints the new token alone on standard output, and notes on standard error.
async fn rotate(
    client: &mut Client,
    token_id: Uuid,
    rehearsal: Rehearsal,
    prefix: &str,
) -> Result<(), CommandError> {
    let plain = PlainToken::generate(prefix);
    let transaction = client.transaction().await?;
    let rotated = match tokens::rotate(&transaction, token_id, &plain).await? {
        Rotation::Done(rotated) => rotated,
        Rotation::Unknown => return Err(CommandError::input(unknown(token_id))),
        Rotation::Revoked => {
            let rule = "must be the id of a token that is not revoked; create a new token with `passbook-admin token \
                        create`";
            return Err(CommandError::input(Fault::new("TOKEN", rule).received(token_id.to_string())));
        }
    };
    if rehearsal.dry_run {
        return transaction::end(transaction, rehearsal).await;
    }
    // Printed before the commit: a token that could not be printed must not exist, and must not replace another one.
    output::lines([plain.reveal()])?;
    transaction::end(transaction, rehearsal).await?;
    let Rotated { token_id: new_id, email, name, expires_at } = rotated;
    output::note(&format!(
        "created token {new_id} ({name}) for {email}, valid until {expires_at:.0}, and revoked token {token_id}; store \
         the token now, it cannot be shown again"
    ));
    Ok(())
}

/// Revokes a token.
async fn revoke(client: &mut Client, token: &str, rehearsal: Rehearsal) -> Result<(), CommandError> {
    let token_id = match token {
        STANDARD_INPUT => {
            let plain = read_from_standard_input()?;
            let found = tokens::find(client, &plain).await?;
            let rule = "must be a token of this database; there is none with the SHA-256 of the given token";
            found.ok_or_else(|| CommandError::input(Fault::new("standard input", rule)))?
        }
        token => find(client, token).await?,
    };
    let transaction = client.transaction().await?;
    let revocation = tokens::revoke(&transaction, token_id).await?;
    let text = token_id.to_string();
    transaction::end_revocation(transaction, rehearsal, revocation, &text, || unknown(token_id)).await
}

/// The fault for a token that does not exist.
fn unknown(token_id: Uuid) -> Fault {
    let rule = "must be the id of a token; `passbook-admin token list` shows them";
    Fault::new("TOKEN", rule).received(token_id.to_string())
}

/// Maximum number of bytes that are read: a token with the longest prefix has 54 characters.
const BYTES_MAX: u64 = 1024;

/// Reads a token of any prefix: the prefix in the settings may be newer than the token.
fn read_from_standard_input() -> Result<PlainToken, CommandError> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        output::note("enter the token, then press Enter and Ctrl-D");
    }
    let mut text = String::new();
    let read = stdin.lock().take(BYTES_MAX).read_to_string(&mut text);
    let fault = |rule: String| CommandError::input(Fault::new("standard input", rule));
    read.map_err(|error| fault(format!("must be readable text: {error}")))?;
    let rule = "must be one personal access token: a prefix such as pbk_ and 38 letters and digits, of which the last \
                six are a checksum";
    PlainToken::parse_with_any_prefix(text.trim()).ok_or_else(|| fault(rule.to_owned()))
}

impl ListEntry for Token {
    const COLUMNS: &[Column<Token>] = &[
        ("id", |entry| chosen::short(entry.token_id)),
        ("user", |entry| entry.email.clone()),
        ("name", |entry| entry.name.clone()),
        ("ends in", |entry| entry.last_four.clone()),
        ("state", |entry| entry.state.clone()),
        ("surfaces", |entry| joined(&entry.surfaces)),
        ("created", |entry| format!("{:.0}", entry.created_at)),
        ("expires", |entry| format!("{:.0}", entry.expires_at)),
        ("scopes", |entry| entry.scopes.join(",")),
    ];
}

/// Parses a scope, or all of them. The help and the error list all scopes.
pub(super) fn scopes() -> impl TypedValueParser<Value = &'static [Scope]> {
    PossibleValuesParser::new(std::iter::once(ALL).chain(Scope::ALL.iter().map(|scope| scope.as_str()))).map(
        |text| {
            let one = Scope::ALL.iter().find(|scope| scope.as_str() == text);
            one.map_or(Scope::ALL, std::slice::from_ref)
        },
    )
}

/// Parses a surface. The help and the error list all surfaces.
fn surface() -> impl TypedValueParser<Value = Surface> {
    PossibleValuesParser::new(Surface::ALL.iter().map(|surface| surface.as_str()))
        .map(|text| Surface::parse(&text).expect("the possible values are those of the type"))
}

/// Returns the identifier of the token that a text chooses. A revoked token has no name any more, so that a rotated one
/// keeps it.
async fn find(client: &Client, text: &str) -> Result<Uuid, CommandError> {
    if passbook_input::contains_token(text) {
        let rule = "must not be the token itself, because command lines are visible to all users of the machine; use - \
                    and give the token on standard input";
        return Err(CommandError::input(Fault::new("TOKEN", rule)));
    }
    let tokens = tokens::list(client, None).await?;
    // The text may be a part of a token, so that no message repeats it.
    let secret = |fault: Fault| CommandError::input(Fault::new("TOKEN", fault.rule));
    let token = chosen::choose(&tokens, "TOKEN", "a token", text).map_err(secret)?;
    Ok(token.token_id)
}

impl Choosable for Token {
    fn id(&self) -> Uuid {
        self.token_id
    }

    fn names(&self) -> Vec<String> {
        if self.revoked_at.is_none() { vec![self.name.clone()] } else { Vec::new() }
    }
}
