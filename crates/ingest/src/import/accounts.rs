//! The account of a statement: by IBAN or number; without either that of earlier files like it. And the banks and
//! accounts that an import creates for its files.

use std::collections::HashSet;

use passbook_records::record::{Account, Bank};
use passbook_records::statement::{AccountReference, Statement};
use passbook_records::{Located, Record};
use tokio_postgres::{GenericClient, Transaction};
use uuid::Uuid;

use crate::load;
use crate::load::LoadError;

from_row! {
    /// An account of a person.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct OwnAccount {
        /// The identifier.
        pub account_id: Uuid,
        /// Name of the account.
        pub name: String,
        /// Type, such as `depository`.
        pub kind: String,
        /// Currency of the account.
        pub currency: String,
    }
}

/// The result of looking for the account of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountMatch {
    /// One account fits.
    Found(Uuid),
    /// The statement names no account, and earlier files like it are in one account.
    Remembered {
        /// The account.
        account: Uuid,
        /// Name of an earlier file.
        file: String,
    },
    /// No account fits.
    Unknown,
    /// Several accounts fit: files of the same account were imported into different accounts.
    Ambiguous,
}

/// Returns the accounts of a person, by name.
pub async fn own_accounts(client: &impl GenericClient, user_id: Uuid) -> Result<Vec<OwnAccount>, LoadError> {
    let statement = "select account_id, name, type as kind, currency from passbook.accounts where user_id = $1 \
                     order by name collate \"C\", account_id";
    crate::select(client, statement, &[&user_id]).await
}

/// The account of statements in an earlier file, and how the file was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierStatements {
    /// The account as the files name it.
    pub reference: AccountReference,
    /// Format of the files.
    pub format: String,
    /// Profile of CSV files.
    pub profile: Option<String>,
    /// Name of the file.
    pub file: String,
    /// The order of day and month that was chosen for the file.
    pub date_order: Option<String>,
    /// The account.
    pub account_id: Uuid,
}

/// Returns the accounts of the statements in earlier files of a person, those of the newest file last.
pub async fn earlier_statements(
    client: &impl GenericClient,
    user_id: Uuid,
) -> Result<Vec<EarlierStatements>, LoadError> {
    let statement = "select statements.iban, statements.bank, statements.account_number, statements.account_name, \
                     files.format, files.profile, statements.account_id, files.name, files.date_order \
                     from passbook.import_statements as statements \
                     join passbook.import_files as files on files.user_id = statements.user_id and files.file_id = statements.file_id \
                     where statements.user_id = $1 group by 1, 2, 3, 4, 5, 6, 7, 8, 9, files.file_id \
                     order by max(files.imported_at), files.name collate \"C\"";
    let rows = client.query(statement, &[&user_id]).await?;
    let earlier = |row: &tokio_postgres::Row| EarlierStatements {
        reference: AccountReference {
            iban: row.get(0),
            bank: row.get(1),
            number: row.get(2),
            name: row.get(3),
            ..AccountReference::default()
        },
        format: row.get(4),
        profile: row.get(5),
        account_id: row.get(6),
        file: row.get(7),
        date_order: row.get(8),
    };
    Ok(rows.iter().map(earlier).collect())
}

/// Returns the account of a statement: the account that earlier files name alike, or the account whose identifier in a
/// bundle is the IBAN or the number. A statement without either belongs to the account of the earlier files of its format,
/// profile and name; of several accounts, to that of the files whose names are alike.
pub fn match_account(
    user_id: Uuid,
    statement: &Statement,
    file: &str,
    accounts: &[OwnAccount],
    earlier: &[EarlierStatements],
) -> AccountMatch {
    let reference = &statement.account;
    let is_nameless = reference.iban.is_none() && reference.number.is_none();
    let same = |other: &&EarlierStatements| {
        let known = &other.reference;
        match (&reference.iban, &reference.number) {
            (Some(iban), _) => known.iban.as_ref() == Some(iban),
            (None, Some(number)) => known.number.as_ref() == Some(number) && known.bank == reference.bank,
            (None, None) => {
                known.iban.is_none()
                    && known.number.is_none()
                    && known.name == reference.name
                    && other.format == statement.format.as_str()
                    && other.profile == statement.profile
            }
        }
    };
    let known: Vec<&EarlierStatements> = earlier.iter().filter(same).collect();
    let mut found: Vec<Uuid> = known.iter().map(|earlier| earlier.account_id).collect();
    if found.is_empty() {
        let named = source_ids(reference)
            .into_iter()
            .map(|text| passbook_records::id::derive(user_id, "account", &text));
        found.extend(named.filter(|id| accounts.iter().any(|account| account.account_id == *id)));
    }
    found.sort_unstable();
    found.dedup();
    if let Some(currency) = reference.currency.filter(|_| is_nameless || found.len() > 1) {
        // Banks give the accounts of several currencies one number.
        let fits = |account: &OwnAccount| account.currency == currency.as_str();
        found.retain(|id| accounts.iter().any(|account| account.account_id == *id && fits(account)));
    }
    let is_like = |id: &Uuid| known.iter().any(|one| one.account_id == *id && is_alike(&one.file, file));
    if is_nameless && found.len() > 1 && found.iter().any(is_like) {
        found.retain(is_like);
    }
    match found[..] {
        [] => AccountMatch::Unknown,
        [account] => {
            let remembered = known.iter().rev().find(|earlier| is_nameless && earlier.account_id == account);
            remembered.map_or(AccountMatch::Found(account), |earlier| AccountMatch::Remembered {
                account,
                file: earlier.file.clone(),
            })
        }
        _ => AccountMatch::Ambiguous,
    }
}

