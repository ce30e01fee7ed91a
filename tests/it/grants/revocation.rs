//! Whatever is taken back is refused at the next request: on the same connection, and on every server of a deployment.

use std::cell::RefCell;

use domain::access::SessionId;
use domain::scope::Scope;
use formats::record::{OauthSession, Record};
use ingest::revocation::Revocation;
use tests::app::App;
use tests::pooler::Pooler;
use tests::tenant_pair::Tenant;
use tokio_postgres::Client;

use super::served::{Caller, Connection};
use tests::catalogue::listed;

/// What is taken back.
#[derive(Clone, Copy, Debug)]
enum Taken {
    Token,
    Client,
    Consent,
    /// Of a client that everybody may use, without a consent row.
    UnrecordedConsent,
    Session,
    UnrecordedSession,
}

use Taken::{Client as OfClient, Consent, Session, Token, UnrecordedConsent, UnrecordedSession};

/// What is taken back, the session that the token names, what the revocation says, and how each of two callers is
/// answered after: the one it is taken from, and a neighbour.
const CASES: &[(Taken, Option<&str>, Revocation, u16, u16)] = &[
    (Token, None, Revocation::Done, 401, 200),
    (OfClient, None, Revocation::Done, 401, 401),
    (OfClient, Some(RECORDED), Revocation::Done, 401, 401),
    (Consent, None, Revocation::Done, 401, 200),
    (UnrecordedConsent, None, Revocation::Unrecorded, 401, 200),
    (Session, Some(RECORDED), Revocation::Done, 401, 200),
    (UnrecordedSession, Some(UNRECORDED), Revocation::Unrecorded, 401, 200),
    // A token that names no session, or another, is not of the one that ended.
    (Session, None, Revocation::Done, 200, 200),
    (UnrecordedSession, Some(RECORDED), Revocation::Unrecorded, 200, 200),
];

const RECORDED: &str = "5e551011-0000-4000-8000-000000000001";
const UNRECORDED: &str = "5e551011-0000-4000-8000-000000000002";
const CONNECTOR: &str = "connector";

struct Deployment {
    app: App,
    one: Tenant,
    other: Tenant,
}

impl Deployment {
    /// Two people, a client of one and a connector of both, one session recorded.
    async fn start() -> Deployment {
        let app = App::start().await;
        let [one, other] = Tenant::pair();
        for tenant in [&one, &other] {
            app.load(tenant.records()).await;
        }
        app.write(&format!(
            "insert into passbook.oauth_clients (client_id, kind, name, scopes) \
             values ('{CONNECTOR}', 'known_mcp', 'Connector', '{{{}}}'); \
             insert into passbook.oauth_consents (user_id, client_id) values ('{}', '{CONNECTOR}')",
            Scope::ALL.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(","),
            other.household.user.user_id
        ))
        .await;
        let session = OauthSession {
            user_id: one.household.user.user_id,
            session_id: RECORDED.to_owned(),
            client_id: Some(CONNECTOR.to_owned()),
            created_at: "2026-11-20T06:12:03Z".parse().expect("a timestamp"),
            revoked_at: None,
        };
        app.load([Record::OauthSession(session)]).await;
        Deployment { app, one, other }
    }

    /// Who asks, and a neighbour who shares everything with them but what is taken.
    fn callers(&self, taken: Taken, session: Option<&str>) -> [Caller; 2] {
        let (user, other) = (self.one.household.user.user_id, self.other.household.user.user_id);
        match taken {
            Token => [Caller::Token(self.one.token.clone()), Caller::Token(self.other.token.clone())],
            Consent => {
                [Caller::client(user, &self.one.client_id(), session), Caller::Token(self.one.token.clone())]
            }
            // The same session identifier as another person's: theirs is another session.
            _ => [Caller::client(user, CONNECTOR, session), Caller::client(other, CONNECTOR, session)],
        }
    }

