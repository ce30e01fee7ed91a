//! Finds the owner's accounts: groups account names into accounts at an institution, one for each currency.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::portfolio::AccountType;
use uuid::Uuid;

use super::account_map::AccountMap;
use super::booked::{Booked, Line};
use super::commodity::Commodities;
use super::ledger::{BeancountLedger, Content, Identity, Options, Place, Root};

/// One of the owner's accounts, in one currency.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OwnAccount {
    pub(super) account_id: Uuid,
    /// Name of the account in the ledger. Sub-accounts for single securities are merged into the broker's account.
    pub(super) ledger_name: Arc<str>,
    pub(super) name: String,
    pub(super) bank: String,
    pub(super) account_type: AccountType,
    pub(super) subtype: String,
    pub(super) currency: Currency,
    /// True if the account ever held a security.
    pub(super) holds_securities: bool,
    /// Day of the first `open` directive of the account's members; with the plug-in `auto_accounts`, the day of the
    /// first entry if that is earlier.
    pub(super) opened_on: Date,
    pub(super) closed_on: Option<Date>,
    pub(super) place: Place,
}

/// The owner's accounts, and the assignment of ledger lines to these accounts.
#[derive(Debug, Default)]
pub(super) struct OwnAccounts {
    /// The owner's accounts, sorted by ledger name and currency.
    pub(super) all: Vec<OwnAccount>,
    merged: BTreeMap<Arc<str>, Arc<str>>,
    by_name: BTreeMap<(Arc<str>, Currency), usize>,
}

impl OwnAccounts {
    /// Returns the position in `all` of the account that a line belongs to. `None` for income, expenses, equity, and
    /// for commodities that are neither money nor a security.
    pub(super) fn position_of_line(&self, line: &Line, commodities: &Commodities) -> Option<usize> {
        self.position(&line.account, currency_of(&line.units.commodity, commodities)?)
    }

    /// Returns the position in `all` of the account with a ledger name and a currency.
    pub(super) fn position(&self, account: &Arc<str>, currency: Currency) -> Option<usize> {
        let name = self.merged.get(account).unwrap_or(account);
        self.by_name.get(&(name.clone(), currency)).copied()
    }

    /// Finds all accounts under Assets and Liabilities that ever held money or securities.
    pub(super) fn find(
        ledger: &BeancountLedger,
        booked: &[Booked],
        commodities: &Commodities,
        map: &AccountMap,
        identity: &Identity,
    ) -> OwnAccounts {
        let mut used = Used::collect(booked, commodities, &ledger.options);
        used.merge(&ledger.options);
        let opened = Opened::collect(ledger);
        let mut accounts = OwnAccounts { merged: used.merged.clone(), ..OwnAccounts::default() };
        for (name, currencies) in &used.groups() {
            let main =
                opened.declared(name, commodities).filter(|declared| currencies.contains_key(declared));
            let main = main.or_else(|| dominant(currencies));
            for currency in currencies.keys() {
                let members = used.members(name);
                let mut account =
                    describe(name, *currency, used.holds_securities(name), &ledger.options, map);
                account.account_id = identity.derive("account", &format!("{name}/{currency}"));
                if main != Some(*currency) {
                    account.name = format!("{} ({currency})", account.name);
                }
                let first_days = [opened.opened_on(&members), used.first_day(&members)];
                account.opened_on = first_days.into_iter().flatten().min().unwrap_or_default();
                account.closed_on = opened.closed_on(&members);
                account.place = opened.place(&members).unwrap_or_else(|| used.first[name].clone());
                accounts.by_name.insert((name.clone(), *currency), accounts.all.len());
                accounts.all.push(account);
            }
        }
        accounts
    }
}

/// Returns the currency in which a commodity is counted; `None` if it is neither money nor a security.
pub(super) fn currency_of(code: &str, commodities: &Commodities) -> Option<Currency> {
    let security = || commodities.securities.get(code).map(|security| security.currency);
    commodities.money(code).or_else(security)
}

fn dominant(currencies: &BTreeMap<Currency, usize>) -> Option<Currency> {
    let most = currencies.iter().max_by_key(|(currency, count)| (**count, std::cmp::Reverse(**currency)));
    most.map(|(currency, _)| *currency)
}

/// Derives bank, name and type from the account name: `Assets:US:BofA:Checking` is `Checking` at `BofA`. A two-letter
/// component after the root is a country code.
fn describe(
    name: &Arc<str>,
    currency: Currency,
    securities: bool,
    options: &Options,
    map: &AccountMap,
) -> OwnAccount {
    let mut components = name.split(':').skip(1).peekable();
    let country = components.next_if(|component| component.len() == 2);
    let bank = components.next().or(country).unwrap_or(name).to_owned();
    let rest: Vec<&str> = components.collect();
    let label = if rest.is_empty() { bank.clone() } else { rest.join(" ") };
    let (account_type, subtype) = map.own_account(name, is_liability(name, options), securities);
    OwnAccount {
        account_id: Uuid::nil(),
        ledger_name: name.clone(),
        name: label,
        bank,
        account_type,
        subtype,
        currency,
        holds_securities: securities,
        opened_on: Date::default(),
        closed_on: None,
        place: Place { file: "".into(), line: 0 },
    }
}

/// Returns true for an account under Liabilities, and false for one under Assets.
pub(super) fn is_liability(name: &str, options: &Options) -> bool {
    options.root(name) == Some(Root::Liabilities)
}

