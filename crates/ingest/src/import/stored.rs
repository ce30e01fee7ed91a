//! Reads the stored files, lines and rules of a person, and computes their transactions. Fingerprints of the texts are
//! compared without keeping the texts in memory.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_matching::line::{LineDetails, fingerprint, payee_fingerprint};
use passbook_matching::meaning::{counter_account, meaning};
use passbook_matching::rules::{Facts, Reason, Rules};
use passbook_matching::transaction::{LineMeaning, OtherSide, Transactions, transactions};
use passbook_matching::{FileStatement, Line, LineId, Resolution, Step, resolve};
use passbook_records::statement::Balance;
use tokio_postgres::{GenericClient, Row, Transaction};
use uuid::Uuid;

use super::accounts::{OwnAccount, own_accounts};
use super::file::{StoredRules, parse_balance_kind, parse_kind};
use crate::load::LoadError;

const STATEMENTS: &str = include_str!("../../sql/import_statements.sql");
const LINES: &str = include_str!("../../sql/import_lines.sql");

/// A stored statement: its file and its position in the file.
#[derive(Clone, Debug)]
pub(super) struct StatementPlace {
    pub(super) file_id: Uuid,
    pub(super) file_name: String,
    pub(super) statement: i32,
    /// Format, with the profile of a CSV file.
    pub(super) format: String,
    /// Index of the first line of the statement.
    pub(super) first_line: u32,
}

/// Everything that decides the transactions of a person's files.
#[derive(Debug)]
pub(super) struct Stored {
    pub(super) places: Vec<StatementPlace>,
    pub(super) statements: Vec<FileStatement>,
    pub(super) lines: Vec<Line>,
    pub(super) meanings: Vec<LineMeaning>,
    /// Fingerprint of the texts that a transaction of each line shows, as [`shown_texts`] returns it.
    pub(super) shown: Vec<u64>,
    pub(super) accounts: Vec<OwnAccount>,
    pub(super) rules: Rules,
    /// True if a line gives an own category, a tag or a note.
    pub(super) has_labels: bool,
}

/// Returns the rules file of a person.
pub async fn rules(client: &impl GenericClient, user_id: Uuid) -> Result<Option<StoredRules>, LoadError> {
    let statement = "select name, rules from passbook.import_rules where user_id = $1";
    let row = client.query_opt(statement, &[&user_id]).await?;
    Ok(row.map(|row| StoredRules { name: row.get(0), text: row.get(1) }))
}

/// Reads everything that decides the transactions of a person's files.
///
/// # Errors
/// A stored rules file that this version cannot read.
pub(super) async fn read(transaction: &Transaction<'_>, user_id: Uuid) -> Result<Stored, LoadError> {
    let rules = match rules(transaction, user_id).await? {
        Some(stored) => Rules::from_toml(&stored.text, &stored.name)
            .map_err(|faults| LoadError::Faults(faults.into_list()))?,
        None => Rules::default(),
    };
    let accounts = own_accounts(transaction, user_id).await?;
    let rows = transaction.query(STATEMENTS, &[&user_id]).await?;
    let mut index = HashMap::new();
    let (mut places, mut statements) = (Vec::new(), Vec::new());
    for (number, row) in (0_u32..).zip(&rows) {
        let (place, statement) = statement(user_id, row);
        index.insert((place.file_id, place.statement), number);
        places.push(place);
        statements.push(statement);
    }
    let names = Names::new(&accounts, &rows);
    let (lines, meanings, texts) = (Vec::new(), Vec::new(), Vec::new());
    let mut stored =
        Stored { places, statements, lines, meanings, shown: texts, accounts, rules, has_labels: false };
    for_each(transaction, LINES, user_id, |row| {
        let statement = index[&(row.get::<_, Uuid>(0), row.get::<_, i32>(1))];
        stored.add(user_id, statement, row, &names);
    })
    .await?;
    Ok(stored)
}

fn statement(user_id: Uuid, row: &Row) -> (StatementPlace, FileStatement) {
    let account: Uuid = row.get("account_id");
    let digest: &[u8] = row.get("digest");
    let (format, profile): (String, Option<String>) = (row.get("format"), row.get("profile"));
    let number: i32 = row.get("statement");
    let removed: Vec<&str> = row.get("withdrawn_ids");
    let place = StatementPlace {
        file_id: row.get("file_id"),
        file_name: row.get("name"),
        statement: number,
        format: profile.as_ref().map_or_else(|| format.clone(), |profile| format!("{format} ({profile})")),
        first_line: u32::MAX,
    };
    let statement = FileStatement {
        account,
        currency: currency(row.get("currency")).unwrap_or(Currency::EUR),
        digest: digest.try_into().expect("a constraint has the length of a digest"),
        index: u32::try_from(number).expect("a constraint forbids negative numbers"),
        origin: format!("{format}/{}", profile.unwrap_or_default()),
        kind: parse_kind(row.get("kind")),
        number: row.get("sequence_number"),
        as_of: row.get("statement_date"),
        from: row.get("first_day"),
        to: row.get("last_day"),
        lists_pending: row.get("lists_pending"),
        replace: row.get("replaces_missing"),
        balances: balances(row),
        removed: removed.into_iter().map(|id| LineId::name(user_id, account, id)).collect(),
    };
    (place, statement)
}

