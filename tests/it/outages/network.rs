//! A network between server and database that loses everything, without closing a connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tests::app::{App, TODAY, create_token, load_records, settings};
use tests::database::Database;
use tests::household::Household;
use tests::postgres::Postgres;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

use super::TIMEOUT;

/// A TCP proxy that forwards everything, or loses everything.
struct Network {
    port: u16,
    loses: Arc<AtomicBool>,
}

impl Network {
    async fn start(target: u16) -> Network {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let loses = Arc::new(AtomicBool::new(false));
        let shared = loses.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let Ok(server) = TcpStream::connect(("127.0.0.1", target)).await else { continue };
                let ((from_client, to_client), (from_server, to_server)) =
                    (client.into_split(), server.into_split());
                tokio::spawn(forward(from_client, to_server, shared.clone()));
                tokio::spawn(forward(from_server, to_client, shared.clone()));
            }
        });
        Network { port, loses }
    }

    fn lose(&self, loses: bool) {
        self.loses.store(loses, Ordering::Relaxed);
    }
}

async fn forward(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, loses: Arc<AtomicBool>) {
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(length @ 1..) = from.read(&mut bytes).await {
        if !loses.load(Ordering::Relaxed) && to.write_all(&bytes[..length]).await.is_err() {
            return;
        }
    }
    // The end is lost too.
    if loses.load(Ordering::Relaxed) {
        std::future::pending::<()>().await;
    }
}

#[tokio::test]
async fn network_that_loses_everything_gives_504_until_it_is_back() {
    let postgres = Postgres::start("listen_addresses = '127.0.0.1'\n").await;
    let network = Network::start(postgres.port()).await;
    let url = format!("postgresql://passbook_reader@127.0.0.1:{}/money", network.port);
    let mut settings = settings(&[("PASSBOOK_DATABASE_URL", &url), ("PASSBOOK_REQUEST_SECONDS", "1")]);
    settings.today = Some(TODAY);
    let reader = settings.database.clone().expect("the URL is set");
    let store =
        passbook_server::wiring::store(&settings, reader).await.expect("role and schema pass the check");
    // The application needs a database for its own functions; this test does not use it.
    let app = App::serve(Database::fresh().await, settings, store).await;
    let household = Household::new();
    let mut writer = postgres.session("passbook_writer").await;
    load_records(&mut writer, household.records()).await;
    let (token, _) = create_token(&writer, household.user.user_id).await;
    for round in 1..=2 {
        app.get("/v1/preferences", &token).await.ok();
        network.lose(true);
        for _ in 0..3 {
            let reply = tokio::time::timeout(TIMEOUT, app.get("/v1/preferences", &token)).await;
            let reply = reply.expect("the limit of a request ends it");
            assert_eq!((reply.status.as_u16(), reply.code().as_str()), (504, "TIMEOUT"), "round {round}");
        }
        network.lose(false);
    }
    app.get("/v1/preferences", &token).await.ok();
}