/// The lines posted to the owner's accounts, counted.
#[derive(Default)]
struct Used {
    /// Number of lines by account name and currency.
    lines: BTreeMap<Arc<str>, BTreeMap<Currency, usize>>,
    securities: BTreeMap<Arc<str>, BTreeSet<Arc<str>>>,
    first: BTreeMap<Arc<str>, Place>,
    /// Day of the first line by account name.
    first_days: BTreeMap<Arc<str>, Date>,
    merged: BTreeMap<Arc<str>, Arc<str>>,
}

impl Used {
    fn collect(booked: &[Booked], commodities: &Commodities, options: &Options) -> Used {
        let mut used = Used::default();
        for transaction in booked {
            for line in &transaction.lines {
                let own = matches!(options.root(&line.account), Some(Root::Assets | Root::Liabilities));
                let code = &line.units.commodity;
                let (true, Some(currency)) = (own, currency_of(code, commodities)) else { continue };
                *used.lines.entry(line.account.clone()).or_default().entry(currency).or_default() += 1;
                used.first.entry(line.account.clone()).or_insert_with(|| transaction.place.clone());
                used.first_days.entry(line.account.clone()).or_insert(transaction.date);
                if commodities.securities.contains_key(code) {
                    used.securities.entry(line.account.clone()).or_default().insert(code.clone());
                }
            }
        }
        used
    }

    /// Merges the sub-accounts of a broker: `Assets:US:ETrade:ITOT`, which holds ITOT, becomes part of the account
    /// `Assets:US:ETrade`, and so does its sibling `Assets:US:ETrade:Cash`.
    fn merge(&mut self, options: &Options) {
        let mut brokers = BTreeSet::new();
        for (account, codes) in &self.securities {
            let Some((parent, leaf)) = account.rsplit_once(':') else { continue };
            let named_after = codes.iter().any(|code| code.eq_ignore_ascii_case(leaf));
            if named_after && parent.contains(':') && options.root(account) == Some(Root::Assets) {
                brokers.insert(Arc::<str>::from(parent));
                self.merged.insert(account.clone(), parent.into());
            }
        }
        for account in self.lines.keys() {
            let Some((parent, leaf)) = account.rsplit_once(':') else { continue };
            if leaf.eq_ignore_ascii_case("cash") && brokers.contains(parent) {
                self.merged.insert(account.clone(), parent.into());
            }
        }
        for (account, parent) in &self.merged {
            let first = self.first[account].clone();
            let known = self.first.entry(parent.clone()).or_insert_with(|| first.clone());
            if first.line < known.line {
                *known = first;
            }
        }
    }

    fn group(&self, account: &Arc<str>) -> Arc<str> {
        self.merged.get(account).unwrap_or(account).clone()
    }

    fn groups(&self) -> BTreeMap<Arc<str>, BTreeMap<Currency, usize>> {
        let mut groups: BTreeMap<Arc<str>, BTreeMap<Currency, usize>> = BTreeMap::new();
        for (account, currencies) in &self.lines {
            for (currency, count) in currencies {
                *groups.entry(self.group(account)).or_default().entry(*currency).or_default() += count;
            }
        }
        groups
    }

    fn members(&self, name: &Arc<str>) -> Vec<&Arc<str>> {
        self.lines.keys().filter(|account| self.group(account) == *name).collect()
    }

    fn first_day(&self, members: &[&Arc<str>]) -> Option<Date> {
        members.iter().filter_map(|account| self.first_days.get(*account).copied()).min()
    }

    fn holds_securities(&self, name: &Arc<str>) -> bool {
        self.members(name).iter().any(|account| self.securities.contains_key(*account))
    }
}

/// The `open` and `close` directives by account name.
struct Opened<'a> {
    opened: BTreeMap<&'a str, (Date, &'a Place, &'a [Arc<str>])>,
    closed: BTreeMap<&'a str, Date>,
}

impl<'a> Opened<'a> {
    fn collect(ledger: &'a BeancountLedger) -> Opened<'a> {
        let mut opened = Opened { opened: BTreeMap::new(), closed: BTreeMap::new() };
        for directive in &ledger.directives {
            match &directive.content {
                Content::Open { account, currencies, .. } => {
                    opened.opened.insert(account, (directive.date, &directive.place, currencies));
                }
                Content::Close { account } => {
                    opened.closed.insert(account, directive.date);
                }
                _ => {}
            }
        }
        opened
    }

    fn declared(&self, name: &str, commodities: &Commodities) -> Option<Currency> {
        match self.opened.get(name)?.2 {
            [only] => commodities.money(only),
            _ => None,
        }
    }

    fn place(&self, members: &[&Arc<str>]) -> Option<Place> {
        members.iter().find_map(|account| self.opened.get(&***account)).map(|(_, place, _)| (*place).clone())
    }

    /// Returns the day on which the first member of a merged account was opened.
    fn opened_on(&self, members: &[&Arc<str>]) -> Option<Date> {
        members.iter().filter_map(|account| self.opened.get(&***account)).map(|(day, ..)| *day).min()
    }

    /// Returns the day on which the last member of a merged account was closed, or `None` if one is still open.
    fn closed_on(&self, members: &[&Arc<str>]) -> Option<Date> {
        let days: Option<Vec<Date>> =
            members.iter().map(|account| self.closed.get(&***account).copied()).collect();
        days?.into_iter().max()
    }
}
