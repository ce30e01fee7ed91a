//! The data of a ledger in memory: people with their rows, and exchange rates.

use jiff::civil::Date;
use passbook_domain::budget::BudgetCategoryEntry;
use passbook_domain::category::ExpenseCategory;
use passbook_domain::label::{GroupLabel, Label};
use passbook_domain::month_start::MonthStart;
use passbook_domain::transaction::Transaction;
use passbook_domain::{Currency, Invalid, Money};
use uuid::Uuid;

use crate::assets::Assets;
use crate::rates::Rates;

/// The data of a ledger, and the day that the ledger uses as today.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LedgerData {
    /// The current day, the same for everybody.
    pub today: Date,
    /// The base currency of the rates.
    pub base: Currency,
    /// The exchange rates, which are the same for everybody.
    pub rates: Vec<Rate>,
    /// The people with their rows.
    pub people: Vec<StoredPerson>,
}

impl LedgerData {
    /// Creates data without people, with rates against the euro.
    pub fn new(today: Date) -> LedgerData {
        LedgerData { today, base: Currency::EUR, rates: Vec::new(), people: Vec::new() }
    }

    /// Returns the exchange rates in the form that converts.
    ///
    /// # Errors
    /// A rate is not a positive decimal number.
    pub fn rates(&self) -> Result<Rates, Invalid> {
        let mut rates = Rates::new(self.base);
        for rate in &self.rates {
            rates.insert(rate.currency, rate.day, &rate.units_per_base)?;
        }
        Ok(rates)
    }

    /// Returns the person with a name.
    pub fn person(&self, name: &str) -> Option<&StoredPerson> {
        self.people.iter().find(|person| person.name == name)
    }
}

/// One exchange rate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rate {
    /// The currency.
    pub currency: Currency,
    /// The day of the rate.
    pub day: Date,
    /// Number of units of the currency that are worth one unit of the base currency, as a decimal number.
    pub units_per_base: String,
}

/// One person: the settings and the rows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StoredPerson {
    /// Identifier of the user.
    pub id: Uuid,
    /// Name of the person, or another text that identifies them.
    pub name: String,
    /// Preferred currency.
    pub preferred_currency: Currency,
    /// IANA name of the time zone.
    pub time_zone: String,
    /// The day on which the person's months begin.
    pub month_start: MonthStart,
    /// Excluded expense categories.
    pub excluded_categories: Vec<ExpenseCategory>,
    /// Monthly targets of expense categories.
    pub targets: Vec<(ExpenseCategory, Money)>,
    /// Budgeted income categories.
    pub budgeted_income: Vec<BudgetCategoryEntry>,
    /// The own categories.
    pub own_categories: Vec<GroupLabel>,
    /// Tags that no transaction has. Those of transactions need not be listed.
    pub tags: Vec<Label>,
    /// The transactions, in any order. Links are those of the bank: also between a posted and a pending row.
    pub transactions: Vec<Transaction>,
    /// The banks, accounts and wallets. A ledger computes number of accounts and days since the last update of a bank.
    pub assets: Assets,
}

impl StoredPerson {
    /// Creates a person without rows, who uses the euro and UTC.
    pub fn new(id: Uuid, name: impl Into<String>) -> StoredPerson {
        StoredPerson {
            id,
            name: name.into(),
            preferred_currency: Currency::EUR,
            time_zone: "UTC".to_owned(),
            month_start: MonthStart::FIRST_DAY,
            excluded_categories: Vec::new(),
            targets: Vec::new(),
            budgeted_income: Vec::new(),
            own_categories: Vec::new(),
            tags: Vec::new(),
            transactions: Vec::new(),
            assets: Assets::default(),
        }
    }
}
