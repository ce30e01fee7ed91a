//! A server that does nothing but read a page of transactions: the statements of the store in one pipeline, and JSON from
//! the rows and the names of their accounts. It has no authentication, checks, limits or log, so it shows the least that a page can cost with the same
//! libraries. `cargo lab bench` compares the server with it.
//!
//! Arguments: the port on loopback, the address of the database, the number of its connections, the identifier of the
//! person and that of a personal access token.

use std::collections::HashMap;
use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use futures_util::future;
use http_body_util::Full;
use hyper::Response;
use hyper::header::CONTENT_TYPE;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use jiff::civil::Date;
use serde::Serialize;
use tokio::net::TcpListener;
use tokio_postgres::{Client, Row, Statement};
use uuid::Uuid;

const OPEN_SESSION: &str = include_str!("../../../crates/store/sql/open_session.sql");
const PAGE: &str = include_str!("../../../crates/store/sql/transactions_date_desc.sql");
/// One row more than the page shows.
const ROWS: i64 = 51;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let [port, database, connections, user, token] = std::env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "expected PORT DATABASE CONNECTIONS USER TOKEN")?;
    let user = Uuid::parse_str(&user)?;
    let mut readers = Vec::new();
    for _ in 0..connections.parse()? {
        readers.push(Reader::connect(&database, user, &token).await?);
    }
    let readers: Arc<[Reader]> = readers.into();
    let next = Arc::new(AtomicUsize::new(0));
    let listener = TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let readers = Arc::clone(&readers);
        // Each connection of a client has a connection to PostgreSQL, so nothing waits for another.
        let reader = next.fetch_add(1, Ordering::Relaxed) % readers.len();
        let service = service_fn(move |_request| {
            let readers = Arc::clone(&readers);
            async move {
                let body = readers[reader].page().await.expect("the database answers");
                let response = Response::builder().header(CONTENT_TYPE, "application/json");
                Ok::<_, Infallible>(response.body(Full::new(body)).expect("the header is valid"))
            }
        });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}

/// A connection to PostgreSQL with its prepared statements.
struct Reader {
    client: Client,
    open_session: Statement,
    page: Statement,
    user: Uuid,
    token: String,
}

impl Reader {
    async fn connect(database: &str, user: Uuid, token: &str) -> Result<Reader, tokio_postgres::Error> {
        let (client, connection) = tokio_postgres::connect(database, tokio_postgres::NoTls).await?;
        tokio::spawn(connection);
        let open_session = client.prepare(OPEN_SESSION).await?;
        let page = client.prepare(PAGE).await?;
        Ok(Reader { client, open_session, page, user, token: token.to_owned() })
    }

    async fn page(&self) -> Result<Bytes, Box<dyn Error>> {
        let none = (None::<Date>, None::<i32>, None::<&str>);
        let (begun, session, rows, ended) = future::join4(
            self.client.batch_execute("begin isolation level repeatable read, read only"),
            self.client.query(
                &self.open_session,
                &[
                    &self.user,
                    &"personal_access_token",
                    &self.token,
                    &none.0,
                    &none.0,
                    &none.2,
                    &none.1,
                    &none.1,
                    &none.0,
                    &none.2,
                    &true,
                    &true,
                ],
            ),
            self.client.query(
                &self.page,
                &[&self.user, &&["EXPENSE", "INCOME"][..], &Date::MAX, &Uuid::max(), &ROWS],
            ),
            self.client.batch_execute("commit"),
        )
        .await;
        begun?;
        ended?;
        let (session, rows) = (session?, rows?);
        assert_eq!(session[0].get::<_, Option<bool>>("revoked"), Some(false));
        let names: Vec<Option<&str>> = session[0].get("names");
        let names = names.as_chunks().0.iter().map(|[_, id, name, bank]| {
            Ok((Uuid::parse_str(id.unwrap_or_default())?, (name.unwrap_or_default(), *bank)))
        });
        let names = names.collect::<Result<_, uuid::Error>>()?;
        let transactions: Vec<Transaction<'_>> =
            rows.iter().take(50).map(|row| Transaction::read(row, &names)).collect();
        let mut body = Vec::with_capacity(32 * 1024);
        serde_json::to_writer(&mut body, &Page { transactions })?;
        Ok(body.into())
    }
}

#[derive(Serialize)]
struct Page<'a> {
    transactions: Vec<Transaction<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Transaction<'a> {
    transaction_id: Uuid,
    date: Date,
    r#type: &'a str,
    category: &'a str,
    amount_cents: i64,
    currency: &'a str,
    title: &'a str,
    pending: bool,
    provider_category: Option<&'a str>,
    merchant_name: Option<&'a str>,
    account_id: Option<Uuid>,
    account_name: Option<&'a str>,
    bank_name: Option<&'a str>,
    linked_transaction_id: Option<Uuid>,
    converted_cents: Option<i64>,
}

impl<'a> Transaction<'a> {
    fn read(row: &'a Row, names: &HashMap<Uuid, (&'a str, Option<&'a str>)>) -> Transaction<'a> {
        let account_id: Option<Uuid> = row.get("account_id");
        let account = account_id.and_then(|id| names.get(&id));
        Transaction {
            transaction_id: row.get("transaction_id"),
            date: row.get("date"),
            r#type: row.get("type"),
            category: row.get("category"),
            amount_cents: row.get("amount_cents"),
            currency: row.get("currency"),
            title: row.get("title"),
            pending: row.get("pending"),
            provider_category: row.get("provider_category"),
            merchant_name: row.get("merchant_name"),
            account_id,
            account_name: account.map(|(name, _)| *name),
            bank_name: account.and_then(|(_, bank)| *bank),
            linked_transaction_id: row.get("linked_transaction_id"),
            converted_cents: row.get("converted_cents"),
        }
    }
}
