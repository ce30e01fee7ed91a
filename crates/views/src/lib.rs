//! The pictures of a person's money: modules for a browser, and the HTML pages that load them.
//!
//! The modules are plain JavaScript (ECMAScript modules whose types are in comments). There is no build step: [`modules`] returns
//! the files as they are written, and a server delivers them under one path. A view is a module with one function from
//! the payload of a REST route to a DOM element. Two pages use the views:
//!
//! - [`page_html`] is the page of the dashboard. It loads the modules by their addresses.
//! - [`app_html`] is an MCP App (SEP-1865): one HTML document with one view, which needs no further request.
//!
//! This crate has texts only: no data of any person, no network and no files at run time.

#![warn(missing_docs)]

mod app;
mod imports;
mod module;
mod page;
mod view;

pub use app::app_html;
pub use module::{Kind, Module, modules};
pub use page::{PageOptions, page_html};
pub use view::View;
