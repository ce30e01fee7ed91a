//! Revoked grants are refused on the next request: on an open connection and on every server of a deployment.

use passbook_domain::access::SessionId;
use passbook_domain::scope::Scope;
use passbook_ingest::Revocation;
use passbook_records::record::{OauthSession, Record};
use tests::app::App;
use tests::pooler::Pooler;
use tests::tenant_pair::Tenant;
use tokio_postgres::Client;

use super::{Caller, Connection, Server};
use tests::catalogue::listed;

/// The grant that a case revokes.
#[derive(Clone, Copy, Debug)]
enum Revoked {
    Token,
    Client,
    Consent,
    /// The consent to a client of everyone, without a stored row.
    UnrecordedConsent,
    Session,
    UnrecordedSession,
}

use Revoked::{Client as OfClient, Consent, Session, Token, UnrecordedConsent, UnrecordedSession};

/// The revoked grant, the session of the token, the result of the revocation, and the status of two callers afterwards:
/// the caller whose grant is revoked, and another caller.
const CASES: &[(Revoked, Option<&str>, Revocation, u16, u16)] = &[
    (Token, None, Revocation::Done, 401, 200),
    (OfClient, None, Revocation::Done, 401, 401),
    (OfClient, Some(RECORDED), Revocation::Done, 401, 401),
    (Consent, None, Revocation::Done, 401, 200),
    (UnrecordedConsent, None, Revocation::Unrecorded, 401, 200),
    (Session, Some(RECORDED), Revocation::Done, 401, 200),
    (UnrecordedSession, Some(UNRECORDED), Revocation::Unrecorded, 401, 200),
    // A token without a session, or of another session, stays valid.
    (Session, None, Revocation::Done, 200, 200),
    (UnrecordedSession, Some(RECORDED), Revocation::Unrecorded, 200, 200),
];

/// Of this number of cases, an ordinary test run revokes one behind a pooler.
const POOLER_STEP: usize = 4;

const RECORDED: &str = "5e551011-0000-4000-8000-000000000001";
const UNRECORDED: &str = "5e551011-0000-4000-8000-000000000002";
const CONNECTOR: &str = "connector";

struct Deployment {
    one: Tenant,
    other: Tenant,
}

