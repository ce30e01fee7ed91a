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
//!
//! In `modules`, `view_*.js` are the views, `chart_*.js` the charts as SVG, `inspector.js` the slider that shows values for
//! pointer, touch and keyboard, and `text.js` every text. `dashboard.js` is the entry of the page, `app.js` that of a
//! picture in an assistant. `vendor` has the functions of d3 that the views use; `xtask/lab/clients/pictures/vendor.mjs`
//! rewrites the folder.
//!
//! `cargo lab clients pictures` checks these invariants, with the type checker and the linter:
//!
//! | invariant | mechanism |
//! |---|---|
//! | Every figure equals the payload, to the cent. | Cents are whole numbers until `Intl` formats them. |
//! | A text of a third party never becomes markup. | `dom.js` creates text nodes only; the page requires Trusted Types. |
//! | A joined document behaves as its modules do. | Top-level names are unique, and imports rename nothing. |
//!
//! ```
//! use passbook_views::{View, app_html};
//!
//! assert!(app_html(View::Cashflow).starts_with("<!doctype html>"));
//! ```

mod app;
mod imports;
mod module;
mod page;
mod view;

pub use app::app_html;
pub use module::{Kind, Module, modules};
pub use page::{PageOptions, page_html};
pub use view::View;
