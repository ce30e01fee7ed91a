//! The command line of accounts.

use clap::Subcommand;
use uuid::Uuid;

use super::listing::Listing;

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin account list --user you@example.org
  passbook-admin account list --output json
  passbook-admin account show ACCOUNT_ID --user you@example.org";

#[derive(Debug, Subcommand)]
pub(crate) enum AccountCommand {
    /// List accounts with balance and number of transactions
    List {
        /// List only the accounts of the user with this e-mail address
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
    /// Show one account
    Show {
        /// Id of the account, from `account list`
        account_id: Uuid,
        /// E-mail address of the owner, needed only if several users have an account with this id
        #[arg(long, value_name = "EMAIL")]
        user: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
}
