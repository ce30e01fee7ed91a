//! Twins: one household as often as wanted, each for another person. They have banks, accounts, merchants, dates,
//! currencies and budgets in common, and every row of one has a mark that no row of another has.
//!
//! A mark is a word in the texts of a row, the last twelve digits of each identifier (the rest is the same for every
//! twin, so the rows of twins lie side by side in every order), and the size of amounts: those of one twin are those
//! of another times a factor.

mod ledger;
mod portfolio;

use auth::personal_access_token::PlainToken;
use domain::category::{Category, ExpenseCategory, IncomeCategory};
use domain::scope::Scope;
use formats::record::{PersonalAccessToken, Record};
use jiff::{Timestamp, ToSpan as _};
use uuid::Uuid;

use crate::household::Household;

/// Days that a twin's token lives.
const TOKEN_DAYS: i64 = 90;
/// The number of bytes at the end of an identifier that say whose it is.
const MARK_BYTES: usize = 6;

/// Categories that no twin has.
pub const NOBODYS_CATEGORIES: [Category; 2] =
    [Category::Expense(ExpenseCategory::Veterinary), Category::Income(IncomeCategory::RentalIncome)];

/// One of several households that differ in their marks.
#[derive(Debug)]
pub struct Twin {
    /// The word in its texts: lower-case letters and digits.
    pub word: String,
    /// How much larger its amounts are than those of a twin with the factor one.
    pub factor: i64,
    /// Categories that it has and another twin need not have.
    pub categories: [Category; 2],
    /// The person, their accounts, transactions and budgets.
    pub household: Household,
    /// Everything else about the person, token and all.
    pub others: Vec<Record>,
    /// Their token.
    pub token: String,
    /// The token's identifier.
    pub token_id: Uuid,
    mark: [u8; MARK_BYTES],
}

impl Twin {
    /// A twin with marks.
    pub fn new(word: &str, factor: i64, expense: ExpenseCategory, income: IncomeCategory) -> Twin {
        let name = Uuid::new_v5(&Uuid::NAMESPACE_OID, word.as_bytes());
        let mark = *name.as_bytes().first_chunk::<MARK_BYTES>().expect("an identifier is longer");
        let token = PlainToken::generate("pbk_");
        let mut twin = Twin {
            word: word.to_owned(),
            factor,
            categories: [Category::Expense(expense), Category::Income(income)],
            household: Household::new(),
            others: Vec::new(),
            token: token.reveal().to_owned(),
            token_id: Uuid::nil(),
            mark,
        };
        twin.token_id = twin.id("token");
        let user = &mut twin.household.user;
        user.email = format!("{word}@twins.example");
        user.excluded_categories = vec![ExpenseCategory::Vacation, expense];
        twin.household.user.user_id = twin.id("user");
        twin.household.accounts = ["checking", "savings", "card", "depot"].map(|name| twin.id(name)).to_vec();
        ledger::fill(&mut twin);
        portfolio::fill(&mut twin);
        twin.others.push(twin.token_record(&token));
        twin
    }

    /// Two twins, of which one is rich: the smallest of its amounts is more than all amounts of the other together.
    pub fn pair() -> [Twin; 2] {
        [
            Twin::new("amaranth", 10_000_000, ExpenseCategory::Tobacco, IncomeCategory::Pension),
            Twin::new("beryl", 1, ExpenseCategory::Gambling, IncomeCategory::Freelance),
        ]
    }

    /// Everything about the person.
    pub fn records(&self) -> Vec<Record> {
        let mut records = vec![Record::User(self.household.user.clone())];
        records.extend(self.others.iter().cloned());
        records.extend(self.household.transactions.iter().cloned().map(Record::Transaction));
        records.extend(self.household.budgets.iter().cloned().map(Record::Budget));
        records
    }

    /// The identifier of a row of this twin. Rows of one name differ between twins in the last twelve digits only.
    pub fn id(&self, name: &str) -> Uuid {
        let mut bytes = *Uuid::new_v5(&Uuid::NAMESPACE_URL, name.as_bytes()).as_bytes();
        bytes[16 - MARK_BYTES..].copy_from_slice(&self.mark);
        Uuid::from_bytes(bytes)
    }

    /// The last twelve digits of each identifier.
    pub fn id_mark(&self) -> String {
        self.mark.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The same as they are stored and sent: the last bytes of each identifier.
    pub fn id_bytes(&self) -> &[u8] {
        &self.mark
    }

    /// A text with the twin's word in it.
    fn marked(&self, text: &str) -> String {
        format!("{text} {}", self.word)
    }

    /// The same where only capitals are allowed.
    fn marked_code(&self, text: &str) -> String {
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

/// An identifier that is nobody's and lies directly beside one that is somebody's: whatever is ordered by identifiers
/// has both in the same place.
pub fn nobodys(id: Uuid) -> Uuid {
    Uuid::from_u128(id.as_u128() ^ 1)
}

/// What the identifiers of every twin's row of one name have in common.
pub fn unmarked(id: Uuid) -> Uuid {
    let mut bytes = *id.as_bytes();
    bytes[16 - MARK_BYTES..].fill(0);
    Uuid::from_bytes(bytes)
}

fn at(text: &str) -> Timestamp {
    text.parse().expect("a timestamp")
}
