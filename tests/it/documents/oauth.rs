//! `docs/oauth.md`: `doctor` prints the shown lines, the settings are valid, and the options of Auth.js are those that
//! `cargo lab clients sign-in` uses.

use serde_json::json;
use tests::database::Database;
use tests::documents::runner::Runner;
use tests::documents::shell::Folder;
use tests::provider::IdentityProvider;
use tests::signer::Signer;

#[tokio::test(flavor = "multi_thread")]
async fn blocks_of_oauth_work_as_shown() {
    let blocks = tests::documents::blocks_of("docs/oauth.md");
    let database = Database::fresh().await;
    let folder = Folder::create();
    let provider = IdentityProvider::start(&[&Signer::new("k1", "ES256")]).await;
    provider.set_metadata("token_endpoint_auth_methods_supported", json!(["none"]));
    let environment = format!(
        "export PASSBOOK_DATABASE_URL='{}' PASSBOOK_OIDC_ISSUER='{}' PASSBOOK_ORIGIN=https://money.example",
        database.url(passbook_schema::READER),
        provider.issuer
    );
    let others = Runner::new(&folder, &["passbook-admin"], &environment)
        .replacing(&provider.issuer, "https://project.example/auth/v1")
        .run(&blocks);
    assert!(others.is_empty(), "{others:?}");
}
