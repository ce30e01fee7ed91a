//! The addresses of wallets are masked.

use serde_json::json;
use tests::app::App;

#[tokio::test]
async fn wallet_address_is_masked() {
    let (app, household, token) = App::with_household().await;
    for (address, masked) in [
        (Some("0x5fd3e0a11ce05e401dba55b00c000000000c41e0"), Some("0x5f…41e0")),
        (Some("1234567890123456"), Some("1234…3456")),
        (Some("123456789012345"), Some("…45")),
        (Some("12345678"), Some("…78")),
        (None, None),
    ] {
        let stored = address.map_or("null".to_owned(), |address| format!("'{address}'"));
        app.write(&format!(
            "delete from passbook.wallets; \
             insert into passbook.wallets (user_id, wallet_id, name, network, address, updated_at) \
             values ('{}', gen_random_uuid(), 'Wallet', 'BITCOIN', {stored}, now())",
            household.user.user_id
        ))
        .await;
        let answer = app.get("/v1/portfolio", &token).await.ok();
        assert_eq!(answer["wallets"].as_array().map(Vec::len), Some(1), "{address:?}");
        let shown = answer["wallets"][0].get("address_masked");
        assert_eq!(shown, masked.map(|masked| json!(masked)).as_ref(), "{address:?}");
        assert!(address.is_none_or(|address| !answer.to_string().contains(address)), "{address:?}");
    }
}
