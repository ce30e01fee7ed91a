//! The HTML document of the dashboard.

use std::fmt::Write;

use crate::module::{Kind, modules};

/// Addresses and options of the dashboard's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageOptions<'a> {
    /// The path below which the server delivers [`modules`], with a slash at the end.
    pub assets: &'a str,
    /// The path of the page, with a slash at the end. The page requests `data/…` and `session/…` below this path.
    pub base: &'a str,
    /// True if the server offers sign-in at an identity provider. If false, the page only accepts a personal access
    /// token.
    pub sign_in: bool,
}

/// Returns the HTML document of the dashboard. The document has no inline script and no inline style, so that a
/// content security policy with `'self'` suffices.
pub fn page_html(options: &PageOptions<'_>) -> String {
    let assets = attribute(options.assets);
    let mut links = String::new();
    for module in modules() {
        let name = module.name;
        // Writing to a String cannot fail.
        let _infallible = match module.kind {
            Kind::Icon => writeln!(links, r#"<link rel="icon" type="image/svg+xml" href="{assets}{name}">"#),
            Kind::Style => writeln!(links, r#"<link rel="stylesheet" href="{assets}{name}">"#),
            // Without these lines a browser would find the imports of a module only after it has loaded the module.
            Kind::Script => writeln!(links, r#"<link rel="modulepreload" href="{assets}{name}">"#),
        };
    }
    format!(
        r#"<!doctype html>
<html lang="en" data-base="{base}" data-sign-in="{sign_in}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Passbook</title>
{links}<script type="module" src="{assets}modules/dashboard.js"></script>
</head>
<body>
<noscript>Passbook needs JavaScript to draw its pictures. The same figures are available over the REST API.</noscript>
</body>
</html>
"#,
        base = attribute(options.base),
        sign_in = options.sign_in,
    )
}

/// Escapes the value of an attribute in double quotes.
fn attribute(value: &str) -> String {
    value.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_loads_every_file_and_has_no_inline_text() {
        let page = page_html(&PageOptions { assets: "/assets/abc/", base: "/", sign_in: true });
        for module in modules() {
            assert!(page.contains(&format!("href=\"/assets/abc/{}\"", module.name)), "{}", module.name);
        }
        assert!(page.contains(r#"data-base="/" data-sign-in="true""#), "{page}");
        assert!(!page.contains("<style") && !page.contains("style=") && page.matches("<script").count() == 1);
        assert!(page.contains("></script>"));
    }

    #[test]
    fn addresses_are_escaped() {
        let page = page_html(&PageOptions { assets: "/a\"b/", base: "/<&/", sign_in: false });
        assert!(page.contains("/a&quot;b/modules/money.js"), "{page}");
        assert!(page.contains("data-base=\"/&lt;&amp;/\""), "{page}");
    }
}
