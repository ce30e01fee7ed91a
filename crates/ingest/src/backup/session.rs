//! The settings of a transaction that copies rows.

/// Settings of a transaction that copies rows: the text of a value must not depend on the settings of the session, the
/// role or the database, and a large table may take longer than a time limit for queries.
pub(super) const SESSION: &str = "set local time zone 'UTC'; set local datestyle = 'ISO, YMD'; \
    set local intervalstyle = 'iso_8601'; set local bytea_output = 'hex'; set local extra_float_digits = 1; \
    set local row_security = on; set local statement_timeout = 0; \
    set local idle_in_transaction_session_timeout = 0;";