impl Deployment {
    /// Replaces the rows of an application by those of two people, a client of one, a connector of both, and one
    /// recorded session.
    async fn load(app: &App) -> Deployment {
        app.write("delete from passbook.users; delete from passbook.oauth_clients").await;
        let [one, other] = app.add_tenants().await;
        app.add_client(CONNECTOR, None, Scope::ALL, true).await;
        app.write(&format!(
            "insert into passbook.oauth_consents (user_id, client_id) values ('{}', '{CONNECTOR}')",
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
        Deployment { one, other }
    }

    /// The caller whose grant is revoked, and another caller who has everything else in common.
    fn callers(&self, revoked: Revoked, session: Option<&str>) -> [Caller; 2] {
        let (user, other) = (self.one.household.user.user_id, self.other.household.user.user_id);
        match revoked {
            Token => [Caller::Token(self.one.token.clone()), Caller::Token(self.other.token.clone())],
            Consent => {
                [Caller::client(user, &self.one.client_id(), session), Caller::Token(self.one.token.clone())]
            }
            // The other person's session has the same identifier, but is another session.
            _ => [Caller::client(user, CONNECTOR, session), Caller::client(other, CONNECTOR, session)],
        }
    }

    async fn revoke(&self, revoked: Revoked, writer: &Client) -> Revocation {
        let user = self.one.household.user.user_id;
        let session = |id: &str| SessionId::parse(id).expect("the identifier is valid");
        let revocation = match revoked {
            Token => passbook_ingest::tokens::revoke(writer, self.one.token_id).await,
            OfClient => passbook_ingest::clients::revoke(writer, CONNECTOR).await,
            Consent => passbook_ingest::consents::revoke(writer, user, &self.one.client_id()).await,
            UnrecordedConsent => passbook_ingest::consents::revoke(writer, user, CONNECTOR).await,
            Session => passbook_ingest::sessions::revoke(writer, user, &session(RECORDED)).await,
            UnrecordedSession => passbook_ingest::sessions::revoke(writer, user, &session(UNRECORDED)).await,
        };
        revocation.expect("the revocation succeeds")
    }
}

/// Revokes the grants of every `step`-th case, each between two requests on four open connections: two callers on two
/// servers. The servers run with the settings `environment` and connect to the database as `reader` states.
async fn check_cases(app: &App, environment: &[(&str, &str)], reader: tokio_postgres::Config, step: usize) {
    let servers =
        [Server::start(reader.clone(), environment).await, Server::start(reader, environment).await];
    let writer = app.database.connect(passbook_schema::WRITER).await;
    for &(revoked, session, result, status, neighbour) in CASES.iter().step_by(step) {
        let deployment = Deployment::load(app).await;
        let mut connections = Vec::new();
        for (caller, after) in deployment.callers(revoked, session).iter().zip([status, neighbour]) {
            for (number, server) in servers.iter().enumerate() {
                let mut connection = Connection::to(server, caller).await;
                assert_eq!(connection.status("/v1/cashflow/summary").await, 200, "{revoked:?}");
                assert_eq!(connection.call("get_cashflow_summary").await.0.as_u16(), 200, "{revoked:?}");
                connections.push((connection, number, after));
            }
        }
        assert_eq!(deployment.revoke(revoked, &writer).await, result, "{revoked:?}");
        for (connection, server, after) in &mut connections {
            let expected = (*after, (*after == 401).then_some("UNAUTHORIZED"));
            let rest = connection.status_and_code("/v1/cashflow/summary").await;
            let called = connection.call("get_cashflow_summary").await;
            for (surface, (status, code)) in [("REST", rest), ("tools", called)] {
                assert_eq!(
                    (status.as_u16(), code.as_deref()),
                    expected,
                    "{revoked:?} {session:?} on server {server} over {surface}"
                );
            }
        }
        assert_eq!(deployment.revoke(revoked, &writer).await, Revocation::Already, "{revoked:?}");
    }
}

#[tokio::test]
async fn revoked_grant_is_refused_on_the_next_request_on_every_server() {
    let app = App::start().await;
    check_cases(&app, &[], app.database.configuration(passbook_schema::READER), 1).await;
}

#[tokio::test]
async fn revoked_grant_is_refused_on_the_next_request_behind_a_pooler() {
    let app = App::start().await;
    let pooler = Pooler::start(app.database.configuration(passbook_schema::READER));
    check_cases(&app, &[UNPREPARED], pooler.configuration(), tests::cases(POOLER_STEP, 1)).await;
}

/// The setting for a pooler without prepared statements.
const UNPREPARED: (&str, &str) = ("PASSBOOK_DATABASE_PREPARED_STATEMENTS", "false");

#[tokio::test]
async fn every_operation_works_behind_a_pooler_without_prepared_statements_only() {
    let app = App::start().await;
    let deployment = Deployment::load(&app).await;
    let caller = Caller::Token(deployment.one.token.clone());
    let pooler = Pooler::start(app.database.configuration(passbook_schema::READER));
    let mut direct = Connection::open(&app.database, &caller).await;
    let mut pooled = Connection::through(pooler.configuration(), &[UNPREPARED], &caller).await;
    for round in 1..=3 {
        for operation in listed() {
            let path = operation.spec.path;
            assert_eq!(pooled.get(path).await, direct.get(path).await, "{path}, round {round}");
        }
    }
    // With prepared statements the requests fail, which proves that the pooler changes connections.
    let mut prepared = Connection::through(pooler.configuration(), &[], &caller).await;
    let status = prepared.status_and_code("/v1/cashflow/summary").await.0;
    assert!(status.is_server_error(), "{status}");
}
