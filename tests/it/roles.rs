//! Database roles: the start-up check reports every unsafe role, policy and view with its remedy; PostgreSQL denies the
//! reader all writing and other people's rows, and the writer all changes of the schema.

mod check;
mod grants;
mod policies;
mod privileges;
