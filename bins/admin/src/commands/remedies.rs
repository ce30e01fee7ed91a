//! The commands that fix a fault of the input. The libraries that find the faults name no command.

use passbook_ingest::import::{OTHER_TRANSACTIONS, SAME_TIME};
use passbook_ingest::load::{
    ABSENT_TRANSACTIONS, CREDENTIAL_NOT_PERMITTED, DAYS_OF_FILES, EVERYONE_NOT_PERMITTED,
    PERSON_NOT_PERMITTED, PERSON_UNKNOWN, REMOVAL_TOO_LARGE, import_that_owns,
};
use passbook_input::Fault;
use passbook_matching::rules::CATEGORY_RULE;
use passbook_records::bundle::DELETED_USERS;

use crate::chosen::ALL_CATEGORIES;
use crate::output;

/// The text before the name of a ledger in the source of a Beancount import.
const BEANCOUNT: &str = "beancount:";

/// The remedy of a fault about new transactions on days of imported files.
const CONFIRM_DAYS: &str = "; if they are other bookings than those of the file, give --beside-others";

/// Adds the flag that removes stored transactions to the fault about their absence from the ledger, the flag that confirms
/// the removal to the fault about removing many, and the flag that accepts days of imported files.
pub(super) fn name_ledger_flags(mut fault: Fault) -> Fault {
    fault.rule.push_str(match fault.rule.as_str() {
        DAYS_OF_FILES => CONFIRM_DAYS,
        ABSENT_TRANSACTIONS => ": restore the transactions there, or remove them here with --replace",
        REMOVAL_TOO_LARGE => ": check file and name of the ledger, or confirm the removal with --force",
        _ => "",
    });
    fault
}

/// Adds the flag that permits a row to the fault about it, and otherwise the remedy of a deletion.
pub(super) fn name_remedy_of_bundle(mut fault: Fault) -> Fault {
    let flag = match fault.rule.as_str() {
        CREDENTIAL_NOT_PERMITTED => ": add --with-credentials if you trust the file",
        PERSON_NOT_PERMITTED => {
            ": add --user with the e-mail address if the file may change rows of this person"
        }
        DAYS_OF_FILES => CONFIRM_DAYS,
        EVERYONE_NOT_PERMITTED => ": load such clients from another file, without --user",
        PERSON_UNKNOWN => {
            fault.place = "--user".to_owned();
            ""
        }
        _ => return name_remedy_of_deletion(fault),
    };
    fault.rule.push_str(flag);
    fault
}

/// Adds the flag that accepts days with other transactions, and the flag that confirms the removal of many.
pub(super) fn name_import_flags(mut fault: Fault) -> Fault {
    fault.rule.push_str(match fault.rule.as_str() {
        OTHER_TRANSACTIONS => "; if the file has other bookings than these, give --beside-others",
        SAME_TIME => "; import each with its own time, stated with --as-of",
        REMOVAL_TOO_LARGE => ": check the file and the account, or confirm the removal with --force",
        _ => "",
    });
    fault
}

/// Adds the command that lists the categories to the fault about one.
pub(super) fn name_categories(mut fault: Fault) -> Fault {
    if fault.rule.starts_with(CATEGORY_RULE) {
        fault.rule.push_str(ALL_CATEGORIES);
    }
    fault
}

/// Adds the command that deletes a person, or that removes an imported row, to the fault about deleting it in a bundle.
fn name_remedy_of_deletion(mut fault: Fault) -> Fault {
    if fault.rule == DELETED_USERS {
        fault.rule.push_str(": delete the person with `passbook-admin user delete`");
    } else if let Some(source) = import_that_owns(&fault) {
        let remedy = match source.strip_prefix(BEANCOUNT) {
            Some(ledger) => format!(
                ": remove it from the ledger {ledger:?}, and import the ledger again with `passbook-admin import \
                 beancount FILE --user EMAIL --ledger {} --replace`",
                output::argument(ledger)
            ),
            None => ": take the import of its file back with `passbook-admin import undo`".to_owned(),
        };
        fault.rule.push_str(&remedy);
    }
    fault
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fault_without_a_command_is_unchanged() {
        let fault = Fault::new("accounts[0]", "must be given");
        assert_eq!(name_remedy_of_bundle(name_ledger_flags(fault.clone())), fault);
    }
}
