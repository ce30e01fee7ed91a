//! The person of a tenant with the marks of its rows.

use jiff::{Timestamp, ToSpan as _};
use passbook_auth::personal_access_token::PlainToken;
use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use passbook_domain::scope::Scope;
use passbook_records::record::{PersonalAccessToken, Record};
use uuid::Uuid;

use crate::household::Household;

/// Lifetime of a tenant's token, in days.
const TOKEN_DAYS: i64 = 90;
/// Number of bytes at the end of an identifier that identify its tenant.
const MARK_BYTES: usize = 6;

/// A person with a complete household whose rows carry the person's mark.
#[derive(Debug)]
pub struct Tenant {
    /// The marker word that the tenant's texts contain: lower-case letters and digits.
    pub word: String,
    /// The factor by which the base amounts are multiplied.
    pub factor: i64,
    /// One expense and one income category that the other tenant of a pair does not use.
    pub categories: [Category; 2],
    /// The person with accounts, transactions and budgets.
    pub household: Household,
    /// All other records of the person, including the personal access token.
    pub other_records: Vec<Record>,
    /// The person's access token, in plain text.
    pub token: String,
    /// The token's identifier.
    pub token_id: Uuid,
    mark: [u8; MARK_BYTES],
}

impl Tenant {
    /// Creates a tenant with a person, account identifiers and a token, but without other records. Returns the tenant
    /// and the record of the token.
    pub(super) fn without_records(
        word: &str,
        factor: i64,
        expense: ExpenseCategory,
        income: IncomeCategory,
    ) -> (Tenant, Record) {
        let name = Uuid::new_v5(&Uuid::NAMESPACE_OID, word.as_bytes());
        let mark = *name.as_bytes().first_chunk::<MARK_BYTES>().expect("an identifier is longer");
        let token = PlainToken::generate("pbk_");
        let mut tenant = Tenant {
            word: word.to_owned(),
            factor,
            categories: [Category::Expense(expense), Category::Income(income)],
            household: Household::new(),
            other_records: Vec::new(),
            token: token.reveal().to_owned(),
            token_id: Uuid::nil(),
            mark,
        };
        tenant.token_id = tenant.id("token");
        let user = &mut tenant.household.user;
        user.email = format!("{word}@tenants.example");
        user.excluded_categories = vec![ExpenseCategory::Vacation, expense];
        tenant.household.user.user_id = tenant.id("user");
        tenant.household.accounts =
            ["checking", "savings", "card", "depot"].map(|name| tenant.id(name)).to_vec();
        let token = tenant.token_record(&token);
        (tenant, token)
    }

    /// Returns all records of the person.
    pub fn records(&self) -> Vec<Record> {
        let mut records = vec![Record::User(self.household.user.clone())];
        records.extend(self.other_records.iter().cloned());
        records.extend(self.household.transactions.iter().cloned().map(Record::Transaction));
        records.extend(self.household.budgets.iter().cloned().map(Record::Budget));
        records
    }

    /// Returns the identifier of the row `name`. For the same name, the identifiers of two tenants differ in the last
    /// twelve digits only.
    pub fn id(&self, name: &str) -> Uuid {
        let mut bytes = *Uuid::new_v5(&Uuid::NAMESPACE_URL, name.as_bytes()).as_bytes();
        bytes[16 - MARK_BYTES..].copy_from_slice(&self.mark);
        Uuid::from_bytes(bytes)
    }

    /// Returns the last twelve digits of every identifier of this tenant.
    pub fn id_mark(&self) -> String {
        self.mark.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns the last bytes of every identifier of this tenant, as PostgreSQL stores and sends them.
    pub fn id_bytes(&self) -> &[u8] {
        &self.mark
    }

    /// Returns `text` followed by the tenant's marker word.
    pub(super) fn marked(&self, text: &str) -> String {
        format!("{text} {}", self.word)
    }

    /// Returns `text` followed by the marker word in capitals, for columns that allow capitals only.
    pub(super) fn marked_code(&self, text: &str) -> String {
        format!("{text}_{}", self.word.to_uppercase())
    }

    fn token_record(&self, token: &PlainToken) -> Record {
        let now = Timestamp::now();
        Record::PersonalAccessToken(PersonalAccessToken {
            user_id: self.household.user.user_id,
            token_id: self.token_id,
            token_hash: *token.hash().as_bytes(),
            name: self.marked("Script"),
            last_four: token.last_four(),
            scopes: Scope::ALL.to_vec(),
            rest: true,
            mcp: true,
            created_at: now,
            expires_at: now + (24 * TOKEN_DAYS).hours(),
            revoked_at: None,
        })
    }
}

/// Returns an identifier that no row has and that sorts directly beside `id`, so that both have the same position in
/// every order by identifier.
pub fn nonexistent_neighbor(id: Uuid) -> Uuid {
    Uuid::from_u128(id.as_u128() ^ 1)
}

/// Returns an identifier without the tenant's mark. The result is equal for the rows of all tenants that have the same
/// name.
pub fn unmarked(id: Uuid) -> Uuid {
    let mut bytes = *id.as_bytes();
    bytes[16 - MARK_BYTES..].fill(0);
    Uuid::from_bytes(bytes)
}

/// Parses a timestamp.
pub(super) fn at(text: &str) -> Timestamp {
    text.parse().expect("a timestamp")
}
