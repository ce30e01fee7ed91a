//! Positions of simulated accounts, with their value today.

use std::cmp::Reverse;

use passbook_domain::decimal::DecimalText;
use passbook_domain::money::Money;
use passbook_domain::portfolio::{PaperPosition, PositionSide, Valued};
use passbook_domain::ports::ReadError;
use uuid::Uuid;

use super::quantity::{is_zero, value_cents};
use super::{Valuation, broken};

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
