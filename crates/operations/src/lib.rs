//! The typed catalogue: every read the service offers, with its parameters, result and scope, and the one way to
//! call it.
//!
//! [`catalogue::visit`] is the table of contents. A program that knows what it wants calls [`Service::call`] with typed
//! parameters. An adapter walks the catalogue instead and never knows an operation by name: as [`Entry`]s, which turn
//! received text into JSON, or as a [`catalogue::Visitor`] where it needs the types.
//!
//! ```
//! use passbook_operations::Entry;
//! use passbook_operations::form::Given;
//!
//! let spending = Entry::all().into_iter().find(|entry| entry.spec.id == "top_merchants").expect("it is listed");
//! let names: Vec<&str> = spending.declarations(domain::scope::Surface::Rest).iter().map(|parameter| parameter.name).collect();
//! assert_eq!(names, ["dateFrom", "dateTo", "timeRange", "includePending", "includeExcluded", "limit"]);
//!
//! let given = [("limit", "0"), ("timeRange", "2m"), ("colour", "red")]
//!     .map(|(name, value)| (name.to_owned(), Given::Text(value.to_owned())));
//! let mut form = passbook_operations::form::Form::new(&given);
//! <passbook_operations::top_merchants::TopMerchants as passbook_operations::Operation>::read(&mut form);
//! let refused = form.finish().expect_err("three faults");
//! assert!(refused.public().contains("timeRange must be one of the allowed values"));
//! ```

#![warn(missing_docs)]

pub mod catalogue;
mod entry;
pub mod error;
pub mod form;
pub mod operation;
pub mod parameter;
mod service;
mod shared;

pub mod banks_status;
pub mod budget_categories;
pub mod budget_summary;
pub mod cashflow_summary;
pub mod me;
pub mod portfolio;
pub mod portfolio_history;
pub mod preferences;
pub mod recurring_payments;
pub mod spending_categories;
pub mod spending_summary;
pub mod top_merchants;
pub mod transactions;

pub use entry::Entry;
pub use error::{Code, Error};
pub use operation::{Operation, Spec, Tool};
pub use service::{Context, Service};
