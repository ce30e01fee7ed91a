//! `token`: creates, lists, rotates and revokes personal access tokens.

mod entry;
mod plain_token;

use passbook_auth::personal_access_token::PlainToken;
use passbook_domain::scope::{Scope, Surface};
use passbook_ingest::tokens::{self, NewToken, Rotated, Rotation};
use passbook_input::Fault;
use tokio_postgres::Client;
use uuid::Uuid;

use super::{revocation, transaction, user};
use crate::arguments::{self, Listing, Rehearsal, TokenCommand, TokenReference};
use crate::error::CommandError;
use crate::{listing, output};
use entry::TokenEntry;

/// Runs a command on personal access tokens. `prefix` is the prefix of new tokens.
pub(super) async fn run(
    client: &mut Client,
    command: TokenCommand,
    prefix: &str,
) -> Result<(), CommandError> {
    match command {
        TokenCommand::Create(wanted) => create(client, &wanted, prefix).await,
        TokenCommand::List { user, listing } => list(client, user.as_deref(), listing).await,
        TokenCommand::Rotate { token_id, rehearsal } => rotate(client, token_id, rehearsal, prefix).await,
        TokenCommand::Revoke { token, rehearsal } => revoke(client, token, rehearsal).await,
    }
}

/// Creates a token. Prints the token alone on standard output, and notes on standard error.
async fn create(client: &mut Client, wanted: &arguments::NewToken, prefix: &str) -> Result<(), CommandError> {
    let user_id = user::find(client, &wanted.user).await?.user_id;
    let token = NewToken {
        user_id,
        name: &wanted.name,
        scopes: if wanted.scopes.is_empty() { Scope::ALL } else { &wanted.scopes },
        rest: wanted.surfaces.contains(&Surface::Rest),
        mcp: wanted.surfaces.contains(&Surface::Mcp),
        expires_in_days: wanted.expires_in_days,
    };
    let plain = PlainToken::generate(prefix);
    let transaction = transaction::begin(client).await?;
    let token_id = tokens::create(&transaction, &token, &plain).await?;
    if wanted.rehearsal.dry_run {
        return transaction::end(transaction, wanted.rehearsal).await;
    }
    // Printed before the commit: a token that could not be printed must not exist, because it cannot be shown again.
    output::lines([plain.reveal()])?;
    transaction::end(transaction, wanted.rehearsal).await?;
    output::note(&format!(
        "created token {token_id} for {}, valid for {} days; store the token now, it cannot be shown again",
        wanted.user, wanted.expires_in_days
    ));
    Ok(())
}

/// Prints the tokens of one user or of all users.
async fn list(client: &Client, email: Option<&str>, listing: Listing) -> Result<(), CommandError> {
    let user_id = user::find_id(client, email).await?;
    let tokens = tokens::list(client, user_id).await?;
    let entries: Vec<TokenEntry> = tokens.into_iter().map(TokenEntry::from).collect();
    listing::print(&entries, listing)
}

/// Replaces a token by a new one. Prints the new token alone on standard output, and notes on standard error.
async fn rotate(
    client: &mut Client,
    token_id: Uuid,
    rehearsal: Rehearsal,
    prefix: &str,
) -> Result<(), CommandError> {
    let plain = PlainToken::generate(prefix);
    let transaction = transaction::begin(client).await?;
    let rotated = match tokens::rotate(&transaction, token_id, &plain).await? {
        Rotation::Done(rotated) => rotated,
        Rotation::Unknown => return Err(CommandError::input(unknown(token_id))),
        Rotation::Revoked => {
            let rule = "must be the id of a token that is not revoked; create a new token with `passbook-admin token \
                        create`";
            return Err(CommandError::input(Fault::new("TOKEN_ID", rule).received(token_id.to_string())));
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
async fn revoke(
    client: &mut Client,
    token: TokenReference,
    rehearsal: Rehearsal,
) -> Result<(), CommandError> {
    let token_id = match token {
        TokenReference::Id(token_id) => token_id,
        TokenReference::StandardInput => {
            let plain = plain_token::read_from_standard_input()?;
            let found = tokens::find(client, &plain).await?;
            let rule = "must be a token of this database; there is none with the SHA-256 of the given token";
            found.ok_or_else(|| CommandError::input(Fault::new("standard input", rule)))?
        }
    };
    let transaction = transaction::begin(client).await?;
    let revocation = tokens::revoke(&transaction, token_id).await?;
    let text = token_id.to_string();
    revocation::end(transaction, rehearsal, revocation, &text, || unknown(token_id)).await
}

/// The fault for a token that does not exist.
fn unknown(token_id: Uuid) -> Fault {
    let rule = "must be the id of a token; `passbook-admin token list` shows them";
    Fault::new("TOKEN_ID", rule).received(token_id.to_string())
}
