//! An identity provider that publishes one key, which `openssl` makes.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::database::{ANOTHER_USER, FIRST_TOKEN};
use super::setting::Setting;
use crate::command::{create_folder, run_quietly};

/// Creates an Ed25519 key, and prints its public part in base64url.
const CREATE: &str = r#"set -e; openssl genpkey -algorithm ed25519 -out "$0/key.pem"
openssl pkey -in "$0/key.pem" -pubout -outform DER | tail -c 32 | openssl base64 -A | tr '+/' '-_' | tr -d '='"#;
/// Signs header and claims, and prints the token (RFC 7515 section 3.1).
const SIGN: &str = r#"set -e; encode() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
text="$(printf %s "$1" | encode).$(printf %s "$2" | encode)"; printf %s "$text" > "$0/text"
printf '%s.%s' "$text" "$(openssl pkeyutl -sign -rawin -inkey "$0/key.pem" -in "$0/text" | encode)""#;
/// The audience of all tokens.
const AUDIENCE: &str = "faults";
/// The client of the demo household, which serves everybody, and a client that serves another user only.
pub(super) const CLIENT: &str = "client-of-everybody";
pub(super) const FOREIGN_CLIENT: &str = "client-of-another-user";
/// Lifetime of a token, in seconds.
const LIFETIME_SECONDS: i64 = 1_800;
/// The identifier of the published key.
pub(super) const KEY: &str = "published";

/// The provider. It ends with the process.
pub(super) struct Provider {
    pub(super) port: u16,
    folder: PathBuf,
    user: String,
}

impl Provider {
    /// Starts the provider, and registers its clients.
    pub(super) fn start(setting: &Setting<'_>) -> Result<Provider, String> {
        let failed = |error: std::io::Error| format!("the identity provider: {error}");
        let folder = setting.work.join("provider");
        create_folder(&folder)?;
        let key = run_quietly("sh", &["-c", CREATE, &folder.display().to_string()], &[])?;
        let listener = TcpListener::bind("127.0.0.1:0").map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let issuer = issuer(port);
        let jwk = json!({ "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "kid": KEY, "x": key.trim() });
        let metadata = json!({
            "issuer": issuer,
            "authorization_endpoint": format!("{issuer}/authorize"),
            "token_endpoint": format!("{issuer}/token"),
            "jwks_uri": format!("{issuer}/keys"),
            "code_challenge_methods_supported": ["S256"],
        });
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let _ = respond(client, &metadata, &json!({ "keys": [jwk] }));
            }
        });
        let user = setting.database.household()?;
        setting.database.token_of_another()?;
        for (client, kind, owner) in [
            (CLIENT, "known_mcp", "null".to_owned()),
            (FOREIGN_CLIENT, "personal_dashboard", format!("'{ANOTHER_USER}'::uuid")),
        ] {
            setting.database.execute(&format!(
                "insert into passbook.oauth_clients (client_id, kind, user_id, name, scopes) \
                 select '{client}', '{kind}', {owner}, 'faults', scopes from {FIRST_TOKEN} \
                 on conflict do nothing"
            ))?;
        }
        Ok(Provider { port, folder, user })
    }

    /// Returns the issuer, which is a setting of a server.
    pub(super) fn issuer(&self) -> String {
        issuer(self.port)
    }

    /// Returns the settings of a server that accepts the tokens, apart from the issuer.
    pub(super) const SETTINGS: (&'static str, &'static str) = ("PASSBOOK_OIDC_AUDIENCE", AUDIENCE);

    /// Returns a token of the demo household. `ahead` is the time of the provider's clock before the system's, in seconds.
    #[expect(
        clippy::disallowed_methods,
        reason = "a token expires at an instant, not on a day of a time zone"
    )]
    pub(super) fn token(&self, client: &str, key: &str, ahead: i64) -> Result<String, String> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_err(|error| error.to_string())?;
        let now = i64::try_from(now.as_secs()).map_err(|error| error.to_string())? + ahead;
        let header = json!({ "alg": "EdDSA", "typ": "JWT", "kid": key });
        let claims = json!({
            "iss": self.issuer(), "aud": AUDIENCE, "sub": self.user, "client_id": client,
            "iat": now, "exp": now + LIFETIME_SECONDS,
        });
        let folder = self.folder.display().to_string();
        run_quietly("sh", &["-c", SIGN, &folder, &header.to_string(), &claims.to_string()], &[])
    }
}

fn issuer(port: u16) -> String {
    format!("http://127.0.0.1:{port}")
}

/// Answers one request with the keys or the metadata.
fn respond(mut client: TcpStream, metadata: &Value, keys: &Value) -> Result<(), std::io::Error> {
    let mut head = Vec::new();
    let mut bytes = [0; 1024];
    while !head.ends_with(b"\r\n\r\n") {
        match client.read(&mut bytes)? {
            0 => return Ok(()),
            count => head.extend_from_slice(&bytes[..count]),
        }
    }
    let document = if head.starts_with(b"GET /keys ") { keys } else { metadata }.to_string();
    let length = document.len();
    write!(
        client,
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{document}"
    )
}
