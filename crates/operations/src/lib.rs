//! The typed catalogue: every read the service offers, with its parameters, result and scope, and the one way to
//! call it.
//!
//! [`catalogue::visit`] is the table of contents. An adapter walks it to publish routes, tools or documents, reads
//! parameters with [`form::Form`], and calls [`Service::call`]; it never knows an operation by name.

#![warn(missing_docs)]

pub mod catalogue;
pub mod error;
pub mod form;
pub mod operation;
pub mod parameter;
pub mod query;
mod service;
mod shared;

pub mod banks_status;
pub mod budget_categories;
pub mod budget_summary;
pub mod cashflow_summary;
pub mod me;
pub mod portfolio;
pub mod preferences;
pub mod spending_categories;
pub mod spending_summary;
pub mod top_merchants;
pub mod transactions;

pub use error::{Code, Error};
pub use operation::{Operation, Spec};
pub use service::{Context, Service};
