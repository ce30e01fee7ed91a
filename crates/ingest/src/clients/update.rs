//! Changes of a stored OAuth client.

use passbook_domain::scope::Surface;
use tokio_postgres::GenericClient;

use super::faults::{redirect_uri_faults, scope_faults, surface_faults};
use super::values::{accepts, distinct};
use crate::load::LoadError;
use crate::tokens::name_faults;

/// The values of a client to be changed, before validation. `None` keeps a value. The kind and the owner of a client
/// never change: they decide whose data its tokens may read.
#[derive(Clone, Copy, Debug)]
pub struct ClientChanges<'a> {
    /// The name under which people recognise the client.
    pub name: Option<&'a str>,
    /// The texts of the granted [`Scope`](passbook_domain::scope::Scope)s, which replace the earlier ones.
    pub scopes: Option<&'a [String]>,
    /// The texts of the [`Surface`]s that accept the client, which replace the earlier ones.
    pub surfaces: Option<&'a [String]>,
    /// The redirect URIs, which replace the earlier ones.
    pub redirect_uris: Option<&'a [String]>,
}

/// Changes a client. Its tokens have the new scopes and surfaces from the next request on. A revoked client stays
/// revoked. Returns false if the client is not stored.
///
/// # Errors
///
/// [`LoadError::Faults`] lists every fault of the new values.
pub async fn update(
    client: &impl GenericClient,
    client_id: &str,
    changes: &ClientChanges<'_>,
) -> Result<bool, LoadError> {
    let faults: Vec<_> = [
        changes.name.map(name_faults),
        changes.scopes.map(scope_faults),
        changes.surfaces.map(surface_faults),
        changes.redirect_uris.map(redirect_uri_faults),
    ]
    .into_iter()
    .flatten()
    .flatten()
    .collect();
    if !faults.is_empty() {
        return Err(LoadError::Faults(faults));
    }
    let accepts = |surface: Surface| changes.surfaces.map(|surfaces| accepts(surfaces, surface));
    let statement = "update passbook.oauth_clients set name = coalesce($2::text, name), \
                     scopes = coalesce($3::text[], scopes), rest = coalesce($4, rest), mcp = coalesce($5, mcp), \
                     redirect_uris = coalesce($6::text[], redirect_uris) where client_id = $1";
    let changed = client
        .execute(
            statement,
            &[
                &client_id,
                &changes.name,
                &changes.scopes.map(distinct),
                &accepts(Surface::Rest),
                &accepts(Surface::Mcp),
                &changes.redirect_uris.map(distinct),
            ],
        )
        .await
        .map_err(LoadError::Database)?;
    Ok(changed == 1)
}
