//! Institutions and the health of the connection to them.

use crate::words::words;

words! {
    /// The state of a connection to a bank.
    BankStatus {
        /// Working.
        Connected = "CONNECTED",
        /// The owner has to sign in again.
        NeedsUpdate = "NEEDS_UPDATE",
        /// Failing for another reason.
        Error = "ERROR",
        /// Given up.
        Disconnected = "DISCONNECTED",
        /// Kept by hand or from files: there is no connection to fail.
        Manual = "MANUAL",
    }
}
