//! The session of a transaction, `open_session.sql`: its parameters, and its row with the grant, the person and the resolved
//! days of the request.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::civil::Date;
use passbook_domain::access::{Access, GrantReference};
use passbook_domain::category::ExpenseCategory;
use passbook_domain::label::Label;
use passbook_domain::month_start::MonthStart;
use passbook_domain::names::NameKind;
use passbook_domain::person::{Person, Surfaces};
use passbook_domain::ports::ReadError;
use passbook_domain::range::{Days, ResolvedDays};
use passbook_domain::scope::Scope;
use passbook_domain::{Currency, Invalid};
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use crate::error::Error;
use crate::row::Row;

/// The parameters of `open_session.sql`. [`SessionParameters::as_sql`] returns them in the order of the SQL file.
pub(crate) struct SessionParameters {
    user: Uuid,
    /// Kind and reference of the credential, and its session.
    credential: (&'static str, String, Option<String>),
    /// First and last day.
    days: [Option<Date>; 2],
    time_range: Option<&'static str>,
    /// Year and month.
    month: [Option<i32>; 2],
    today: Option<Date>,
    with_names: bool,
    /// True if queries follow, which read the days.
    with_days: bool,
}

impl SessionParameters {
    pub(crate) fn new(
        access: &Access<'_>,
        days: &Days,
        today: Option<Date>,
        with_names: bool,
        with_days: bool,
    ) -> SessionParameters {
        let caller = access.credential();
        let credential = match caller.grant() {
            GrantReference::PersonalAccessToken(token) => ("personal_access_token", token.to_string(), None),
            GrantReference::OauthClient { client_id, session_id } => {
                ("oauth_client", client_id.clone(), session_id.as_ref().map(|id| id.as_str().to_owned()))
            }
            GrantReference::Host { id } => ("host", id.as_str().to_owned(), None),
            // No grant has this kind, so a reference that this version does not know gives no access.
            _ => ("unknown", String::new(), None),
        };
        let (days, time_range, month) = match days {
            Days::Range(range) => {
                let period = range.period().map(|period| period.as_str());
                let time_range = period.or(range.time_range().map(|range| range.as_str()));
                ([range.from(), range.to()], time_range, [None; 2])
            }
            Days::Month { year, month } => {
                ([None; 2], Some("month"), [year.map(i32::from), month.map(i32::from)])
            }
        };
        let user = caller.user().as_uuid();
        SessionParameters { user, credential, days, time_range, month, today, with_names, with_days }
    }

    pub(crate) fn as_sql(&self) -> [&(dyn ToSql + Sync); 12] {
        let SessionParameters { user, credential, days, time_range, month, today, with_names, with_days } =
            self;
        let ((kind, reference, session), [from, to], [year, month]) = (credential, days, month);
        [user, kind, reference, from, to, time_range, year, month, today, session, with_names, with_days]
    }
}

/// Checks that the grant allows the access. Returns the surfaces that the grant allows, and its scopes.
///
/// # Errors
/// [`ReadError::Revoked`] if there is no grant or the grant is revoked, [`ReadError::Expired`],
/// [`ReadError::Forbidden`] if the grant does not serve this user or surface, or [`ReadError::MissingScope`].
pub(crate) fn authorize(session: Row<'_>, access: &Access<'_>) -> Result<(Surfaces, Vec<Scope>), ReadError> {
    // Null without a grant.
    if session.get::<Option<bool>>("revoked")?.unwrap_or(true) {
        return Err(ReadError::Revoked);
    }
    if session.get::<bool>("expired")? {
        return Err(ReadError::Expired);
    }
    let surfaces = Surfaces { rest: session.get("rest")?, mcp: session.get("mcp")? };
    let stored: Vec<&str> = session.get("scopes")?;
    let surface_allowed = access.is_surface_allowed(surfaces, stored.iter().copied());
    let owner: Option<Uuid> = session.get("owner_user_id")?;
    if !surface_allowed || owner.is_some_and(|owner| owner != access.credential().user().as_uuid()) {
        return Err(ReadError::Forbidden);
    }
    // A grant may have scopes that only a host or a later version of the service knows.
    let granted = access.granted_scopes(stored);
    access.check_scope(&granted)?;
    Ok((surfaces, granted))
}

/// Returns the person in the result row of `open_session.sql`.
pub(crate) fn person(session: Row<'_>, access: &Access<'_>) -> Result<Person, Error> {
    let excluded: Vec<&str> = session.get("excluded_categories")?;
    let excluded = excluded.into_iter().map(ExpenseCategory::parse).collect::<Result<Vec<_>, _>>();
    let excluded = excluded.map_err(|source| session.inconsistent("excluded_categories", source))?;
    let email: String = session.get("email")?;
    let currency = session.parsed("preferred_currency", Currency::parse)?;
    let time_zone: String = session.get("time_zone")?;
    let person = Person::new(access.credential().user(), email, currency, time_zone, session.get("today")?);
    let month_start =
        i16::try_from(session.get::<i32>("month_start")?).ok().and_then(MonthStart::from_number);
    let month_start =
        month_start.ok_or_else(|| session.inconsistent("month_start", Invalid::new("must be 0 to 28")))?;
    Ok(person.with_month_start(month_start).with_excluded_categories(excluded))
}

/// Stored facts about a person's transactions, by which a request knows without a query if it needs a further one.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    /// The scopes of the grant.
    pub(crate) granted: Vec<Scope>,
    /// True if a missing end of the range leaves out rows, before other filters are applied.
    pub(crate) has_planned: bool,
    /// True if the amount of some transaction cannot be converted.
    pub(crate) has_unconverted: bool,
}

