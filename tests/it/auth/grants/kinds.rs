//! Kinds of OAuth clients: their users, scopes and surfaces. These rules hold whatever the identity provider has
//! approved.

use passbook_domain::scope::Scope;
use passbook_ingest::clients::{ClientKind, NewClient};
use tests::app::App;
use tests::household::Household;

use super::connection::{Caller, Connection};
use tests::catalogue::listed;

/// A client, and the error code for two people: the owner of a dashboard and another person.
struct Case {
    client_id: &'static str,
    kind: ClientKind,
    scopes: &'static [Scope],
    surfaces: &'static [&'static str],
    owner: Option<&'static str>,
    other: Option<&'static str>,
}

const CASES: &[Case] = &[
    Case {
        client_id: "dashboard",
        kind: ClientKind::PersonalDashboard,
        scopes: Scope::ALL,
        surfaces: &["rest", "mcp"],
        owner: None,
        other: Some("FORBIDDEN"),
    },
    Case {
        client_id: "connector",
        kind: ClientKind::KnownMcp,
        scopes: Scope::ALL,
        surfaces: &["rest", "mcp"],
        owner: None,
        other: None,
    },
    Case {
        client_id: "dashboard-of-tools",
        kind: ClientKind::PersonalDashboard,
        scopes: Scope::ALL,
        surfaces: &["mcp"],
        owner: Some("FORBIDDEN"),
        other: Some("FORBIDDEN"),
    },
    Case {
        client_id: "connector-of-tools",
        kind: ClientKind::KnownMcp,
        scopes: Scope::ALL,
        surfaces: &["mcp"],
        owner: Some("FORBIDDEN"),
        other: Some("FORBIDDEN"),
    },
];

async fn make(app: &App, case: &Case, owner: &Household) {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let scopes: Vec<&str> = case.scopes.iter().map(|scope| scope.as_str()).collect();
    let new = NewClient {
        client_id: case.client_id,
        kind: case.kind.as_str(),
        name: "Test",
        owner: (case.kind == ClientKind::PersonalDashboard).then_some(owner.user.email.as_str()),
        scopes: &words(&scopes),
        surfaces: &words(case.surfaces),
        redirect_uris: &[],
    };
    let writer = app.database.connect(passbook_schema::WRITER).await;
    passbook_ingest::clients::create(&writer, &new).await.expect("the client is valid");
}

async fn two_people() -> (App, Household, Household) {
    let app = App::start().await;
    let (owner, other) = (Household::new(), Household::new());
    for household in [&owner, &other] {
        app.load(household.records()).await;
    }
    (app, owner, other)
}

#[tokio::test]
async fn dashboard_serves_its_owner_only_and_known_client_serves_everyone() {
    let (app, owner, other) = two_people().await;
    for case in CASES {
        make(&app, case, &owner).await;
        for (person, expected) in [(&owner, case.owner), (&other, case.other)] {
            let caller = Caller::client(person.user.user_id, case.client_id, None);
            let mut connection = Connection::open(&app.database, &caller).await;
            for operation in listed() {
                let (status, code) = connection.status_and_code(operation.spec.path).await;
                let wanted = if expected.is_some() { 403 } else { 200 };
                assert_eq!(
                    (status.as_u16(), code.as_deref()),
                    (wanted, expected),
                    "{} of {} for {}",
                    operation.spec.path,
                    case.client_id,
                    person.user.email
                );
            }
        }
    }
}

#[tokio::test]
async fn client_reads_only_data_of_its_scopes() {
    let (app, owner, _) = two_people().await;
    for (client_id, scopes) in [
        ("reads-cashflow", &[Scope::CashflowRead][..]),
        ("reads-the-rest", &[Scope::BanksRead, Scope::PortfolioRead, Scope::PreferencesRead]),
    ] {
        let kind = ClientKind::PersonalDashboard;
        let case = Case { client_id, kind, scopes, surfaces: &["rest"], owner: None, other: None };
        make(&app, &case, &owner).await;
        let caller = Caller::client(owner.user.user_id, client_id, None);
        let mut connection = Connection::open(&app.database, &caller).await;
        for operation in listed() {
            let allowed = operation.spec.scope.is_none_or(|scope| scopes.contains(&scope));
            let wanted = if allowed { (200, None) } else { (403, Some("INSUFFICIENT_SCOPE")) };
            let (status, code) = connection.status_and_code(operation.spec.path).await;
            assert_eq!((status.as_u16(), code.as_deref()), wanted, "{client_id}: {}", operation.spec.path);
        }
    }
}

#[tokio::test]
async fn dashboard_of_a_deleted_owner_serves_nobody() {
    let (app, owner, other) = two_people().await;
    make(&app, &CASES[0], &owner).await;
    let mut connections = Vec::new();
    for (person, first) in [(&owner, 200), (&other, 403)] {
        let caller = Caller::client(person.user.user_id, CASES[0].client_id, None);
        let mut connection = Connection::open(&app.database, &caller).await;
        assert_eq!(connection.status_and_code("/v1/me").await.0.as_u16(), first);
        connections.push(connection);
    }
    app.write(&format!("delete from passbook.users where user_id = '{}'", owner.user.user_id)).await;
    for mut connection in connections {
        assert_eq!(connection.status_and_code("/v1/me").await.0.as_u16(), 401);
    }
}
