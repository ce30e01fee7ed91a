//! The HTML document of the dashboard, and the files that it loads.

use crate::join::{joined_script, joined_style};
use crate::module::{Kind, module};

/// The module that starts the page.
const ENTRY: &str = "modules/dashboard.js";
/// The icon of the page.
const ICON: &str = "icons/passbook.svg";
/// The manifest, whose addresses are relative to its own: the page is two folders above.
const MANIFEST: &str = "icons/passbook.webmanifest";

/// Addresses and options of the dashboard's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageOptions<'a> {
    /// The path below which the server delivers [`page_files`], with a slash at the end.
    pub assets: &'a str,
    /// The path of the page, with a slash at the end. The page requests `data/…` and `session/…` below this path.
    pub base: &'a str,
    /// True if the server offers sign-in at an identity provider. If false, the page only accepts a personal access
    /// token.
    pub sign_in: bool,
}

/// A file that the page loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageFile {
    /// The name below the folder of all files.
    pub name: &'static str,
    /// The content.
    pub content: Vec<u8>,
    /// The kind, which determines the media type.
    pub kind: Kind,
}

/// Returns the files that the page loads: the style sheet, the script, the icons and the manifest.
pub fn page_files() -> [PageFile; 6] {
    let text = |name| module(name).map_or("", |module| module.text).into();
    [
        PageFile { name: "passbook.css", content: joined_style(&[]).into(), kind: Kind::Style },
        PageFile { name: "passbook.js", content: joined_script(&[ENTRY]).into(), kind: Kind::Script },
        PageFile { name: "passbook.svg", content: text(ICON), kind: Kind::Icon },
        PageFile { name: "passbook.webmanifest", content: text(MANIFEST), kind: Kind::Manifest },
        PageFile {
            name: "passbook-192.png",
            content: include_bytes!("../icons/passbook-192.png").into(),
            kind: Kind::Image,
        },
        PageFile {
            name: "passbook-512.png",
            content: include_bytes!("../icons/passbook-512.png").into(),
            kind: Kind::Image,
        },
    ]
}

/// Returns the HTML document of the dashboard. The document has no inline script and no inline style, so that a
/// content security policy with `'self'` suffices.
pub fn page_html(options: &PageOptions<'_>) -> String {
    format!(
        r##"<!doctype html>
<html lang="en" data-base="{base}" data-sign-in="{sign_in}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f5f6f8" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0f1317" media="(prefers-color-scheme: dark)">
<title>Passbook</title>
<link rel="stylesheet" href="{assets}passbook.css">
<script type="module" src="{assets}passbook.js"></script>
<link rel="icon" type="image/svg+xml" href="{assets}passbook.svg">
<link rel="apple-touch-icon" href="{assets}passbook-192.png">
<link rel="manifest" href="{assets}passbook.webmanifest">
</head>
<body>
<noscript>Passbook needs JavaScript to draw its pictures. The same figures are available over the REST API.</noscript>
</body>
</html>
"##,
        assets = attribute(options.assets),
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
        let manifest = module(MANIFEST).expect("a manifest").text;
        for file in page_files() {
            let address = format!("=\"/assets/abc/{}\"", file.name);
            let is_listed = manifest.contains(&format!("\"src\": \"{}\"", file.name));
            assert!(page.contains(&address) || is_listed, "{}", file.name);
            assert!(!file.content.is_empty(), "{}", file.name);
        }
        assert!(page.contains(r#"data-base="/" data-sign-in="true""#), "{page}");
        assert!(!page.contains("<style") && !page.contains("style=") && page.matches("<script").count() == 1);
        assert!(page.contains("></script>"));
    }

    #[test]
    fn script_of_the_page_has_all_it_needs_and_nothing_of_assistants() {
        let [style, script, ..] =
            page_files().map(|file| String::from_utf8_lossy(&file.content).into_owned());
        assert!(script.contains("var d3") && script.contains("const BASE = "), "{script}");
        assert!(!script.contains("\nimport ") && !script.contains("\nexport "), "{script}");
        assert!(!script.contains("function startApp("), "{script}");
        assert!(!style.contains("@import") && !style.contains("url("), "{style}");
    }

    #[test]
    fn addresses_are_escaped() {
        let page = page_html(&PageOptions { assets: "/a\"b/", base: "/<&/", sign_in: false });
        assert!(page.contains("/a&quot;b/passbook.js"), "{page}");
        assert!(page.contains("data-base=\"/&lt;&amp;/\""), "{page}");
    }
}