/// Returns the facts in the result row of `open_session.sql`. `granted` are the scopes of the grant.
pub(crate) fn facts(session: Row<'_>, granted: Vec<Scope>) -> Result<Facts, Error> {
    Ok(Facts {
        granted,
        // Null if no row is later, and for a range with a last day.
        has_planned: session.get::<Option<bool>>("has_planned")?.unwrap_or(false),
        has_unconverted: session.get("has_unconverted")?,
    })
}

/// Returns the resolved first and last day of the request; `None` for an open end.
pub(crate) fn resolved_days(session: Row<'_>) -> Result<ResolvedDays, Error> {
    Ok(ResolvedDays { first: session.get("first_day")?, last: session.get("last_day")? })
}

/// The names of a user's accounts and of their banks, of own categories and of tags, by kind and identifier.
pub(crate) struct Names(BTreeMap<(NameKind, Uuid), Named>);

/// A name, and that of the bank of an account.
type Named = (Arc<str>, Option<Arc<str>>);

impl Names {
    /// Reads the column `names` of the result row of `open_session.sql`: kind, identifier, name and bank, in turns.
    pub(crate) fn new(session: Row<'_>) -> Result<Names, Error> {
        let texts: Vec<Option<&str>> = session.get("names")?;
        let named = texts.chunks(4).map(|parts| {
            let [Some(kind), Some(id), Some(name), bank] = parts else {
                return Err(session.inconsistent("names", "a name lacks a part"));
            };
            let kind = NameKind::parse(kind).map_err(|source| session.inconsistent("names", source))?;
            let id = Uuid::parse_str(id).map_err(|source| session.inconsistent("names", source))?;
            Ok(((kind, id), (Arc::from(*name), bank.map(Arc::from))))
        });
        Ok(Names(named.collect::<Result<_, Error>>()?))
    }

    /// Returns the names of an account and of its bank.
    pub(crate) fn account(&self, id: Uuid) -> Option<&Named> {
        self.0.get(&(NameKind::Account, id))
    }

