//! The database roles: the start-up check names every way a role or the wall can be wrong and the statement that
//! mends it; the reader cannot write or see past the wall whatever it says; the writer cannot change the tables.

mod check;
mod grants;
mod policies;
mod wall;
