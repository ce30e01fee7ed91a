//! The typed catalogue: every read that Passbook offers, with its parameters, result and scope.
//!
//! [`catalogue::visit`] lists the operations. A program that knows its operation calls [`Service::call`] with typed
//! parameters. An adapter handles all operations alike: as [`CatalogueEntry`]s, which turn received parameters into JSON, or
//! with a [`catalogue::Visitor`] if it needs the types.
//!
//! ```
//! use passbook_operations::form::Form;
//! use passbook_operations::top_merchants::TopMerchants;
//! use passbook_operations::{CatalogueEntry, Operation, ParameterValue};
//!
//! let entry = CatalogueEntry::all().into_iter().find(|entry| entry.spec.id == "top_merchants").expect("a listed operation");
//! let declarations = entry.declarations(passbook_domain::scope::Surface::Rest);
//! let names: Vec<&str> = declarations.iter().map(|declared| declared.name).collect();
//! assert_eq!(names[..4], ["dateFrom", "dateTo", "timeRange", "period"]);
//! assert_eq!(names[4..9], ["includePending", "includeExcluded", "categories", "categoryGroups", "accountIds"]);
//! assert_eq!(names[9..], ["accounts", "banks", "merchantQuery", "merchants", "ownCategories", "tags", "limit"]);
//!
//! let received = [("timeRange", "2m"), ("limit", "0"), ("colour", "red")]
//!     .map(|(name, value)| (name.to_owned(), ParameterValue::Text(value.to_owned())));
//! let mut form = Form::new(&received);
//! TopMerchants::read(&mut form);
//! let error = form.finish().expect_err("three faults");
//! assert!(error.public().starts_with("timeRange must be one of the allowed values; received \"2m\";"));
//! ```

pub mod catalogue;
mod category_filter;
mod context;
pub mod error;
pub mod form;
mod label_groups;
mod names;
pub mod operation;
pub mod parameter;
mod parameter_value;
pub mod range_parameters;
mod service;
pub mod totals;

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

/// The crate of calendar days in parameters and results.
pub use jiff;
/// The crate of the types that parameters and results contain.
pub use passbook_domain;
/// The crate of a parameter's fault.
pub use passbook_input;
/// The crate of `JsonSchema`, which the result of an operation implements.
pub use schemars;
/// The crate of `Serialize`, which the result of an operation implements.
pub use serde;
/// The crate of JSON values in parameters.
pub use serde_json;
/// The crate of identifiers in parameters and results.
pub use uuid;

pub use catalogue::{Catalogue, CatalogueEntry};
pub use context::Context;
pub use error::{Code, Error, ParameterFault};
pub use operation::{Operation, Spec, TOOL_DESCRIPTION, TOOL_PLAIN, Tool, remove_tool_description};
pub use parameter_value::{ParameterValue, json_parameters};
pub use service::{Service, Snapshot};
