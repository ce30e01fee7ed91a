//! The import of files of banks and other apps.
//!
//! Every line of a file is stored. The transactions of all files of a person are computed from the stored
//! lines, options and rules (crate `matching`), compared with the stored transactions of files, and the
//! difference is written, in one transaction. Transactions of bundles and ledgers are not touched.

mod accounts;
mod changes;
mod copy;
mod difference;
mod explain;
mod file;
mod given_labels;
mod profiles;
mod reconciliation;
mod stored;
mod stored_files;

pub use accounts::{
    AccountMatch, EarlierStatements, OwnAccount, earlier_statements, is_alike, match_account, own_accounts,
};
pub use changes::{
    Change, FileSummary, ImportOptions, Imported, OTHER_TRANSACTIONS, SAME_TIME, categorize, import, undo,
};
pub use explain::{ExplainedLabel, ExplainedLine, Explanation, FoundRow, Rejected, Wanted, explain, find};
pub use file::{Entries, NewFile, NewStatement, StoredRules};
pub use profiles::{NewProfile, OwnProfile, create_profile, delete_profile, own_profiles};
pub use reconciliation::{AccountReport, reconcile};
pub use stored::rules;
pub use stored_files::{StatementsOf, StoredFile, delete_account, is_stored, move_statements, stored_files};
