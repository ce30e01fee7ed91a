//! The table of the files of which the pages consist.

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// An ECMAScript module.
    Script,
    /// A style sheet.
    Style,
    /// A vector picture.
    Icon,
    /// A picture of pixels.
    Image,
    /// The description of the page for browsers that install it.
    Manifest,
}

impl Kind {
    /// Returns the value of the `Content-Type` header.
    pub const fn media_type(self) -> &'static str {
        match self {
            Kind::Script => "text/javascript; charset=utf-8",
            Kind::Style => "text/css; charset=utf-8",
            Kind::Icon => "image/svg+xml",
            Kind::Image => "image/png",
            Kind::Manifest => "application/manifest+json",
        }
    }
}

/// A file as it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Module {
    /// The path below the folder of all files, such as `modules/money.js`. Modules import each other by relative paths.
    pub(crate) name: &'static str,
    /// The content.
    pub(crate) text: &'static str,
    /// The kind, which determines the media type.
    pub(crate) kind: Kind,
}

/// Builds the table of the files of one kind from their paths.
macro_rules! files {
    ($($kind:ident $name:literal),* $(,)?) => {
        [$(Module { name: $name, text: include_str!(concat!("../", $name)), kind: Kind::$kind }),*]
    };
}

/// Every file. A script comes after the scripts that it imports, because they are joined in this order. A style
/// sheet comes after those whose rules it changes.
pub(crate) static MODULES: [Module; COUNT] = files![
    Script "vendor/d3.js",
    Script "modules/text.js",
    Script "modules/text_de.js",
    Script "modules/text_es.js",
    Script "modules/text_fr.js",
    Script "modules/text_pt_br.js",
    Script "modules/text_pt_pt.js",
    Script "modules/dom.js",
    Script "modules/numbers.js",
    Script "modules/money.js",
    Script "modules/dates.js",
    Script "modules/categories.js",
    Script "modules/table.js",
    Script "modules/notes.js",
    Script "modules/controls.js",
    Script "modules/month.js",
    Script "modules/figure.js",
    Script "modules/inspector.js",
    Script "modules/plot.js",
    Script "modules/chart_line.js",
    Script "modules/chart_bars.js",
    Script "modules/chart_sankey.js",
    Script "modules/chart_progress.js",
    Script "modules/view_portfolio.js",
    Script "modules/view_net_worth.js",
    Script "modules/view_cashflow.js",
    Script "modules/spending_flow.js",
    Script "modules/view_merchants.js",
    Script "modules/view_spending.js",
    Script "modules/view_own_words.js",
    Script "modules/view_recurring.js",
    Script "modules/view_budgets.js",
    Script "modules/view_transactions.js",
    Script "modules/view_banks.js",
    Script "modules/bridge.js",
    Script "modules/app.js",
    Script "modules/router.js",
    Script "modules/language.js",
    Script "modules/session.js",
    Script "modules/sign_in.js",
    Script "modules/visits.js",
    Script "modules/card.js",
    Script "modules/shell.js",
    Script "modules/transaction_filters.js",
    Script "modules/upcoming_calendar.js",
    Script "modules/places.js",
    Script "modules/place_detail.js",
    Script "modules/place_home.js",
    Script "modules/dashboard.js",
    Style "styles/theme.css",
    Style "styles/charts.css",
    Style "styles/lists.css",
    Style "styles/controls.css",
    Style "styles/media.css",
    Style "styles/page.css",
    Icon "icons/passbook.svg",
    Manifest "icons/passbook.webmanifest",
];

/// Number of the files.
const COUNT: usize = 57;

/// Returns the file with this name.
pub(crate) fn module(name: &str) -> Option<&'static Module> {
    MODULES.iter().find(|module| module.name == name)
}
