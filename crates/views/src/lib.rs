//! The pictures of a person's money: modules for a browser, and the HTML pages that load them.
//!
//! The modules are plain JavaScript (ECMAScript modules whose types are in comments). There is no build step: a program
//! joins the files as they are written, without imports, exports and comments. A view is a module with one function from
//! the payload of a REST route to a DOM element. Two pages use the views:
//!
//! - [`page_html`] is the page of the dashboard. It loads one script and one style sheet, which [`page_files`] returns, and
//!   in another language than English one of [`language_files`].
//! - [`app_html`] is an MCP App (SEP-1865): one HTML document with one view, which needs no further request.
//!
//! This crate has texts only: no data of any person, no network and no files at run time.
//!
//! In `modules`, `view_*.js` are the views, `chart_*.js` the charts as SVG, `inspector.js` the slider that shows values for
//! pointer, touch and keyboard, and `text.js` every text, which `text_*.js` translate. `places.js` and `place_*.js`
//! compose the places of the page of parts, which `card.js` reads and shows. `dashboard.js` is the entry of the page,
//! `app.js` that of a picture in an assistant. `vendor` has the functions of d3 that the views use;
//! `xtask/lab/clients/pictures/vendor.mjs` rewrites the folder.
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
mod join;
mod languages;
mod module;
mod page;
mod view;

pub use app::app_html;
pub use languages::{language_files, preferred_language_file};
pub use module::Kind;
pub use page::{PageFile, PageOptions, page_files, page_html};
pub use view::View;
