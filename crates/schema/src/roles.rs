//! The roles that programs name.

/// The role that owns all tables and views. Neither superuser nor BYPASSRLS, so row-level security applies to it.
pub const OWNER: &str = "passbook_owner";
/// The role of the operator's tool and of synchronisation jobs. Reads and writes the rows of all users.
pub const WRITER: &str = "passbook_writer";
/// The role of the server. May only select from the views and call the functions of `passbook_read`.
pub const READER: &str = "passbook_reader";
