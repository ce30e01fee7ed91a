//! The people, rows, sessions and tokens in memory, and the decision who may read which rows.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use passbook_auth::personal_access_token::PlainToken;
use passbook_domain::access::{Access, GrantReference};
use passbook_domain::category::Category;
use passbook_domain::person::Surfaces;
use passbook_domain::ports::{BoxFuture, ReadError, TokenDirectory, TokenHash, TokenOwner};
use passbook_domain::range::parse_date;
use passbook_domain::readiness::{Check, Readiness};
use passbook_domain::scope::Scope;
use passbook_domain::transaction::{Transaction, TransactionType};
use passbook_domain::{Currency, Invalid, Money};
use passbook_ledger_kit::{Grants, MemoryLedger, OpenRows, Rates, StoredPerson};
use uuid::Uuid;

/// The prefix of this host's tokens.
pub const TOKEN_PREFIX: &str = "own_";
/// The scopes and surfaces of other hosts that every session has, as a table would store them.
const STORED: [&str; 2] = ["largest-expenses:read", "surface:json-rpc"];
/// The scopes of every token. A session has all scopes.
pub(crate) const TOKEN_SCOPES: [Scope; 2] = [Scope::SpendingRead, Scope::CashflowRead];

/// The people with their rows, sessions and tokens.
pub struct Books {
    /// True if grants allow the tool server too.
    has_tools: bool,
    people: BTreeMap<Uuid, StoredPerson>,
    rates: Rates,
    sessions: Mutex<HashMap<String, Uuid>>,
    tokens: HashMap<TokenHash, TokenOwner>,
    /// The day that is used as today; `None` for the real day.
    today: Option<Date>,
}

impl std::fmt::Debug for Books {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Books")
    }
}

impl Books {
    /// Creates books of people and exchange rates.
    pub(crate) fn new(people: BTreeMap<Uuid, StoredPerson>, rates: Rates, today: Option<Date>) -> Books {
        Books { has_tools: false, people, rates, sessions: Mutex::default(), tokens: HashMap::new(), today }
    }

    /// Allows the tool server to every grant.
    #[must_use]
    pub fn with_tools(self) -> Books {
        Books { has_tools: true, ..self }
    }

    fn surfaces(&self) -> Surfaces {
        Surfaces { rest: true, mcp: self.has_tools }
    }

    /// Reads rows from text: one row per line,
    /// `person|day|type|category|cents|currency|posted or pending|title|merchant`. People and rows get ascending numbers
    /// as ids.
    ///
    /// # Errors
    /// A line has another number of fields, or a field breaks its rule.
    pub fn read(text: &str) -> Result<Books, Invalid> {
        let mut people: BTreeMap<Uuid, StoredPerson> = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            let fields: Vec<&str> = line.split('|').collect();
            let [name, date, kind, category, cents, currency, state, title, merchant] = fields[..] else {
                return Err(Invalid::new(format!("line {number} must have nine fields")));
            };
            let known = people.values().find(|person| person.name == name).map(|person| person.id);
            let id = known.unwrap_or_else(|| Uuid::from_u128(people.len() as u128 + 1));
            let person = people.entry(id).or_insert_with(|| StoredPerson::new(id, name));
            let cents = cents.parse().map_err(|_| Invalid::new("must be cents"))?;
            let amount = Money::new(cents, Currency::parse(currency)?);
            let (kind, category) = (TransactionType::parse(kind)?, Category::parse(category)?);
            let (id, date) = (Uuid::from_u128(number), parse_date(date)?);
            let mut row = Transaction::new(id, date, kind, category, amount, title);
            row.pending = state == "pending";
            row.merchant_name = (!merchant.is_empty()).then(|| merchant.to_owned());
            person.transactions.push(row);
        }
        Ok(Books::new(people, Rates::new(Currency::EUR), None))
    }

    /// Returns identifier and name of every person.
    pub fn people(&self) -> Vec<(Uuid, String)> {
        self.people.values().map(|person| (person.id, person.name.clone())).collect()
    }

    /// Creates a session with a random identifier of a token's strength.
    pub fn sign_in(&self, person: Uuid) -> String {
        let session = PlainToken::generate("").reveal().to_owned();
        self.sessions().insert(session.clone(), person);
        session
    }

    /// Returns the person whose session it is; `None` if there is no such session.
    pub fn who_is_in(&self, session: &str) -> Option<Uuid> {
        self.sessions().get(session).copied()
    }

    /// Ends the session of a grant.
    pub fn sign_out(&self, grant: &GrantReference) {
        if let GrantReference::Host { id: session } = grant {
            self.sessions().remove(session.as_str());
        }
    }

    /// Creates a token and stores its hash only.
    pub fn give_token(&mut self, person: Uuid) -> PlainToken {
        let token = PlainToken::generate(TOKEN_PREFIX);
        self.tokens.insert(token.hash(), TokenOwner { token: person, user: person });
        token
    }

    /// Returns the ledger over these books.
    pub fn ledger(self: &Arc<Books>) -> Arc<MemoryLedger<Arc<Books>>> {
        Arc::new(MemoryLedger::new(self.clone()))
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<String, Uuid>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the scopes of a grant, or `None` if the grant has ended.
    fn scopes(&self, person: Uuid, grant: &GrantReference) -> Option<&'static [Scope]> {
        match grant {
            GrantReference::Host { id: session } => {
                (self.who_is_in(session.as_str()) == Some(person)).then_some(Scope::ALL)
            }
            GrantReference::PersonalAccessToken(token) => (*token == person).then_some(&TOKEN_SCOPES),
            // A kind of grant that this host does not issue.
            _ => None,
        }
    }
}

impl Grants for Books {
    fn open(&self, access: &Access<'_>) -> Result<OpenRows<'_>, ReadError> {
        let caller = access.credential();
        let person = caller.user().as_uuid();
        let scopes = self.scopes(person, caller.grant()).ok_or(ReadError::Revoked)?;
        if !access.is_surface_allowed(self.surfaces(), STORED) {
            return Err(ReadError::Forbidden);
        }
        access.check_scope(&[scopes, &access.granted_scopes(STORED)].concat())?;
        let person = self.people.get(&person).ok_or(ReadError::Revoked)?;
        let (rates, surfaces) = (&self.rates, self.surfaces());
        Ok(OpenRows { person, rates, surfaces, today: self.today.unwrap_or_else(today) })
    }
}

impl TokenDirectory for Books {
    fn find(&self, hash: TokenHash) -> BoxFuture<'_, Result<Option<TokenOwner>, ReadError>> {
        Box::pin(async move { Ok(self.tokens.get(&hash).copied()) })
    }
}

impl Readiness for Books {
    fn checks(&self) -> BoxFuture<'_, Vec<Check>> {
        Box::pin(async { vec![Check::new("books", Ok(()))] })
    }
}

/// Returns the current day in UTC, where everybody in these books lives.
fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}
