//! The account map of an import: the one on the command line, else the one stored with the ledger, else the built-in
//! one.

use std::path::Path;

use passbook_beancount::{AccountMap, MappedAccounts};
use passbook_ingest::ledgers::{ImportedLedger, StoredAccountMap};

use crate::arguments::BeancountImport;
use crate::commands::input;
use crate::error::CommandError;
use crate::output;

/// The account map of an import.
#[derive(Debug)]
pub(super) struct ChosenMap {
    /// The map, with the patterns of the built-in map.
    pub(super) map: AccountMap,
    /// The text to store with the ledger; `None` for the built-in map.
    pub(super) stored: Option<StoredAccountMap>,
}

impl ChosenMap {
    /// Chooses the map of an import, and prints a note about it. `former` is the ledger as stored by the import before.
    ///
    /// # Errors
    /// A map that cannot be read or has faults.
    pub(super) fn choose(
        wanted: &BeancountImport,
        former: Option<&ImportedLedger>,
    ) -> Result<ChosenMap, CommandError> {
        let former = former.and_then(|former| former.account_map.as_ref());
        let ledger = &wanted.ledger;
        if let Some(path) = wanted.map.as_deref() {
            let stored = read(path)?;
            let map = AccountMap::from_toml(&stored.text, &path.display().to_string());
            let map = map.map_err(|faults| CommandError::Input(faults.into_list()))?;
            output::note(&format!(
                "account map: {}, stored for the next imports of the ledger {ledger}",
                stored.name
            ));
            return Ok(ChosenMap { map, stored: Some(stored) });
        }
        let Some(former) = former else {
            return Ok(ChosenMap { map: AccountMap::built_in(), stored: None });
        };
        if wanted.built_in_map {
            output::note(&format!("account map: the built-in map; {} is no longer stored", former.name));
            return Ok(ChosenMap { map: AccountMap::built_in(), stored: None });
        }
        let place = format!("{}, stored for the ledger {ledger}", former.name);
        let map = AccountMap::from_toml(&former.text, &place).map_err(|faults| {
            let mut faults = faults.into_list();
            for fault in &mut faults {
                fault.rule.push_str("; give a corrected map with --map, or use --built-in-map");
            }
            CommandError::Input(faults)
        })?;
        output::note(&format!("account map: {place}; --map replaces it and --built-in-map removes it"));
        Ok(ChosenMap { map, stored: Some(former.clone()) })
    }

    /// Prints the accounts whose category or type differs from the import before, if the map has changed since.
    pub(super) fn note_changes(&self, former: Option<&ImportedLedger>, accounts: &MappedAccounts) {
        let text = |map: &Option<StoredAccountMap>| map.as_ref().map(|map| map.text.clone());
        let Some(former) = former.filter(|former| text(&former.account_map) != text(&self.stored)) else {
            return;
        };
        let former = match &former.account_map {
            None => Ok(AccountMap::built_in()),
            Some(stored) => AccountMap::from_toml(&stored.text, &stored.name),
        };
        let Ok(former) = former else {
            output::note("account map: the changes are not listed, because the former map has faults");
            return;
        };
        let changes = accounts.changes(&former, &self.map);
        if changes.is_empty() {
            output::note("account map: the new map changes no account of this ledger");
        }
        for change in changes {
            output::note(&format!("account map changes {change}"));
        }
    }
}

fn read(path: &Path) -> Result<StoredAccountMap, CommandError> {
    let text = std::io::read_to_string(input::open(path)?);
    let text = text.map_err(|error| input::unreadable(path, error))?;
    let name = match path.file_name() {
        Some(name) if name != "-" => name.to_string_lossy().into_owned(),
        _ => "standard input".to_owned(),
    };
    Ok(StoredAccountMap { name, text })
}
