//! Files that belong to another account or bank than the one that the person chose.

use passbook_statements::AccountReference;
use passbook_statements::csv::builtin_profiles;
use uuid::Uuid;

use super::Accounts;
use crate::chosen::Choosable as _;

impl Accounts<'_> {
    /// Returns the rule that a file breaks if it names another account, or another bank of the user, than the account that
    /// the person chose.
    pub(super) fn another_owner(&self, account: Uuid, reference: &AccountReference) -> Option<String> {
        let stored = self.stored.iter().find(|one| one.account_id == account)?;
        let of_files =
            self.memory.earlier.iter().filter(|one| one.account_id == account).map(|one| &one.reference);
        let number = |one: &AccountReference| one.iban.clone().or_else(|| one.number.clone());
        let known: Vec<String> = of_files.filter_map(number).collect();
        let own = number(reference)?;
        let is_source = stored.has_id(&own);
        let differs = !known.is_empty() && !known.contains(&own) && !is_source;
        let remedy = "correct --account, or confirm it with --even-if-numbers-differ";
        differs.then(|| {
            format!(
                "must be a file of the account {}, whose other files name {}: {remedy}",
                stored.name, known[0]
            )
        })
    }

    /// The same for the bank.
    pub(super) fn another_bank(&self, account: Uuid, reference: &AccountReference) -> Option<String> {
        let stored = self.stored.iter().find(|one| one.account_id == account)?;
        let own = reference.bank_name.as_ref()?.to_lowercase();
        let has_bank = self.stored.iter().any(|one| one.bank.to_lowercase() == own);
        // An account that a person created may have another name of the bank, but not one with files of another bank.
        let of_files = self.memory.earlier.iter().filter(|one| one.account_id == account);
        let bank_of = |profile: &String| builtin_profiles().iter().find(|one| one.name == *profile);
        let has_files_of_another = of_files
            .filter_map(|one| one.profile.as_ref().and_then(bank_of))
            .any(|profile| profile.bank.to_lowercase() != own);
        let differs = (has_bank || has_files_of_another) && stored.bank.to_lowercase() != own;
        differs.then(|| {
            format!(
                "must be a file of {}, the bank of the account {}: correct --account, or confirm it with \
                 --even-if-numbers-differ",
                stored.bank, stored.name
            )
        })
    }
}
