//! Securities in accounts and wallets, and positions of simulated accounts, with their value today.

use std::cmp::Reverse;

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::decimal::DecimalText;
use passbook_domain::money::Money;
use passbook_domain::portfolio::{Holding, PaperPosition, PositionSide, Valued, WalletHolding};
use passbook_domain::ports::ReadError;
use uuid::Uuid;

use super::quantity::{is_zero, value_cents};
use super::{StoredSecurity, Valuation, broken};

/// A price with its day, and the value of a quantity at this price; none without a price.
type Priced = (Option<DecimalText>, Option<Date>, Option<i64>);

impl Valuation<'_> {
    /// Returns the securities in open accounts, each with the identifier of its bank. The largest value is first;
    /// securities without a price or rate are last.
    pub(super) fn holdings(&self) -> Result<Vec<(Uuid, Holding)>, ReadError> {
        let mut holdings = Vec::new();
        for stored in self.open_accounts() {
            for (id, quantity) in stored.quantities.iter().filter(|(_, quantity)| !is_zero(quantity)) {
                let security = self.security(*id)?;
                let mut holding = Holding::new(
                    *id,
                    stored.account.id,
                    &security.name,
                    security.r#type,
                    quantity.clone(),
                    security.currency,
                );
                holding.symbol.clone_from(&security.symbol);
                holding.isin.clone_from(&security.isin);
                holding.is_cash_equivalent = security.is_cash_equivalent;
                holding.cost_basis_cents = stored.cost_bases.get(id).copied();
                (holding.price, holding.price_as_of, holding.value_cents) =
                    self.priced(security, quantity)?;
                holdings.push((stored.bank, holding));
            }
        }
        holdings.sort_by_cached_key(|(_, holding)| {
            let value = self.converted_value(holding.value_cents, holding.currency);
            (Reverse(value), holding.name.clone(), holding.security_id, holding.account_id)
        });
        Ok(holdings)
    }

    /// Returns the contents of the wallets today, each with the identifier of its wallet. The largest value is first;
    /// contents without a price or rate are last.
    pub(super) fn wallet_holdings(&self) -> Result<Vec<(Uuid, Valued<WalletHolding>)>, ReadError> {
        let mut holdings = Vec::new();
        for stored in &self.assets.wallets {
            for (id, quantities) in &stored.quantities {
                let Some((_, quantity)) = quantities.range(..=self.person.today).next_back() else {
                    continue;
                };
                if is_zero(quantity) {
                    continue;
                }
                let security = self.security(*id)?;
                let mut entry = WalletHolding::new(&security.name, quantity.clone(), security.currency);
                entry.symbol.clone_from(&security.symbol);
                (entry.price, entry.price_as_of, entry.value_cents) = self.priced(security, quantity)?;
                let converted_cents = self.converted_value(entry.value_cents, entry.currency);
                holdings.push((*id, (stored.wallet.id, Valued { entry, converted_cents })));
            }
        }
        holdings.sort_by_cached_key(|(id, (_, holding))| {
            (Reverse(holding.converted_cents), holding.entry.name.clone(), *id)
        });
        Ok(holdings.into_iter().map(|(_, holding)| holding).collect())
    }

    pub(super) fn priced(
        &self,
        security: &StoredSecurity,
        quantity: &DecimalText,
    ) -> Result<Priced, ReadError> {
        let Some((day, price)) = security.price(self.person.today) else { return Ok((None, None, None)) };
        let cents = value_cents(quantity, price).map_err(broken)?;
        Ok((Some(price.clone()), Some(day), Some(cents)))
    }

    fn converted_value(&self, cents: Option<i64>, currency: Currency) -> Option<i64> {
        self.converted(Money::new(cents?, currency), self.person.today)
    }
}

impl Valuation<'_> {
    /// Returns the open positions, each with the identifier of its account, converted into the currency of the account.
    /// A short position is worth less than nothing: what it would cost to buy the units back. The largest value is
    /// first; positions without a price or rate are last.
    pub(super) fn paper_positions(&self) -> Result<Vec<(Uuid, Valued<PaperPosition>)>, ReadError> {
        let mut positions = Vec::new();
        for stored in self.assets.paper_positions.iter().filter(|stored| !is_zero(&stored.quantity)) {
            let account = self.assets.paper_accounts.iter().find(|account| account.id == stored.account);
            let Some(account) = account else { continue };
            let security = self.security(stored.security)?;
            let signed = match stored.side {
                PositionSide::Long => stored.quantity.clone(),
                PositionSide::Short => negated(&stored.quantity)?,
            };
            let cost = value_cents(&signed, &stored.average_entry_price).map_err(broken)?;
            let mut entry = PaperPosition::new(
                stored.security,
                stored.side,
                stored.quantity.clone(),
                stored.average_entry_price.clone(),
                Money::new(cost, security.currency),
            );
            entry.symbol.clone_from(&security.symbol);
            (entry.market_price, _, entry.market_value_cents) = self.priced(security, &signed)?;
            entry.unrealized_pl_cents = entry.market_value_cents.map(|value| value - cost);
            let value = entry.market_value_cents.map(|cents| Money::new(cents, security.currency));
            let converted_cents =
                value.and_then(|value| self.rates.convert(value, account.currency, self.person.today));
            positions.push((&security.name, (stored.account, Valued { entry, converted_cents })));
        }
        positions.sort_by_cached_key(|(name, (_, position))| {
            let side = position.entry.side.as_str();
            (Reverse(position.converted_cents), (*name).clone(), position.entry.security_id, side)
        });
        Ok(positions.into_iter().map(|(_, position)| position).collect())
    }
}

fn negated(quantity: &DecimalText) -> Result<DecimalText, ReadError> {
    DecimalText::parse(&format!("-{quantity}")).map_err(broken)
}