/// Returns the balances that the row of a statement has.
fn balances(row: &Row) -> Vec<Balance> {
    let (kinds, dates): (Vec<&str>, Vec<Date>) = (row.get("kinds"), row.get("dates"));
    let (cents, currencies): (Vec<i64>, Vec<Option<&str>>) = (row.get("cents"), row.get("currencies"));
    let stated = kinds.into_iter().zip(dates).zip(cents).zip(currencies);
    stated
        .filter_map(|(((kind, day), cents), code)| {
            Some(Balance { kind: parse_balance_kind(kind)?, day, cents, currency: currency(code) })
        })
        .collect()
}

fn currency(code: Option<&str>) -> Option<Currency> {
    code.and_then(|code| Currency::parse(code).ok())
}

impl Stored {
    fn add(&mut self, user_id: Uuid, statement: u32, row: &Row, names: &Names) {
        self.has_labels |= row.get::<_, bool>("has_labels");
        let place = &mut self.places[statement as usize];
        let number = u32::try_from(self.lines.len()).expect("fewer than 2^32 lines");
        place.first_line = place.first_line.min(number);
        let account = self.statements[statement as usize].account;
        let facts = Facts {
            text: row.get("description"),
            party: row.get("counterparty_name"),
            party_account: row.get("counterparty_account"),
            code: row.get("bank_transaction_code"),
            category: row.get("category"),
            transfer_with: row.get("transfer_with"),
            account: names.of_account.get(&account).map_or("", String::as_str),
            cents: row.get("amount_cents"),
            is_fee: row.get("is_fee"),
        };
        let merchant_key: Option<&str> = row.get("merchant_key");
        let name = |text: &str| LineId::name(user_id, account, text);
        let source_id: Option<&str> = row.get("source_id");
        self.lines.push(Line {
            statement,
            day: row.get("booking_date"),
            cents: facts.cents,
            currency: currency(row.get("currency")).unwrap_or(self.statements[statement as usize].currency),
            pending: row.get("pending"),
            payee: payee_fingerprint(merchant_key),
            text: fingerprint(facts.party, facts.text),
            details: LineDetails {
                id: source_id.map(|text| LineId {
                    name: name(text),
                    is_authoritative: row.get("source_id_is_authoritative"),
                }),
                replaces: row.get::<_, Option<&str>>("replaces").map(name),
                fee_cents: row.get::<_, Option<i64>>("fee_cents").unwrap_or(0),
                balance_after: row.get("balance_after_cents"),
            }
            .boxed(),
        });
        let original: Option<i64> = row.get("original_cents");
        let counter = counter_account(&facts, account, &|text| names.find(text));
        let meaning = meaning(&self.rules, &facts, counter);
        self.shown.push(shown_texts(&self.rules, &facts, meaning.reason));
        self.meanings.push(LineMeaning {
            meaning,
            merchant: merchant_key.map_or(0, |key| fingerprint(None, key)),
            other_side: OtherSide { counter, original: original.zip(currency(row.get("original_currency"))) }
                .boxed(),
        });
    }

    /// Returns the statement of a line, and the position of the line in it.
    pub(super) fn place(&self, line: u32) -> (&StatementPlace, i32) {
        let place = &self.places[self.lines[line as usize].statement as usize];
        let position = i32::try_from(line - place.first_line);
        (place, position.expect("a file has at most a million lines"))
    }

    /// Returns the name of an account of the person.
    pub(super) fn account_name(&self, id: Uuid) -> String {
        self.account(id).map(|account| account.name.clone()).unwrap_or_default()
    }

    /// Returns an account of the person.
    pub(super) fn account(&self, id: Uuid) -> Option<&OwnAccount> {
        self.accounts.iter().find(|account| account.account_id == id)
    }
}

/// The own accounts by IBAN, number, identifier and name. A text that several accounts have finds none.
struct Names {
    by_text: HashMap<String, Option<Uuid>>,
    of_account: HashMap<Uuid, String>,
}

