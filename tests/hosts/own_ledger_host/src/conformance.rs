//! The books pass the conformance kit.

use std::sync::Arc;

use passbook_domain::access::{Credential, GrantReference, SessionId};
use passbook_domain::person::UserId;
use passbook_ledger_kit::{Grant, LedgerData, OpenLedger, Subject, check, sample};
use uuid::Uuid;

use crate::books::Books;

/// The books with the sample of the kit.
struct SampleBooks {
    books: Arc<Books>,
    people: Vec<(Uuid, String)>,
}

fn sample_books(sample: LedgerData) -> SampleBooks {
    let rates = sample.rates().expect("rates");
    let people = sample.people.into_iter().map(|person| (person.id, person)).collect();
    let books = Books::new(people, rates, Some(sample.today));
    SampleBooks { people: books.people(), books: Arc::new(books) }
}

impl Subject for SampleBooks {
    #[expect(clippy::disallowed_methods, reason = "the test is the sign-in")]
    fn open(&self, person: &str, grant: Grant) -> Option<OpenLedger> {
        let user = self.people.iter().find(|(_, name)| name == person)?.0;
        let session = |of| {
            let session = self.books.sign_in(of);
            GrantReference::Host { id: SessionId::parse(&session).expect("a session identifier") }
        };
        let grant = match grant {
            // A session has every scope, and serves no tools.
            Grant::Full | Grant::RestOnly => session(user),
            Grant::Spending => GrantReference::PersonalAccessToken(user),
            Grant::Revoked => {
                let ended = session(user);
                self.books.sign_out(&ended);
                ended
            }
            Grant::OfAnotherPerson => session(Uuid::from_u128(99)),
            // Sessions and tokens of this host end, but do not expire.
            Grant::Expired => return None,
        };
        let credential = Credential::new(UserId::from_authenticated(user), grant);
        Some(OpenLedger { ledger: self.books.ledger(), credential })
    }
}

#[tokio::test]
async fn books_pass_the_conformance_kit() {
    let report = check(&sample_books(sample())).await;
    assert!(report.is_conforming(), "{report}");
    assert_eq!(report.skipped, ["expired-grant-reads-nothing", "snapshot-answers-like-the-ledger"]);
}
