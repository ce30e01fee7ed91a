//! Database roles: the start-up check reports every unsafe role, policy and view, and every missing object, with its
//! remedy; PostgreSQL denies the reader all writing and other people's rows, and the writer all changes of the schema.

mod check;
mod grants;
mod objects;
mod policies;
mod privileges;
