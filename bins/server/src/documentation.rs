//! The pages of the documentation that the server serves beside the API: those for people who use the service. They
//! describe exactly the version that serves them.

use passbook_rest::DocumentationPage;

/// The served pages, in the order of the links on the start page.
pub const PAGES: &[DocumentationPage] = &[
    DocumentationPage {
        path: "/docs/clients.md",
        title: "Client guide",
        text: include_str!("../docs/clients.md"),
    },
    DocumentationPage {
        path: "/docs/api.md",
        title: "The REST interface",
        text: include_str!("../docs/api.md"),
    },
    DocumentationPage {
        path: "/docs/connecting-assistants.md",
        title: "Connecting assistants",
        text: include_str!("../docs/connecting-assistants.md"),
    },
    DocumentationPage {
        path: "/docs/figures.md",
        title: "How figures are computed",
        text: include_str!("../docs/figures.md"),
    },
];

#[cfg(test)]
mod tests {
    use super::PAGES;

    #[test]
    fn title_of_each_page_is_its_first_heading() {
        for page in PAGES {
            assert_eq!(page.text.lines().next(), Some(format!("# {}", page.title).as_str()), "{}", page.path);
        }
    }
}