    async fn take(&self, taken: Taken, writer: &Client) -> Revocation {
        let user = self.one.household.user.user_id;
        let session = |id: &str| SessionId::parse(id).expect("it is one");
        let revocation = match taken {
            Token => ingest::tokens::revoke(writer, self.one.token_id).await,
            OfClient => ingest::clients::revoke(writer, CONNECTOR).await,
            Consent => ingest::consents::revoke(writer, user, &self.one.client_id()).await,
            UnrecordedConsent => ingest::consents::revoke(writer, user, CONNECTOR).await,
            Session => ingest::sessions::revoke(writer, user, &session(RECORDED)).await,
            UnrecordedSession => ingest::sessions::revoke(writer, user, &session(UNRECORDED)).await,
        };
        revocation.expect("the writer may")
    }
}

/// Takes each thing back between two requests on each of four connections, of which two are the neighbour's: to two
/// servers, which reach the database with these settings and as `way` says.
async fn every_case(environment: &[(&str, &str)], way: impl Fn(&App) -> tokio_postgres::Config) {
    for &(taken, session, said, status, neighbour) in CASES {
        let deployment = Deployment::start().await;
        let reader = way(&deployment.app);
        let mut connections = Vec::new();
        for (caller, after) in deployment.callers(taken, session).iter().zip([status, neighbour]) {
            for server in 1..=2 {
                let mut connection = Connection::through(reader.clone(), environment, caller).await;
                assert_eq!(connection.ask("/v1/cashflow/summary").await.0.as_u16(), 200, "{taken:?}");
                assert_eq!(connection.call("get_cashflow_summary").await.0.as_u16(), 200, "{taken:?}");
                connections.push((connection, server, after));
            }
        }
        let writer = deployment.app.database.connect(schema::WRITER).await;
        assert_eq!(deployment.take(taken, &writer).await, said, "{taken:?}");
        for (connection, server, after) in &mut connections {
            let expected = (*after, (*after == 401).then_some("UNAUTHORIZED"));
            let asked = connection.ask("/v1/cashflow/summary").await;
            let called = connection.call("get_cashflow_summary").await;
            for (surface, (status, code)) in [("REST", asked), ("tools", called)] {
                assert_eq!(
                    (status.as_u16(), code.as_deref()),
                    expected,
                    "{taken:?} {session:?} on server {server} over {surface}"
                );
            }
        }
        assert_eq!(deployment.take(taken, &writer).await, Revocation::Already, "{taken:?}");
    }
}

#[tokio::test]
async fn what_is_taken_back_is_refused_at_the_next_request_on_every_server() {
    every_case(&[], |app| app.database.configuration(schema::READER)).await;
}

#[tokio::test]
async fn so_it_is_through_a_pooler_that_gives_each_transaction_another_connection() {
    let poolers = RefCell::new(Vec::new());
    let way = |app: &App| {
        let pooler = Pooler::start(app.database.configuration(schema::READER));
        let through = pooler.configuration();
        poolers.borrow_mut().push(pooler);
        through
    };
    every_case(&[UNPREPARED], way).await;
}

/// What an operator says behind such a pooler.
const UNPREPARED: (&str, &str) = ("PASSBOOK_DATABASE_PREPARED_STATEMENTS", "false");

#[tokio::test]
async fn every_operation_answers_through_such_a_pooler_and_only_unprepared() {
    let deployment = Deployment::start().await;
    let caller = Caller::Token(deployment.one.token.clone());
    let pooler = Pooler::start(deployment.app.database.configuration(schema::READER));
    let mut direct = Connection::open(&deployment.app.database, &caller).await;
    let mut pooled = Connection::through(pooler.configuration(), &[UNPREPARED], &caller).await;
    for turn in 1..=3 {
        for operation in listed() {
            let path = operation.spec.path;
            assert_eq!(pooled.answer(path).await, direct.answer(path).await, "{path}, turn {turn}");
        }
    }
    // The pooler is one: a prepared statement is lost in it, which no answer hides.
    let mut prepared = Connection::through(pooler.configuration(), &[], &caller).await;
    let status = prepared.ask("/v1/cashflow/summary").await.0;
    assert!(status.is_server_error(), "{status}");
}
