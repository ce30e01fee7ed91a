//! The books pass the conformance kit.

use std::collections::BTreeMap;
use std::sync::Arc;

use passbook_domain::access::{Credential, GrantReference, SessionId};
use passbook_domain::person::UserId;
use passbook_domain::rates::Rates;
use passbook_ledger_check::{Grant, OpenLedger, Sample, Subject, check, sample};
use uuid::Uuid;

use crate::books::{Books, Page};

/// The books with the sample of the kit. The person's number is the place in the sample.
struct SampleBooks {
    books: Arc<Books>,
    names: Vec<&'static str>,
}

fn sample_books(sample: Sample) -> SampleBooks {
    let mut rates = Rates::new(sample.base);
    for rate in &sample.rates {
        rates.insert(rate.currency, rate.day, rate.units_per_base).expect("a rate");
    }
    let names = sample.people.iter().map(|person| person.name).collect();
    let mut people = BTreeMap::new();
    for (number, person) in (1..).zip(sample.people) {
        let mut page = Page::new(person.name);
        page.currency = person.preferred_currency;
        page.time_zone = person.time_zone.to_owned();
        page.excluded = person.excluded_categories;
        page.targets = person.targets;
        page.rows = person.transactions;
        page.assets = person.assets;
        people.insert(Uuid::from_u128(number), page);
    }
    SampleBooks { books: Arc::new(Books::new(people, rates, Some(sample.today))), names }
}

impl Subject for SampleBooks {
    #[expect(clippy::disallowed_methods, reason = "the test is the sign-in")]
    fn open(&self, person: &str, grant: Grant) -> Option<OpenLedger> {
        let place = self.names.iter().position(|name| *name == person)?;
        let user = Uuid::from_u128(place as u128 + 1);
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
        Some(OpenLedger { ledger: self.books.clone(), credential })
    }
}

#[tokio::test]
async fn books_pass_the_conformance_kit() {
    let report = check(&sample_books(sample())).await;
    assert!(report.is_conforming(), "{report}");
    assert_eq!(report.skipped, ["expired-grant-reads-nothing", "snapshot-answers-like-the-ledger"]);
}
