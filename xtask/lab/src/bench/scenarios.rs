//! The scenarios of the benchmark.

mod answers;
mod ledger;
mod list;
mod page;
mod postgraphile;
mod process;
mod protocol;
mod ratio;
mod size;
mod totals;
mod writing;

use super::figures::Outcome;
use super::setting::Setting;

/// A scenario: its name, one sentence for the document, and its measurement.
pub(super) struct Scenario {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) run: fn(&Setting) -> Result<Outcome, String>,
}

/// Every scenario, in the order of the document.
pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario { name: "page", title: "A page of 50 transactions of a person with 100,000", run: page::run },
    Scenario { name: "month", title: "The cashflow of a month", run: ratio::month },
    Scenario { name: "tool", title: "A tool call of 25 transactions", run: ratio::tool },
    Scenario { name: "totals", title: "Totals as one person's ledger grows", run: totals::run },
    Scenario { name: "others", title: "Growth with the rows of other people", run: list::others },
    Scenario { name: "deep", title: "A page deep in the list", run: list::deep },
    Scenario { name: "filters", title: "Filters at 100,000 rows", run: list::filters },
    Scenario { name: "recurring", title: "Recurring payments", run: answers::recurring },
    Scenario { name: "history", title: "The history of a portfolio", run: answers::history },
    Scenario { name: "latency", title: "Latency at half of the saturated rate", run: process::latency },
    Scenario { name: "memory", title: "Memory with idle connections", run: process::memory },
    Scenario { name: "demo", title: "The first answer of the demo", run: process::demo },
    Scenario { name: "protocol", title: "Queries of requests that read no data", run: protocol::run },
    Scenario { name: "ledger", title: "A query of a Beancount ledger", run: ledger::run },
    Scenario { name: "graphql", title: "The page against PostGraphile", run: postgraphile::run },
    Scenario { name: "load", title: "Loading a million transactions", run: writing::load },
    Scenario { name: "size", title: "Bytes of a transaction", run: size::run },
    Scenario { name: "rates", title: "Loading the exchange rates of a day", run: writing::rates },
];
