//! What people agreed to.

use ingest::consents;
use tokio_postgres::Client;

use super::{client, revoke, user};
use crate::arguments::Rehearsal;
use crate::exit::Failure;
use crate::output;

/// Prints the recorded consents of a person, or of everyone.
pub(super) async fn list(client: &Client, email: Option<&str>) -> Result<(), Failure> {
    let user_id = user::find_id(client, email).await?;
    let heading = ["user", "client", "name", "state", "granted"];
    let mut rows = vec![heading.map(str::to_owned)];
    for consent in consents::list(client, user_id).await? {
        rows.push([
            consent.email,
            consent.client_id,
            consent.client_name,
            revoke::state(consent.revoked_at).to_owned(),
            format!("{:.0}", consent.granted_at),
        ]);
    }
    output::lines(output::table(&rows))
}

/// Takes a client away from a person.
pub(super) async fn revoke(
    client: &mut Client,
    email: &str,
    client_id: &str,
    rehearsal: Rehearsal,
) -> Result<(), Failure> {
    let user_id = user::find(client, email).await?.user_id;
    let transaction = client.transaction().await.map_err(|error| Failure::database(&error))?;
    let revocation = consents::revoke(&transaction, user_id, client_id).await?;
    revoke::end(transaction, rehearsal, revocation, client_id, || client::unknown(client_id)).await
}
