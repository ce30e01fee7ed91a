//! A second implementation of the valuation rules, to compare with the product: day by day in exact decimals, over the
//! records that were loaded. It does not call the code under test.

use std::collections::{BTreeMap, BTreeSet};

use jiff::ToSpan as _;
use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_records::record::{Account, Record};
use rust_decimal::prelude::ToPrimitive as _;
use rust_decimal::{Decimal, RoundingStrategy};
use uuid::Uuid;

use crate::model::Model;

/// A total value and the assets that it does not include.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Valuation {
    /// The total in hundredths of the preferred currency.
    pub cents: i64,
    /// For each currency without a rate: the signed amount in hundredths that the total does not include.
    pub unconverted: BTreeMap<String, i64>,
    /// True if the value of an asset is unknown.
    pub partial: bool,
}

/// The value of one account or holding on a day. `cents` is `None` if the value is unknown.
struct Value {
    /// Identifier of the account or wallet.
    id: Uuid,
    part_type: &'static str,
    cents: Option<i64>,
    currency: Currency,
}

/// The valuation model of one household.
#[derive(Debug)]
pub struct ValuationModel<'a> {
    /// Converts amounts into the preferred currency.
    pub model: &'a Model<'a>,
    /// The records that were loaded.
    pub records: &'a [Record],
    /// The current day.
    pub today: Date,
}

impl ValuationModel<'_> {
    /// The total value at the end of a day.
    pub fn on(&self, day: Date) -> Valuation {
        self.sum(&self.values(day), day)
    }

    /// The value of each account and wallet at the end of a day.
    pub fn accounts_on(&self, day: Date) -> BTreeMap<String, Valuation> {
        self.parts(day, |value| value.id.to_string())
    }

    /// The value of each type of account, and of wallets, at the end of a day.
    pub fn types_on(&self, day: Date) -> BTreeMap<String, Valuation> {
        self.parts(day, |value| value.part_type.to_owned())
    }

    fn parts(&self, day: Date, name: impl Fn(&Value) -> String) -> BTreeMap<String, Valuation> {
        let mut parts: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for value in self.values(day) {
            parts.entry(name(&value)).or_default().push(value);
        }
        parts.into_iter().map(|(name, values)| (name, self.sum(&values, day))).collect()
    }

    fn sum(&self, values: &[Value], day: Date) -> Valuation {
        let mut valuation = Valuation::default();
        for value in values {
            self.add(&mut valuation, value.cents, value.currency, day);
        }
        valuation
    }

    /// The value of each account and of each holding of a wallet at the end of a day.
    fn values(&self, day: Date) -> Vec<Value> {
        let mut values = Vec::new();
        for record in self.records {
            if let Record::Account(account) = record
                && account.closed_on.is_none_or(|closed| closed > day)
            {
                let (id, part_type) = (account.account_id, account.account_type.as_str());
                let cents = self.balance(account, day);
                values.push(Value { id, part_type, cents, currency: account.currency });
            }
        }
        let known = day.min(self.today);
        for (wallet, security) in self.contents() {
            let quantity = self.quantity(wallet, security, known).unwrap_or_default();
            if quantity.is_zero() {
                continue;
            }
            let cents = self.price(security, known).map(|price| {
                let exact = quantity * price * Decimal::ONE_HUNDRED;
                let cents = exact.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
                cents.to_i64().expect("the amount fits into 64 bits")
            });
            values.push(Value { id: wallet, part_type: "wallet", cents, currency: self.currency(security) });
        }
        values
    }

    /// The first day from which on every value is known. None if a value is unknown today, or if every value has been
    /// known since `earliest`.
    pub fn complete_from(&self, earliest: Date) -> Option<Date> {
        let mut day = self.today;
        while !self.on(day).partial {
            if day == earliest {
                return None;
            }
            day = day.checked_sub(1.day()).expect("in range");
        }
        (day < self.today).then(|| day.checked_add(1.day()).expect("in range"))
    }

    /// The first day of a stored balance or wallet holding.
    pub fn first_known(&self) -> Option<Date> {
        let days = self.records.iter().filter_map(|record| match record {
            Record::BalanceSnapshot(snapshot) => Some(snapshot.as_of),
            Record::WalletHolding(held) => Some(held.as_of),
            _ => None,
        });
        days.min()
    }

    fn add(&self, valuation: &mut Valuation, cents: Option<i64>, currency: Currency, day: Date) {
        let Some(cents) = cents else {
            valuation.partial = true;
            return;
        };
        match self.model.exchanged(cents, currency, day) {
            Some(converted) => valuation.cents += converted,
            None => *valuation.unconverted.entry(currency.to_string()).or_default() += cents,
        }
    }

    fn balance(&self, account: &Account, day: Date) -> Option<i64> {
        if day >= self.today {
            return Some(account.balance_cents);
        }
        let mut latest = None;
        for record in self.records {
            if let Record::BalanceSnapshot(snapshot) = record
                && snapshot.account_id == account.account_id
                && snapshot.as_of <= day
            {
                latest = latest.max(Some((snapshot.as_of, snapshot.balance_cents)));
            }
        }
        latest.map(|(_, cents)| cents)
    }

    fn contents(&self) -> BTreeSet<(Uuid, Uuid)> {
        let held = self.records.iter().filter_map(|record| match record {
            Record::WalletHolding(held) => Some((held.wallet_id, held.security_id)),
            _ => None,
        });
        held.collect()
    }

    fn quantity(&self, wallet: Uuid, security: Uuid, day: Date) -> Option<Decimal> {
        let rows = self.records.iter().filter_map(|record| match record {
            Record::WalletHolding(held) if held.wallet_id == wallet && held.security_id == security => {
                Some((held.as_of, held.quantity))
            }
            _ => None,
        });
        latest(rows, day)
    }

    fn price(&self, security: Uuid, day: Date) -> Option<Decimal> {
        let rows = self.records.iter().filter_map(|record| match record {
            Record::SecurityPrice(price) if price.security_id == security => Some((price.as_of, price.price)),
            _ => None,
        });
        latest(rows, day)
    }

    fn currency(&self, wanted: Uuid) -> Currency {
        let found = self.records.iter().find_map(|record| match record {
            Record::Security(security) if security.security_id == wanted => Some(security.currency),
            _ => None,
        });
        found.expect("every held security is among the records")
    }
}

/// The value of the last row on or before a day.
fn latest(rows: impl Iterator<Item = (Date, Decimal)>, day: Date) -> Option<Decimal> {
    rows.filter(|(as_of, _)| *as_of <= day).max_by_key(|(as_of, _)| *as_of).map(|(_, value)| value)
}
