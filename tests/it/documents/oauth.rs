//! `docs/oauth.md`: the commands run, `doctor` prints the shown lines, and the settings are valid.

use passbook_server::settings::{Settings, Sources};
use serde_json::json;
use tests::database::Database;
use tests::provider::IdentityProvider;
use tests::signer::Signer;

use tests::documents::shell::Folder;

const ADMIN: &[&str] = &["passbook-admin"];

#[tokio::test(flavor = "multi_thread")]
async fn blocks_of_oauth_work_as_shown() {
    let documents = tests::documents::documents();
    let blocks = tests::documents::blocks::read("docs/oauth.md", &documents["docs/oauth.md"]);
    let [doctor, shown, supabase, keycloak] = blocks[..] else { panic!("{} blocks", blocks.len()) };
    assert_eq!(
        [doctor, shown, supabase, keycloak].map(|block| block.language),
        ["sh", "text", "toml", "toml"]
    );

    let database = Database::fresh().await;
    let folder = Folder::create();
    let provider = IdentityProvider::start(&[&Signer::new("k1", "ES256")]).await;
    provider.set_metadata("token_endpoint_auth_methods_supported", json!(["none"]));
    let reading = format!(
        "export PASSBOOK_DATABASE_URL='{}' PASSBOOK_OIDC_ISSUER='{}' PASSBOOK_ORIGIN=https://money.example\n",
        database.url(passbook_schema::READER),
        provider.issuer
    );
    let found = folder.done(&format!("{reading}{}", doctor.text), ADMIN);
    assert_eq!(
        found.replace(&provider.issuer, "https://project.example/auth/v1"),
        shown.text,
        "{}",
        shown.place()
    );

    for block in [supabase, keycloak] {
        let mut environment = std::collections::BTreeMap::from([("HOME".to_owned(), "/".to_owned())]);
        for line in block.text.lines() {
            let (key, value) = line.split_once(" = ").expect("a setting");
            environment
                .insert(format!("PASSBOOK_{}", key.to_uppercase()), value.trim_matches('"').to_owned());
        }
        let sources = Sources::from_environment(environment);
        let settings = Settings::resolve(&sources, false)
            .unwrap_or_else(|problems| panic!("{}: {problems:?}", block.place()));
        assert!(settings.provider.is_some(), "{}", block.place());
    }
}
