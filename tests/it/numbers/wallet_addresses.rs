//! The addresses of wallets are masked.

use passbook_records::record::Record;
use serde_json::json;
use tests::app::App;
use tests::assets::Assets;
use tests::household::Household;

#[tokio::test]
async fn wallet_address_is_masked() {
    let app = App::start().await;
    for (address, masked) in [
        (Some("0x5fd3e0a11ce05e401dba55b00c000000000c41e0"), Some("0x5f…41e0")),
        (Some("1234567890123456"), Some("1234…3456")),
        (Some("123456789012345"), Some("…45")),
        (Some("12345678"), Some("…78")),
        (None, None),
    ] {
        let household = Household::new();
        let mut assets = Assets::new(household.user.user_id);
        assets.wallet("Wallet");
        if let Some(Record::Wallet(wallet)) = assets.records.last_mut() {
            wallet.address = address.map(str::to_owned);
        }
        app.load(household.records().into_iter().take(1).chain(assets.records)).await;
        let token = app.token(household.user.user_id).await;
        let answer = app.get("/v1/portfolio", &token).await.ok();
        let shown = answer["wallets"][0].get("address_masked");
        assert_eq!(shown, masked.map(|masked| json!(masked)).as_ref(), "{address:?}");
        assert!(address.is_none_or(|address| !answer.to_string().contains(address)), "{address:?}");
    }
}
