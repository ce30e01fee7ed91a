//! The tool server: HTTP rules, protocol rules of both eras, arguments, access, schemas, pictures and size of responses.

mod access;
mod arguments;
mod assistant;
mod fuzz;
mod pictures;
mod protocol;
mod response_size;
mod schemas;
mod tool_route_parity;
mod transport;

use tests::app::App;
use tests::household::Household;

/// Starts the application with one person. Returns the person and a token.
async fn app() -> (App, Household, String) {
    let app = App::start().await;
    let household = Household::new();
    app.load(household.records()).await;
    let token = app.token(household.user.user_id).await;
    (app, household, token)
}

/// Starts the application with the demo household. Returns a token.
async fn demo() -> (App, String) {
    let app = App::start().await;
    let mut writer = app.database.connect(passbook_schema::WRITER).await;
    passbook_demo::install(&mut writer, tests::app::TODAY).await.expect("the demo household is loaded");
    let token = app.token(passbook_demo::USER_ID).await;
    (app, token)
}
