//! The tool server: HTTP rules, protocol rules of both eras, arguments, access, schemas, pictures and size of responses.

mod arguments;
mod assistant;
mod fuzz;
mod protocol;
mod response_size;
mod schemas;
mod tool_route_parity;

use tests::app::App;

/// Starts the application with the demo household. Returns a token.
async fn demo() -> (App, String) {
    let app = App::demo_household().await;
    let token = app.token(passbook_demo::USER_ID).await;
    (app, token)
}
