//! MCP Apps: one HTML document for each view, which needs no further request.
//!
//! A host shows the document in a sandboxed frame whose policy permits inline scripts and styles and no request
//! (SEP-1865). Therefore the scripts are joined: the modules in the order of the table, without imports and exports. The
//! document itself forbids requests too, because a host may apply another policy.

use crate::join::{joined_script, joined_style};
use crate::view::View;

/// The module that connects a view with a host.
const ENTRY: &str = "modules/app.js";
/// The style sheet of the dashboard's frame, which an app does not have.
const FRAME_STYLE: &str = "styles/page.css";

/// The policy of every document, in addition to that of the host. It names no scripts and styles, because hosts add some of
/// their own.
const POLICY: &str =
    "connect-src 'none'; form-action 'none'; frame-src 'none'; object-src 'none'; worker-src 'none'";

/// Returns the HTML document of a view for the hosts of assistants. The document has no data: the host sends the result
/// of the tool to the document.
pub fn app_html(view: View) -> String {
    let (name, definition) = view.definition();
    let script = joined_script(&[ENTRY, name]);
    let style = joined_style(&[FRAME_STYLE]);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{style}</style>\n</head>\n<body>\n<script type=\"module\">\n{script}startApp({definition});\n\
         </script>\n</body>\n</html>\n",
        title = view.title(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::{Kind, MODULES};

    #[test]
    fn every_view_is_one_document_without_further_requests() {
        for view in View::ALL {
            let html = app_html(view);
            let (name, definition) = view.definition();
            assert!(html.contains(&format!("const {definition} = ")), "{name} has no {definition}");
            assert!(html.ends_with(&format!("startApp({definition});\n</script>\n</body>\n</html>\n")));
            assert!(html.contains(&format!("content=\"{POLICY}\">\n<meta name")), "{name}: no policy");
            assert!(!html.contains("\nimport ") && !html.contains("\nexport "), "{name}");
            assert!(
                !html.contains(" src=") && !html.contains(" href=") && !html.contains("@import"),
                "{name}"
            );
        }
    }

    #[test]
    fn no_file_ends_the_script_or_style_that_contains_it() {
        for module in MODULES.iter().filter(|module| module.kind != Kind::Icon) {
            let text = module.text.to_ascii_lowercase();
            for end in ["</script", "</style", "<!--", "<script"] {
                assert!(!text.contains(end), "{} contains {end}", module.name);
            }
        }
    }

    #[test]
    fn an_app_has_only_the_modules_of_its_view() {
        let banks = app_html(View::Banks);
        assert!(banks.contains("const banksView = ") && !banks.contains("const netWorthView = "));
        assert!(!banks.contains("var d3"), "the list of banks has no chart");
        assert!(app_html(View::NetWorth).contains("var d3"));
    }

    #[test]
    fn names_titles_and_tools_are_unique() {
        for (index, view) in View::ALL.into_iter().enumerate() {
            for other in View::ALL.into_iter().skip(index + 1) {
                assert_ne!(view.name(), other.name());
                assert_ne!(view.title(), other.title());
                assert!(view.tools().iter().all(|tool| !other.tools().contains(tool)), "{}", view.name());
            }
        }
    }
}
