//! The settings of `passbook-server` and `passbook-admin`: one table, one reader, one rule for each kind of value.
//!
//! A setting is given as a flag, in the environment, or in the settings file. The first of these that has a value
//! wins; otherwise the default holds. [`Sources`] collects the given values, and [`Reader`] turns them into typed values.
//! The reader does not stop at the first problem: it collects every [`Fault`](passbook_input::Fault), so that an
//! operator can fix all of them at once.
//!
//! Both programs read each setting through this crate, so that a value means the same in both. A rule that needs a type
//! of another crate, such as a scope, is a function that the program passes to [`Reader::checked`].
//!
//! ```
//! use passbook_settings::{Reader, Sources, keys};
//!
//! let sources = Sources::from_environment([("PASSBOOK_CONNECTIONS", "0")]);
//! let mut reader = Reader::new(&sources);
//! assert_eq!(reader.value(keys::REQUEST_SECONDS), 10);
//! reader.value(keys::CONNECTIONS);
//! let faults = reader.finish(()).expect_err("0 is too small");
//! assert_eq!(faults[0].place, "PASSBOOK_CONNECTIONS");
//! ```

mod deployment;
mod example_file;
mod flags;
mod folders;
mod key;
mod reader;
pub mod remedies;
mod rules;
mod setting;
mod sources;
mod table;

pub use deployment::{Deployment, EmbeddedDatabase, certificate_files, default_origin};
pub use example_file::example_file;
pub use flags::{CONFIG_FLAG, flag_values, flags, settings_without_flag};
pub use key::Key;
pub use reader::Reader;
pub use setting::{Kind, Program, Setting};
pub use sources::Sources;
pub use table::{SETTINGS, keys};
