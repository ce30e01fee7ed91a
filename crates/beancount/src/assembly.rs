//! Creates all records except transactions: banks, accounts, balances, securities, prices and holdings.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use passbook_domain::money::AMOUNT_CENTS_MAX;
use passbook_domain::portfolio::AccountType;
use passbook_input::Faults;
use passbook_records::Located;
use passbook_records::record::{Account, BalanceSnapshot, Bank, Holding, Record, Security, SecurityPrice};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::balances::{Balances, day_before};
use super::commodity::{Commodities, Prices};
use super::ledger::{BeancountLedger, Content, Identity};
use super::lots::{Lot, Lots};
use super::number::cents;
use super::own_accounts::{OwnAccounts, currency_of};
use super::rows::{Accountless, Placeholder};

/// Name of the bank and of the account for transactions that touch none of the owner's accounts.
const ACCOUNTLESS: &str = "No account";

/// Everything that is needed to create the records of one user.
#[derive(Debug)]
pub(super) struct Assembly<'a> {
    pub(super) identity: &'a Identity,
    /// The time zone of the person.
    pub(super) time_zone: TimeZone,
    /// The last day that current balances and holdings include.
    pub(super) today: Date,
    pub(super) ledger: &'a BeancountLedger,
    pub(super) accounts: &'a OwnAccounts,
    pub(super) commodities: &'a Commodities,
}