/// Returns true if two names of files have the same letters, apart from their endings: `Main (1).csv` and `main-2026.csv`.
pub fn is_alike(one: &str, other: &str) -> bool {
    let letters = |name: &str| -> String {
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        stem.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect()
    };
    let letters = [one, other].map(letters);
    !letters[0].is_empty() && letters[0] == letters[1]
}

/// Returns the identifiers that an account of a bundle may have for a reference. The first is the best.
fn source_ids(reference: &AccountReference) -> Vec<String> {
    let qualified =
        reference.bank.iter().zip(&reference.number).map(|(bank, number)| format!("{bank}/{number}"));
    reference.iban.iter().cloned().chain(qualified).chain(reference.number.iter().cloned()).collect()
}

const KNOWN_BANKS: &str =
    "select bank_id from passbook.bank_connections where user_id = $1 and bank_id = any ($2)";
const MARK_BANKS: &str = "update passbook.bank_connections set created_by_import = true \
                          where user_id = $1 and bank_id = any ($2)";
const MARK_ACCOUNTS: &str =
    "update passbook.accounts set created_by_import = true where user_id = $1 and account_id = any ($2)";
const REMOVE_ACCOUNTS: &str = include_str!("../../sql/import_remove_accounts.sql");
const REMOVE_BANKS: &str = "delete from passbook.bank_connections as banks \
                            where banks.user_id = $1 and banks.created_by_import and not exists ( \
                              select from passbook.accounts \
                              where accounts.user_id = banks.user_id and accounts.bank_id = banks.bank_id)";

/// Stores accounts, and those of their banks that are not stored yet.
pub(super) async fn create_for_files(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    accounts: &[(Bank, Account)],
) -> Result<(), LoadError> {
    if accounts.is_empty() {
        return Ok(());
    }
    let banks: Vec<Uuid> = accounts.iter().map(|(bank, _)| bank.bank_id).collect();
    let known = transaction.query(KNOWN_BANKS, &[&user_id, &banks]).await?;
    let mut known: HashSet<Uuid> = known.iter().map(|row| row.get(0)).collect();
    let banks = accounts.iter().map(|(bank, _)| bank);
    let new_banks: Vec<&Bank> = banks.filter(|bank| known.insert(bank.bank_id)).collect();
    let records = new_banks.iter().map(|bank| Record::Bank((*bank).clone()));
    let records = records.chain(accounts.iter().map(|(_, account)| Record::Account(account.clone())));
    let located = |record| Ok(Located { place: "an account of a file".to_owned(), record });
    let records: Vec<_> = records.map(located).collect();
    load::load_within(transaction, records.into_iter(), load::Options::default()).await?;
    let banks: Vec<Uuid> = new_banks.iter().map(|bank| bank.bank_id).collect();
    transaction.execute(MARK_BANKS, &[&user_id, &banks]).await?;
    let created: Vec<Uuid> = accounts.iter().map(|(_, account)| account.account_id).collect();
    transaction.execute(MARK_ACCOUNTS, &[&user_id, &created]).await?;
    Ok(())
}

