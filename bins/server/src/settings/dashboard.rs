//! The settings of the dashboard.

use passbook_dashboard::SessionKey;
use passbook_settings::Reader;

/// The settings of the dashboard.
#[derive(Clone, Debug)]
pub struct DashboardSettings {
    /// Identifier of the page at the identity provider; people enter a personal access token if there is none.
    pub client_id: Option<String>,
    /// The key that seals the session cookies.
    pub session_key: SessionKey,
}

/// The settings of the dashboard; `None` if it is not served.
pub(super) fn read(reader: &mut Reader<'_>) -> Option<DashboardSettings> {
    const CLIENT_ID: &str = "PASSBOOK_DASHBOARD_CLIENT_ID";
    let is_served = reader.boolean("PASSBOOK_DASHBOARD");
    let client_id = reader.optional(CLIENT_ID, client_id);
    let key = reader.optional("PASSBOOK_SESSION_KEY", |text| SessionKey::parse(text).map_err(str::to_owned));
    reader.needs(CLIENT_ID, "PASSBOOK_OIDC_ISSUER");
    let session_key = key.unwrap_or_else(SessionKey::generate);
    is_served.then_some(DashboardSettings { client_id, session_key })
}

/// The identifier of a client (RFC 6749 appendix A.1).
fn client_id(text: &str) -> Result<String, String> {
    let is_visible = |byte: u8| byte.is_ascii_graphic();
    if (1..=200).contains(&text.len()) && text.bytes().all(is_visible) {
        return Ok(text.to_owned());
    }
    Err("must have 1 to 200 visible ASCII characters".to_owned())
}