impl Assembly<'_> {
    /// Returns the records of the banks, of the accounts with their balance today, and of all balance snapshots.
    pub(super) fn accounts(&self, balances: &Balances, accountless: &Accountless) -> Vec<Located> {
        let mut banks = BTreeSet::new();
        let mut records = Vec::new();
        // The day of a time depends on the person's time zone, which may change. Noon keeps its day in most zones.
        let noon = self.known_until().at(12, 0, 0, 0).to_zoned(self.time_zone.clone());
        let updated_at = noon.map(|noon| noon.timestamp()).unwrap_or_default();
        for (own, balances) in self.accounts.all.iter().zip(balances) {
            let place = own.place.to_string();
            if banks.insert(own.bank.clone()) {
                records.push(self.bank(&own.bank, &place));
            }
            let account = Account {
                user_id: self.identity.user_id,
                account_id: own.account_id,
                bank_id: self.bank_id(&own.bank),
                name: own.name.clone(),
                account_type: own.account_type,
                subtype: own.subtype.clone(),
                currency: own.currency,
                balance_cents: Some(balances.range(..=self.today).next_back().map_or(0, |(_, cents)| *cents)),
                balance_updated_at: Some(updated_at),
                opened_on: None,
                closed_on: own.closed_on,
                rows_complete_from: balances.keys().next().copied(),
                source: self.identity.source(),
            };
            records.push(Located { place: place.clone(), record: Record::Account(account) });
            records.extend(balances.iter().map(|(as_of, balance_cents)| {
                let (user_id, account_id) = (self.identity.user_id, own.account_id);
                let snapshot =
                    BalanceSnapshot { user_id, account_id, as_of: *as_of, balance_cents: *balance_cents };
                Located { place: place.clone(), record: Record::BalanceSnapshot(snapshot) }
            }));
        }
        if !accountless.is_empty() {
            records.push(self.bank(ACCOUNTLESS, ACCOUNTLESS));
        }
        for (currency, Placeholder { account_id, first_day }) in accountless {
            let account = Account {
                user_id: self.identity.user_id,
                account_id: *account_id,
                bank_id: self.bank_id(ACCOUNTLESS),
                name: format!("{ACCOUNTLESS} ({currency})"),
                account_type: AccountType::Other,
                subtype: "none".to_owned(),
                currency: *currency,
                balance_cents: Some(0),
                balance_updated_at: Some(updated_at),
                opened_on: None,
                closed_on: None,
                rows_complete_from: None,
                source: self.identity.source(),
            };
            records.push(Located { place: ACCOUNTLESS.to_owned(), record: Record::Account(account) });
            let snapshot = BalanceSnapshot {
                user_id: self.identity.user_id,
                account_id: *account_id,
                as_of: day_before(*first_day, *first_day),
                balance_cents: 0,
            };
            let record = Record::BalanceSnapshot(snapshot);
            records.push(Located { place: ACCOUNTLESS.to_owned(), record });
        }
        records
    }

    /// Returns the day of the last transaction, price or balance assertion up to today; `today` if there is none.
    fn known_until(&self) -> Date {
        let has_amount = |content: &Content| {
            matches!(content, Content::Transaction(_) | Content::Price { .. } | Content::Balance { .. })
        };
        let days = self.ledger.directives.iter().filter(|directive| has_amount(&directive.content));
        let days = days.map(|directive| directive.date).filter(|day| *day <= self.today);
        days.max().unwrap_or(self.today)
    }

    fn bank_id(&self, name: &str) -> Uuid {
        self.identity.derive("bank", name)
    }

    fn bank(&self, name: &str, place: &str) -> Located {
        let bank = Bank::manual(self.identity.user_id, self.bank_id(name), name);
        Located { place: place.to_owned(), record: Record::Bank(bank) }
    }

    fn security_id(&self, code: &str) -> Option<Uuid> {
        let security = self.commodities.securities.get(code)?;
        Some(self.identity.derive("security", &format!("{code}/{}", security.currency)))
    }

    /// Returns the records of the securities and their prices.
    pub(super) fn securities(&self, prices: &Prices) -> Vec<Located> {
        let mut records = Vec::new();
        for (code, security) in &self.commodities.securities {
            let Some(security_id) = self.security_id(code) else { continue };
            let quotes = prices.0.get(code);
            let first = quotes.and_then(|days| days.values().next());
            let place = first.map_or_else(|| code.to_string(), |quote| quote.place.to_string());
            let record = Record::Security(Security {
                user_id: self.identity.user_id,
                security_id,
                name: security.name.clone().unwrap_or_else(|| code.to_string()),
                security_type: security.kind,
                currency: security.currency,
                symbol: Some(code.to_string()),
                isin: None,
                is_cash_equivalent: false,
            });
            records.push(Located { place, record });
            for (as_of, quote) in quotes.into_iter().flatten() {
                let price = SecurityPrice {
                    user_id: self.identity.user_id,
                    security_id,
                    as_of: *as_of,
                    price: quote.price,
                };
                records
                    .push(Located { place: quote.place.to_string(), record: Record::SecurityPrice(price) });
            }
        }
        records
    }

    /// Returns the records of the current holdings. A holding has a cost if every lot has a cost in the account's
    /// currency.
    pub(super) fn holdings(&self, lots: &Lots, faults: &mut Faults) -> Vec<Located> {
        let mut held: BTreeMap<(usize, &Arc<str>), Vec<&Lot>> = BTreeMap::new();
        for (account, code, of_account) in lots.held() {
            let Some(security) = self.commodities.securities.get(code) else { continue };
            debug_assert_eq!(currency_of(code, self.commodities), Some(security.currency));
            if let Some(position) = self.accounts.position(account, security.currency) {
                held.entry((position, code)).or_default().extend(of_account);
            }
        }
        let records = held.into_iter().filter_map(|((position, code), lots)| {
            let own = &self.accounts.all[position];
            let quantity: Decimal = lots.iter().map(|lot| lot.quantity).sum();
            let costs: Option<Decimal> = lots.iter().map(|lot| cost(lot, own.currency.as_str())).sum();
            let paid = costs.map(|costs| cents(costs).map(|(cents, _)| cents));
            if paid.is_some_and(|paid| paid.is_none_or(|paid| paid.saturating_abs() > AMOUNT_CENTS_MAX)) {
                faults.push(own.place.fault("the cost of a holding must be at most 9·10^13").received(code));
            }
            let holding = Holding {
                user_id: self.identity.user_id,
                account_id: own.account_id,
                security_id: self.security_id(code)?,
                quantity: quantity.normalize(),
                cost_basis_cents: paid.flatten(),
            };
            let record = Record::Holding(holding);
            (!quantity.is_zero()).then(|| Located { place: own.place.to_string(), record })
        });
        records.collect()
    }
}

fn cost(lot: &Lot, currency: &str) -> Option<Decimal> {
    let (cost, _) = lot.cost.as_ref().filter(|(cost, _)| *cost.commodity == *currency)?;
    lot.quantity.checked_mul(cost.number)
}
