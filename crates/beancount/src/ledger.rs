//! The types of a parsed ledger, before booking: dated directives with their places, and the options that affect
//! amounts and names.

use std::fmt;
use std::sync::Arc;

use jiff::civil::Date;
use passbook_input::Fault;
use passbook_records::id;
use rust_decimal::Decimal;
use uuid::Uuid;

/// A line in a file of the ledger. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: Arc<str>,
    pub(super) line: u32,
}

impl Place {
    /// Creates a fault at this line.
    pub(super) fn fault(&self, rule: impl Into<String>) -> Fault {
        Fault::new(self.to_string(), rule)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A number of units of a commodity, such as `10.00 USD` or `3 ITOT`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Amount {
    pub(super) number: Decimal,
    pub(super) commodity: Arc<str>,
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.number, self.commodity)
    }
}

/// One dated directive.
#[derive(Clone, Debug)]
pub(super) struct Directive {
    pub(super) place: Place,
    pub(super) date: Date,
    pub(super) content: Content,
}

/// The kinds of directives that are imported.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Open { account: Arc<str>, currencies: Vec<Arc<str>>, booking: Option<String> },
    Close { account: Arc<str> },
    Commodity { code: Arc<str>, name: Option<String>, kind: Option<String> },
    Price { commodity: Arc<str>, amount: Amount },
    Balance { account: Arc<str>, amount: Amount, tolerance: Option<Decimal> },
    Pad { account: Arc<str>, source: Arc<str> },
    Transaction(LedgerTransaction),
}

impl Content {
    /// Returns the rank of the directive within its day: accounts open first, then balances are asserted, and accounts
    /// close last.
    fn order(&self) -> i8 {
        match self {
            Content::Open { .. } => -2,
            Content::Balance { .. } => -1,
            Content::Close { .. } => 2,
            _ => 0,
        }
    }
}

/// Sorts directives into the order in which they take effect. Directives of equal rank keep the order of the files.
pub(super) fn sort(directives: &mut [Directive]) {
    directives.sort_by_key(|directive| (directive.date, directive.content.order()));
}

/// A transaction as the ledger contains it, before booking.
#[derive(Clone, Debug)]
pub(super) struct LedgerTransaction {
    pub(super) payee: Option<String>,
    pub(super) narration: Option<String>,
    /// The links of the first line, such as `order-1` of `^order-1`, sorted.
    pub(super) links: Vec<Arc<str>>,
    /// The tags of the first line and those that are pushed, sorted, none twice without regard to case.
    pub(super) tags: Vec<Arc<str>>,
    pub(super) postings: Vec<Posting>,
}

impl LedgerTransaction {
    /// Adds the tags that are pushed, and sorts all tags.
    pub(super) fn add_tags(&mut self, pushed: &[Arc<str>]) {
        self.tags.extend(pushed.iter().cloned());
        self.tags.sort_by_key(|tag| (tag.to_lowercase(), tag.clone()));
        self.tags.dedup_by_key(|tag| tag.to_lowercase());
    }
}

/// One line (posting) of a transaction as the ledger contains it. Without `units`, the amount is inferred from the
/// other lines.
#[derive(Clone, Debug)]
pub(super) struct Posting {
    pub(super) account: Arc<str>,
    pub(super) units: Option<Amount>,
    pub(super) cost: Option<CostSpec>,
    pub(super) price: Option<Price>,
}

/// The cost of a posting, which is written in braces. Every part of it is optional.
#[derive(Clone, Debug)]
pub(super) struct CostSpec {
    pub(super) amount: Option<Amount>,
    pub(super) date: Option<Date>,
}

/// The price of a posting: after `@` the price of one unit, after `@@` the price of all units.
#[derive(Clone, Debug)]
pub(super) enum Price {
    Unit(Amount),
    Total(Amount),
}

/// The five types of accounts. Each has a word that account names begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    Assets,
    Liabilities,
    Equity,
    Income,
    Expenses,
}

/// The rule for a booking method, as a clause after its name.
pub(super) const METHODS: &str = "must be STRICT, STRICT_WITH_SIZE, FIFO, LIFO, HIFO or NONE";

/// The method that chooses lots if several match a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Strict,
    StrictWithSize,
    Fifo,
    Lifo,
    Hifo,
    /// Reductions are not matched with lots; they become lots with a negative quantity.
    None,
}