/// Removes the accounts that imports created and that nothing uses any more, and then their banks.
pub(super) async fn remove_unused(transaction: &Transaction<'_>, user_id: Uuid) -> Result<(), LoadError> {
    transaction.execute(REMOVE_ACCOUNTS, &[&user_id]).await?;
    transaction.execute(REMOVE_BANKS, &[&user_id]).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use passbook_domain::Currency;
    use passbook_records::statement::{Format, StatementKind};

    use super::*;

    const USER: Uuid = Uuid::from_u128(7);

    fn reference(iban: Option<&str>, bank: Option<&str>, number: Option<&str>) -> AccountReference {
        let text = |text: Option<&str>| text.map(str::to_owned);
        AccountReference { iban: text(iban), bank: text(bank), number: text(number), ..Default::default() }
    }

    fn account(source: &str) -> OwnAccount {
        let (name, kind, currency) = ("Same name".to_owned(), "depository".to_owned(), "EUR".to_owned());
        OwnAccount { account_id: passbook_records::id::derive(USER, "account", source), name, kind, currency }
    }

    fn earlier(reference: AccountReference, id: u128) -> EarlierStatements {
        let (format, file) = ("csv".to_owned(), format!("{id}.csv"));
        let account_id = Uuid::from_u128(id);
        EarlierStatements { reference, format, profile: None, file, date_order: None, account_id }
    }

    fn find(
        reference: AccountReference,
        accounts: &[OwnAccount],
        known: &[EarlierStatements],
    ) -> AccountMatch {
        let statement = Statement::new(Format::Csv, StatementKind::Window, reference);
        match_account(USER, &statement, "9.csv", accounts, known)
    }

    #[test]
    fn account_is_found_by_iban_or_number_and_never_by_name() {
        let accounts = [account("DE89"), account("100/12"), account("34")];
        let find = |reference| find(reference, &accounts, &[]);
        assert_eq!(find(reference(Some("DE89"), None, None)), AccountMatch::Found(accounts[0].account_id));
        let qualified = reference(None, Some("100"), Some("12"));
        assert_eq!(find(qualified), AccountMatch::Found(accounts[1].account_id));
        assert_eq!(find(reference(None, None, Some("34"))), AccountMatch::Found(accounts[2].account_id));
        let named = AccountReference { name: Some("Same name".to_owned()), ..Default::default() };
        assert_eq!(find(named), AccountMatch::Unknown);
    }

    #[test]
    fn earlier_files_decide_first() {
        let accounts = [account("DE89")];
        let known = [
            earlier(reference(Some("DE89"), None, None), 1),
            earlier(reference(None, Some("9"), Some("5")), 2),
        ];
        let find = |reference| find(reference, &accounts, &known);
        assert_eq!(find(reference(Some("DE89"), None, None)), AccountMatch::Found(Uuid::from_u128(1)));
        assert_eq!(find(reference(None, Some("9"), Some("5"))), AccountMatch::Found(Uuid::from_u128(2)));
        assert_eq!(find(reference(None, Some("8"), Some("5"))), AccountMatch::Unknown);
    }

    #[test]
    fn file_without_a_number_belongs_to_the_account_of_earlier_files_of_its_name() {
        let named = |name: &str| AccountReference { name: Some(name.to_owned()), ..Default::default() };
        let known = [
            earlier(named("Main"), 1),
            earlier(named("Pot"), 2),
            earlier(AccountReference { number: Some("5".to_owned()), ..named("Other") }, 3),
            earlier(AccountReference::default(), 4),
            earlier(AccountReference::default(), 5),
        ];
        let found = find(named("Main"), &[], &known);
        assert_eq!(found, AccountMatch::Remembered { account: Uuid::from_u128(1), file: "1.csv".to_owned() });
        assert_eq!(find(named("Other"), &[], &known), AccountMatch::Unknown);
        assert_eq!(find(AccountReference::default(), &[], &known), AccountMatch::Ambiguous);
        let dollars = AccountReference { currency: Currency::parse("USD").ok(), ..named("Main") };
        let accounts = [OwnAccount { account_id: Uuid::from_u128(1), ..account("1") }];
        assert_eq!(find(dollars, &accounts, &known), AccountMatch::Unknown);
        let statement = Statement::new(Format::Csv, StatementKind::Window, AccountReference::default());
        let alike = known.map(|one| EarlierStatements { file: format!("Main-{}", one.file), ..one });
        let [.., first, second] = alike;
        let known = [first, EarlierStatements { file: "Savings 5.csv".to_owned(), ..second }];
        let find = |file| match_account(USER, &statement, file, &[], &known);
        let savings =
            AccountMatch::Remembered { account: Uuid::from_u128(5), file: "Savings 5.csv".to_owned() };
        assert_eq!(find("savings (2).csv"), savings);
        assert_eq!(find("2026.csv"), AccountMatch::Ambiguous);
    }
}
