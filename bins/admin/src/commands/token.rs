//! Personal access tokens. A token is printed once, when it is made.

use auth::personal_access_token::PlainToken;
use domain::scope::{Scope, Surface};
use formats::Fault;
use ingest::tokens::{self, NewToken, Token};
use tokio_postgres::Client;
use uuid::Uuid;

use super::{revoke, user};
use crate::arguments::{self, Rehearsal};
use crate::exit::{self, Failure};
use crate::output;

/// Makes a token and prints it: the token alone on standard output, everything else on standard error.
pub(super) async fn create(
    client: &mut Client,
    wanted: &arguments::NewToken,
    prefix: &str,
) -> Result<(), Failure> {
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
    let transaction = client.transaction().await.map_err(|error| Failure::database(&error))?;
    let token_id = tokens::create(&transaction, &token, &plain).await?;
    if wanted.rehearsal.dry_run {
        transaction.rollback().await.map_err(|error| Failure::database(&error))?;
        super::remark_on_rehearsal(wanted.rehearsal);
        return Ok(());
    }
    // Printed before it is stored: a token that nobody could read must not exist.
    output::lines([plain.reveal()])?;
    transaction.commit().await.map_err(|error| Failure::database(&error))?;
    exit::remark(&format!(
        "token {token_id} for {}, for {} days; it is shown this once and stored nowhere",
        wanted.user, wanted.expires_in_days
    ));
    Ok(())
}

/// Prints the tokens of a person, or of everyone.
pub(super) async fn list(client: &Client, email: Option<&str>) -> Result<(), Failure> {
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
        super::surfaces(token.rest, token.mcp).to_owned(),
        format!("{:.0}", token.created_at),
        format!("{:.0}", token.expires_at),
        token.scopes.join(","),
    ]
}

/// Takes a token back.
pub(super) async fn revoke(client: &mut Client, token_id: Uuid, rehearsal: Rehearsal) -> Result<(), Failure> {
    let transaction = client.transaction().await.map_err(|error| Failure::database(&error))?;
    let revocation = tokens::revoke(&transaction, token_id).await?;
    let token_id = token_id.to_string();
    let unknown =
        || Fault::new("TOKEN_ID", "must be the identifier of a token; see `token list`").received(&token_id);
    revoke::end(transaction, rehearsal, revocation, &token_id, unknown).await
}