impl Method {
    /// Parses the word of an `open` directive or of the option `booking_method`.
    pub(super) fn parse(word: &str) -> Option<Method> {
        Some(match word {
            "STRICT" => Method::Strict,
            "STRICT_WITH_SIZE" => Method::StrictWithSize,
            "FIFO" => Method::Fifo,
            "LIFO" => Method::Lifo,
            "HIFO" => Method::Hifo,
            "NONE" => Method::None,
            _ => return None,
        })
    }
}

/// The options that affect amounts or account names.
#[derive(Clone, Debug)]
pub(super) struct Options {
    roots: [(Root, String); 5],
    pub(super) title: Option<String>,
    pub(super) operating: Vec<Arc<str>>,
    pub(super) booking: Method,
    pub(super) tolerance_multiplier: Decimal,
    pub(super) tolerance_defaults: Vec<(String, Decimal)>,
    pub(super) tolerance_from_cost: bool,
    /// True if accounts need not be opened, because the ledger uses the plug-in `auto_accounts`.
    pub(super) opens_accounts: bool,
}

impl Default for Options {
    fn default() -> Self {
        let named = |root, name: &str| (root, name.to_owned());
        Options {
            roots: [
                named(Root::Assets, "Assets"),
                named(Root::Liabilities, "Liabilities"),
                named(Root::Equity, "Equity"),
                named(Root::Income, "Income"),
                named(Root::Expenses, "Expenses"),
            ],
            title: None,
            operating: Vec::new(),
            booking: Method::Strict,
            tolerance_multiplier: Decimal::new(5, 1),
            tolerance_defaults: Vec::new(),
            tolerance_from_cost: false,
            opens_accounts: false,
        }
    }
}

impl Options {
    /// Returns the type of an account by the first word of its name; `None` for another word.
    pub(super) fn root(&self, account: &str) -> Option<Root> {
        let first = account.split(':').next()?;
        self.roots.iter().find(|(_, name)| name == first).map(|(root, _)| *root)
    }

    /// Sets an option of the ledger. Ignores options that affect neither amounts nor names.
    ///
    /// # Errors
    ///
    /// The broken rule, as a clause after the option's name.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), &'static str> {
        match name {
            "name_assets" => value.clone_into(&mut self.roots[0].1),
            "name_liabilities" => value.clone_into(&mut self.roots[1].1),
            "name_equity" => value.clone_into(&mut self.roots[2].1),
            "name_income" => value.clone_into(&mut self.roots[3].1),
            "name_expenses" => value.clone_into(&mut self.roots[4].1),
            "title" => self.title = Some(value.to_owned()),
            "operating_currency" => self.operating.push(value.into()),
            "booking_method" => self.booking = Method::parse(&value.to_uppercase()).ok_or(METHODS)?,
            "inferred_tolerance_multiplier" | "tolerance_multiplier" => {
                self.tolerance_multiplier = value.parse().map_err(|_| "must be a number")?;
            }
            "infer_tolerance_from_cost" => self.tolerance_from_cost = value.eq_ignore_ascii_case("true"),
            "inferred_tolerance_default" => {
                let (code, number) = value.split_once(':').ok_or("must look like USD:0.005")?;
                let number = number.parse().map_err(|_| "must look like USD:0.005")?;
                self.tolerance_defaults.push((code.to_owned(), number));
            }
            _ => {}
        }
        Ok(())
    }
}

/// All directives of a ledger and its included files, sorted by date.
#[derive(Debug, Default)]
pub(super) struct BeancountLedger {
    pub(super) options: Options,
    pub(super) directives: Vec<Directive>,
}

/// Returns the text in the field `source` of the accounts of a ledger.
pub fn source(ledger: &str) -> String {
    format!("beancount:{ledger}")
}

/// The person and the name of the ledger, from which identifiers are derived.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    pub(super) user_id: Uuid,
    pub(super) ledger: String,
}

impl Identity {
    /// Derives the identifier of a record from its kind and its name in the ledger.
    pub(super) fn derive(&self, kind: &str, source_id: &str) -> Uuid {
        id::derive(self.user_id, &format!("beancount/{}/{kind}", self.ledger), source_id)
    }

    /// Returns the text in the field `source` of this ledger's accounts.
    pub(super) fn source(&self) -> Option<String> {
        Some(source(&self.ledger))
    }
}
