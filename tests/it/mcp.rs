//! The tool server: the rules of HTTP, of the protocol in both eras, of arguments, of access, and of how much a
//! model has to read.

mod access;
mod arguments;
mod economy;
mod fuzz;
mod protocol;
mod schemas;
mod transport;
mod twins;

use tests::app::App;
use tests::household::Household;

/// An application with one person and their token.
async fn app() -> (App, Household, String) {
    let app = App::start().await;
    let household = Household::new();
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    (app, household, token)
}

/// An application with the demo household and its token.
async fn demo() -> (App, String) {
    let app = App::start().await;
    let mut writer = app.database.connect(schema::WRITER).await;
    demo::install(&mut writer, tests::app::TODAY).await.expect("the demo household is sound");
    let token = app.token(demo::USER_ID).await;
    (app, token)
}