impl Names {
    fn new(accounts: &[OwnAccount], statements: &[Row]) -> Names {
        let mut names = Names { by_text: HashMap::new(), of_account: HashMap::new() };
        for account in accounts {
            names.add(&account.name, account.account_id);
            names.add(&account.account_id.to_string(), account.account_id);
            names.of_account.insert(account.account_id, account.name.clone());
        }
        for row in statements {
            let texts: [Option<&str>; 2] = [row.get("iban"), row.get("account_number")];
            texts.into_iter().flatten().for_each(|text| names.add(text, row.get("account_id")));
        }
        names
    }

    fn add(&mut self, text: &str, account: Uuid) {
        let known = self.by_text.entry(text.to_lowercase()).or_insert(Some(account));
        if known.is_some_and(|known| known != account) {
            *known = None;
        }
    }

    fn find(&self, text: &str) -> Option<Uuid> {
        if text.is_empty() { None } else { self.by_text.get(&text.to_lowercase()).copied().flatten() }
    }
}

/// Number of rows that are read at a time. It bounds the memory of the texts.
const ROWS_AT_ONCE: i32 = 5_000;

/// Runs a query whose only parameter is the person, and calls `take` with each row, in order.
pub(super) async fn for_each(
    transaction: &Transaction<'_>,
    query: &str,
    user_id: Uuid,
    mut take: impl FnMut(&Row),
) -> Result<(), LoadError> {
    let select = transaction.prepare(query).await?;
    let portal = transaction.bind(&select, &[&user_id]).await?;
    loop {
        let rows = transaction.query_portal(&portal, ROWS_AT_ONCE).await?;
        rows.iter().for_each(&mut take);
        if rows.len() < usize::try_from(ROWS_AT_ONCE).expect("a small number") {
            return Ok(());
        }
    }
}

/// The computed transactions.
#[derive(Debug)]
pub(super) struct Computed {
    pub(super) resolution: Resolution,
    pub(super) transactions: Transactions,
}

/// Computes the transactions of a person's files.
pub(super) fn compute(user_id: Uuid, stored: &Stored) -> Computed {
    let resolution = resolve(user_id, &stored.statements, &stored.lines);
    let is_card = |account: Uuid| stored.account(account).is_some_and(|account| account.kind == "credit");
    let transactions = transactions(&resolution, &stored.meanings, &is_card);
    Computed { resolution, transactions }
}

/// The values of a transaction, without its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Values<'a> {
    pub(super) id: Uuid,
    pub(super) account: Uuid,
    pub(super) day: Date,
    pub(super) transaction_type: &'a str,
    pub(super) category: &'a str,
    pub(super) cents: i64,
    pub(super) currency: &'a str,
    pub(super) is_pending: bool,
    /// The linked transaction.
    pub(super) link: Option<Uuid>,
}

impl Values<'_> {
    /// Returns the values of the row with an index.
    pub(super) fn of(computed: &Computed, index: usize) -> Values<'_> {
        let (row, transaction) = (&computed.resolution.rows[index], &computed.transactions.all[index]);
        let link = transaction.link.filter(|link| computed.transactions.all[*link as usize].is_stored);
        Values {
            id: row.id,
            account: computed.resolution.account(row),
            day: row.day,
            transaction_type: transaction.transaction_type.as_str(),
            category: transaction.category.as_str(),
            cents: i64::try_from(row.cents.unsigned_abs()).unwrap_or(i64::MAX),
            currency: row.currency.as_str(),
            is_pending: matches!(row.step, Step::Pending(_)),
            link: link.map(|link| computed.resolution.rows[link as usize].id),
        }
    }
}

/// Returns the fingerprint of the texts of a transaction. It is the same within one run of the program only.
pub(super) fn shown(title: &str, provider_category: Option<&str>, merchant: Option<&str>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (title, provider_category, merchant).hash(&mut hasher);
    hasher.finish()
}

/// Returns the fingerprint of the texts that `import_store.sql` stores for a line.
fn shown_texts(rules: &Rules, facts: &Facts<'_>, reason: Reason) -> u64 {
    let title = [Some(facts.text), facts.party].into_iter().flatten().find_map(stated);
    let code = facts.code.filter(|code| !code.is_empty());
    let title = title.or(code).unwrap_or("No description");
    let merchant = rules.merchant(reason).or(facts.party).and_then(stated);
    // A transaction has the first 200 characters.
    let category = facts.category.or(facts.code);
    let category = category.map(|text| text.char_indices().nth(200).map_or(text, |(end, _)| &text[..end]));
    shown(title, category, merchant)
}

/// Returns a text without spaces around it, like `btrim` and `nullif` of PostgreSQL; `None` if nothing is left.
fn stated(text: &str) -> Option<&str> {
    Some(text.trim_matches(' ')).filter(|text| !text.is_empty())
}
