//! The account of a statement: by IBAN or number, never by name.

use passbook_records::statement::AccountReference;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use crate::load::LoadError;

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

/// The result of looking for the account of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountMatch {
    /// One account fits.
    Found(Uuid),
    /// No account fits.
    Unknown,
    /// Several accounts fit: files of the same account were imported into different accounts.
    Ambiguous,
}

/// Returns the accounts of a person, by name.
pub async fn own_accounts(client: &impl GenericClient, user_id: Uuid) -> Result<Vec<OwnAccount>, LoadError> {
    let statement = "select account_id, name, type, currency from passbook.accounts where user_id = $1 \
                     order by name collate \"C\", account_id";
    let rows = client.query(statement, &[&user_id]).await?;
    let account = |row: &tokio_postgres::Row| OwnAccount {
        account_id: row.get(0),
        name: row.get(1),
        kind: row.get(2),
        currency: row.get(3),
    };
    Ok(rows.iter().map(account).collect())
}

/// Returns the accounts that earlier files of a person named, each with its account here.
pub async fn references(
    client: &impl GenericClient,
    user_id: Uuid,
) -> Result<Vec<(AccountReference, Uuid)>, LoadError> {
    let statement = "select distinct iban, bank, account_number, account_id from passbook.import_statements \
                     where user_id = $1 and (iban is not null or account_number is not null)";
    let rows = client.query(statement, &[&user_id]).await?;
    let reference = |row: &tokio_postgres::Row| {
        let (iban, bank, number) = (row.get(0), row.get(1), row.get(2));
        (AccountReference { iban, bank, number, ..AccountReference::default() }, row.get(3))
    };
    Ok(rows.iter().map(reference).collect())
}

/// Returns the account of a statement: the account that earlier files name alike, or the account whose identifier in a
/// bundle is the IBAN or the number.
pub fn match_account(
    user_id: Uuid,
    reference: &AccountReference,
    accounts: &[OwnAccount],
    known: &[(AccountReference, Uuid)],
) -> AccountMatch {
    let same = |other: &AccountReference| match (&reference.iban, &reference.number) {
        (Some(iban), _) => other.iban.as_ref() == Some(iban),
        (None, Some(number)) => other.number.as_ref() == Some(number) && other.bank == reference.bank,
        (None, None) => false,
    };
    let mut found: Vec<Uuid> = known.iter().filter(|(other, _)| same(other)).map(|(_, id)| *id).collect();
    if found.is_empty() {
        let named = source_ids(reference)
            .into_iter()
            .map(|text| passbook_records::id::derive(user_id, "account", &text));
        found.extend(named.filter(|id| accounts.iter().any(|account| account.account_id == *id)));
    }
    found.sort_unstable();
    found.dedup();
    if let (2.., Some(currency)) = (found.len(), reference.currency) {
        // Banks give the accounts of several currencies one number.
        let fits = |account: &OwnAccount| account.currency == currency.as_str();
        found.retain(|id| accounts.iter().any(|account| account.account_id == *id && fits(account)));
    }
    match found[..] {
        [] => AccountMatch::Unknown,
        [account] => AccountMatch::Found(account),
        _ => AccountMatch::Ambiguous,
    }
}

/// Returns the identifiers that an account of a bundle may have for a reference. The first is the best.
fn source_ids(reference: &AccountReference) -> Vec<String> {
    let qualified =
        reference.bank.iter().zip(&reference.number).map(|(bank, number)| format!("{bank}/{number}"));
    reference.iban.iter().cloned().chain(qualified).chain(reference.number.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn account_is_found_by_iban_or_number_and_never_by_name() {
        let accounts = [account("DE89"), account("100/12"), account("34")];
        let find = |reference| match_account(USER, &reference, &accounts, &[]);
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
            (reference(Some("DE89"), None, None), Uuid::from_u128(1)),
            (reference(None, Some("9"), Some("5")), Uuid::from_u128(2)),
        ];
        let find = |reference| match_account(USER, &reference, &accounts, &known);
        assert_eq!(find(reference(Some("DE89"), None, None)), AccountMatch::Found(Uuid::from_u128(1)));
        assert_eq!(find(reference(None, Some("9"), Some("5"))), AccountMatch::Found(Uuid::from_u128(2)));
        assert_eq!(find(reference(None, Some("8"), Some("5"))), AccountMatch::Unknown);
    }
}
