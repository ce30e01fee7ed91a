//! The import of files of banks and other apps.
//!
//! Every line of a file is stored as an observation. The transactions of all files of a person are computed from the
//! stored observations, options and rules (crate `matching`), compared with the stored transactions of files, and the
//! difference is written, in one transaction. Transactions of bundles and ledgers are not touched.
//!
//! | module | content |
//! |---|---|
//! | `accounts` | the account of a statement |
//! | `file` | a file to store, and the copy of its lines |
//! | `stored` | reads the stored files and lines of a person |
//! | `rows` | reads many rows in parts |
//! | `shown_texts` | fingerprints of the texts of transactions |
//! | `computed` | the transactions of all files |
//! | `unchanged` | which of them are stored already |
//! | `difference` | stores the others |
//! | `proofs` | balances that files prove |
//! | `explain` | the origin of one transaction |
//! | `changes` | import, undo, change of rules: each in one transaction |

mod accounts;
mod changes;
mod computed;
mod difference;
mod explain;
mod file;
mod proofs;
mod rows;
mod shown_texts;
mod stored;
mod unchanged;

pub use accounts::{AccountMatch, OwnAccount, match_account, own_accounts, references};
pub use changes::{
    Change, FileSummary, ImportOptions, Imported, OTHER_TRANSACTIONS, SAME_TIME, StoredFile, categorize,
    import, is_stored, rules, stored_files, undo,
};
pub use explain::{ExplainedLine, Explanation, Rejected, explain};
pub use file::{Entries, NewFile, NewStatement, StoredRules};
pub use proofs::{AccountReport, reconcile};