    /// Returns an own category or a tag.
    pub(crate) fn label(&self, kind: NameKind, id: Uuid) -> Option<Label> {
        self.0.get(&(kind, id)).map(|(name, _)| Label { id, name: name.as_ref().to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use passbook_domain::access::{Credential, GrantReference};
    use passbook_domain::person::UserId;
    use passbook_domain::scope::Surface;
    use tokio_postgres::types::Type;

    use super::*;
    use crate::fixture::{Fixture, fault};
    use crate::query::OPEN_SESSION;
    use crate::row::Rows;

    const USER: Uuid = Uuid::from_u128(1);

    fn session() -> Fixture {
        Fixture::new()
            .with("revoked", &Type::BOOL, Some(false))
            .with("expired", &Type::BOOL, false)
            .with("rest", &Type::BOOL, true)
            .with("mcp", &Type::BOOL, false)
            .with("owner_user_id", &Type::UUID, Some(USER))
            .with("scopes", &Type::TEXT_ARRAY, vec!["spending:read"])
            .with("email", &Type::TEXT, "ada@example.org")
            .with("preferred_currency", &Type::TEXT, "EUR")
            .with("time_zone", &Type::TEXT, "Europe/Berlin")
            .with("month_start", &Type::INT4, 1_i32)
            .with("today", &Type::DATE, date(2026, 11, 21))
            .with("excluded_categories", &Type::TEXT_ARRAY, vec!["VACATION", "RENT"])
            .with("first_day", &Type::DATE, None::<Date>)
            .with("last_day", &Type::DATE, Some(date(2026, 11, 21)))
    }

    #[expect(clippy::disallowed_methods, reason = "the test is the caller of the ledger")]
    fn decide(
        session: Fixture,
        surface: Option<Surface>,
        scope: Option<Scope>,
    ) -> Result<Surfaces, ReadError> {
        let user = UserId::from_authenticated(USER);
        let credential = Credential::new(user, GrantReference::PersonalAccessToken(Uuid::nil()));
        let credential = match surface {
            Some(surface) => credential.through(surface),
            None => credential,
        };
        let rows = Rows::new(&OPEN_SESSION, [session]);
        let (surfaces, _) =
            authorize(rows.first().expect("one row"), &Access::for_operation(&credential, scope))?;
        Ok(surfaces)
    }

    #[expect(clippy::disallowed_methods, reason = "the test is the caller of the ledger")]
    fn read_person(session: Fixture) -> Result<Person, Error> {
        let user = UserId::from_authenticated(USER);
        let credential = Credential::new(user, GrantReference::PersonalAccessToken(Uuid::nil()));
        let rows = Rows::new(&OPEN_SESSION, [session]);
        person(rows.first().expect("one row"), &Access::for_operation(&credential, None))
    }

    #[test]
    fn live_grant_with_the_scope_allows_the_access() {
        for surface in [Some(Surface::Rest), None] {
            let surfaces = decide(session(), surface, Some(Scope::SpendingRead)).expect("allowed");
            assert!(surfaces.rest && !surfaces.mcp);
        }
        decide(session(), None, None).expect("any live grant may call an operation without a scope");
        let shared = session().with("owner_user_id", &Type::UUID, None::<Uuid>);
        decide(shared, None, None).expect("a grant without an owner serves every user");
    }

    #[test]
    fn missing_or_revoked_grant_is_revoked() {
        for revoked in [None, Some(true)] {
            let denied = decide(session().with("revoked", &Type::BOOL, revoked), None, None);
            assert!(matches!(denied, Err(ReadError::Revoked)), "{revoked:?}");
        }
        let both = session().with("revoked", &Type::BOOL, true).with("expired", &Type::BOOL, true);
        assert!(matches!(decide(both, None, None), Err(ReadError::Revoked)), "revocation takes precedence");
    }

    #[test]
    fn expired_grant_is_expired() {
        let denied = decide(session().with("expired", &Type::BOOL, true), None, None);
        assert!(matches!(denied, Err(ReadError::Expired)));
    }

    #[test]
    fn other_surface_or_owner_is_forbidden() {
        assert!(matches!(decide(session(), Some(Surface::Mcp), None), Err(ReadError::Forbidden)));
        let foreign = session().with("owner_user_id", &Type::UUID, Some(Uuid::from_u128(2)));
        assert!(matches!(decide(foreign, None, None), Err(ReadError::Forbidden)));
    }

    #[test]
    fn scope_must_be_in_the_grant() {
        let denied = decide(session(), None, Some(Scope::TransactionsRead));
        let Err(ReadError::MissingScope(missing)) = denied else { panic!("{denied:?}") };
        assert_eq!((missing.required, missing.held), (Scope::TransactionsRead, vec![Scope::SpendingRead]));
        let similar = session().with("scopes", &Type::TEXT_ARRAY, vec!["spending:read2", "spending"]);
        assert!(decide(similar, None, Some(Scope::SpendingRead)).is_err());
    }

    #[test]
    fn scope_and_surface_of_a_host_are_read_from_the_stored_scopes() {
        let own = || session().with("scopes", &Type::TEXT_ARRAY, vec!["receipts:read", "surface:json-rpc"]);
        let receipts = Some(Scope::host("receipts:read"));
        decide(own(), Some(Surface::host("json-rpc")), receipts).expect("the grant names both");
        assert!(matches!(decide(session(), None, receipts), Err(ReadError::MissingScope(_))));
        let other = decide(own(), Some(Surface::host("graphql")), receipts);
        assert!(matches!(other, Err(ReadError::Forbidden)));
    }

    #[test]
    fn null_in_the_decision_denies_access() {
        for column in ["expired", "rest", "mcp"] {
            let denied = decide(session().with(column, &Type::BOOL, None::<bool>), None, None);
            assert!(matches!(denied, Err(ReadError::Broken(_))), "{column}");
        }
        let denied = decide(session().with("scopes", &Type::TEXT_ARRAY, None::<Vec<&str>>), None, None);
        assert!(matches!(denied, Err(ReadError::Broken(_))));
    }

    #[test]
    fn person_has_the_values_of_the_row() {
        let person = read_person(session()).expect("a person");
        assert_eq!((person.email.as_str(), person.today), ("ada@example.org", date(2026, 11, 21)));
        assert_eq!(person.time_zone, "Europe/Berlin");
        let sorted = [ExpenseCategory::Rent, ExpenseCategory::Vacation];
        assert_eq!(person.excluded_categories, sorted);
        let rows = Rows::new(&OPEN_SESSION, [session()]);
        let days = resolved_days(rows.first().expect("one row")).expect("days");
        assert_eq!((days.first, days.last), (None, Some(date(2026, 11, 21))));
    }

    #[test]
    fn name_that_lacks_a_part_names_query_and_column() {
        for names in [vec![Some("tag"), None, Some("Trip"), None], vec![Some("tag")]] {
            let row = session().with("names", &Type::TEXT_ARRAY, names);
            let read = Names::new(Rows::new(&OPEN_SESSION, [row]).first().expect("one row"));
            assert_eq!(fault(&read.err().expect("a part is missing")).0, "open_session.names");
        }
    }

    #[test]
    fn unknown_excluded_category_names_query_and_column() {
        let row = session().with("excluded_categories", &Type::TEXT_ARRAY, vec!["RENT", "NO_SUCH_WORD"]);
        let error = read_person(row).expect_err("unknown category");
        assert_eq!(fault(&error).0, "open_session.excluded_categories");
    }
}
