//! `token`: creates, lists and revokes personal access tokens.

use auth::personal_access_token::PlainToken;
use domain::scope::{Scope, Surface};
use fault::Fault;
use ingest::tokens::{self, NewToken, Token};
use tokio_postgres::Client;
use uuid::Uuid;

use super::surfaces::surfaces;
use super::{revocation, transaction, user};
use crate::arguments::{self, Rehearsal, TokenCommand};
use crate::error::CommandError;
use crate::output;

/// Runs a command on personal access tokens. `prefix` is the prefix of new tokens.
pub(super) async fn run(
    client: &mut Client,
    command: TokenCommand,
    prefix: &str,
) -> Result<(), CommandError> {
    match command {
        TokenCommand::Create(wanted) => create(client, &wanted, prefix).await,
        TokenCommand::List { user } => list(client, user.as_deref()).await,
        TokenCommand::Revoke { token_id, rehearsal } => revoke(client, token_id, rehearsal).await,
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
async fn list(client: &Client, email: Option<&str>) -> Result<(), CommandError> {
    let user_id = user::find_id(client, email).await?;
    let heading = ["id", "user", "name", "ends in", "state", "surfaces", "created", "expires", "scopes"];
    let mut rows = vec![heading.map(str::to_owned)];
    rows.extend(tokens::list(client, user_id).await?.into_iter().map(row));
    output::lines(output::table(&rows))
}

fn row(token: Token) -> [String; 9] {
    let state = match (token.revoked_at, token.expired) {
        (Some(_), _) => "revoked",
        (None, true) => "expired",
        (None, false) => "active",
    };
    [
        token.token_id.to_string(),
        token.email,
        token.name,
        token.last_four,
        state.to_owned(),
        surfaces(token.rest, token.mcp).to_owned(),
        format!("{:.0}", token.created_at),
        format!("{:.0}", token.expires_at),
        token.scopes.join(","),
    ]
}

/// Revokes a token.
async fn revoke(client: &mut Client, token_id: Uuid, rehearsal: Rehearsal) -> Result<(), CommandError> {
    let transaction = transaction::begin(client).await?;
    let revocation = tokens::revoke(&transaction, token_id).await?;
    let token_id = token_id.to_string();
    let unknown = || {
        let rule = "must be the id of a token; `passbook-admin token list` shows them";
        Fault::new("TOKEN_ID", rule).received(&token_id)
    };
    revocation::end(transaction, rehearsal, revocation, &token_id, unknown).await
}
