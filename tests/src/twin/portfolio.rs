//! Securities, wallets and simulated accounts of a twin, and its own sign-in client.

use domain::portfolio::{PositionSide, SecurityType};
use domain::scope::Scope;
use formats::record::{
    Holding, OauthClient, OauthConsent, OauthSession, PaperAccount, PaperPosition, Record, Security,
    SecurityPrice, Wallet, WalletHolding,
};
use jiff::ToSpan as _;
use rust_decimal::Decimal;

use super::{Twin, at};
use crate::app::TODAY;
use crate::household::{currency_of, decimal};

/// Weeks of prices.
const WEEKS: i64 = 60;

pub(super) fn fill(twin: &mut Twin) {
    let fund = security(twin, "fund", "World Fund", SecurityType::Etf, "USD", "127.52");
    let coin = security(twin, "coin", "Bitcoin", SecurityType::Cryptocurrency, "EUR", "81234.50");
    let user_id = twin.household.user.user_id;
    twin.others.push(Record::Holding(Holding {
        user_id,
        account_id: twin.household.accounts[3],
        security_id: fund,
        quantity: decimal("61") * Decimal::from(twin.factor),
        cost_basis_cents: Some(769_011 * twin.factor),
    }));
    let wallet_id = twin.id("wallet");
    twin.others.push(Record::Wallet(Wallet {
        user_id,
        wallet_id,
        name: twin.marked("Cold wallet"),
        network: twin.marked_code("BITCOIN"),
        address: Some(format!("{}00000000000000{}", twin.word, twin.word)),
        updated_at: at("2026-11-20T06:12:03Z"),
    }));
    for (weeks, quantity) in [(WEEKS, "0.01100000"), (8, "0.04210000")] {
        twin.others.push(Record::WalletHolding(WalletHolding {
            user_id,
            wallet_id,
            security_id: coin,
            as_of: TODAY.checked_sub(weeks.weeks()).expect("in range"),
            quantity: decimal(quantity) * Decimal::from(twin.factor),
        }));
    }
    paper(twin, fund);
    client(twin);
}

/// A security with a price each week.
fn security(
    twin: &mut Twin,
    key: &str,
    name: &str,
    security_type: SecurityType,
    currency: &str,
    price: &str,
) -> uuid::Uuid {
    let (user_id, security_id) = (twin.household.user.user_id, twin.id(key));
    let letters: String = twin.word.to_uppercase().chars().take(9).collect();
    twin.others.push(Record::Security(Security {
        user_id,
        security_id,
        name: twin.marked(name),
        security_type,
        currency: currency_of(currency),
        symbol: Some(twin.word.to_uppercase()),
        isin: Some(format!("XS{letters:0<9}5")),
        is_cash_equivalent: false,
    }));
    for week in 0..WEEKS {
        twin.others.push(Record::SecurityPrice(SecurityPrice {
            user_id,
            security_id,
            as_of: TODAY.checked_sub((week * 7 + 1).days()).expect("in range"),
            price: decimal(price) - Decimal::new(week, 1),
        }));
    }
    security_id
}

fn paper(twin: &mut Twin, security_id: uuid::Uuid) {
    let (user_id, paper_account_id) = (twin.household.user.user_id, twin.id("paper account"));
    twin.others.push(Record::PaperAccount(PaperAccount {
        user_id,
        paper_account_id,
        name: twin.marked("Paper"),
        provider: twin.marked_code("ALPACA"),
        currency: currency_of("USD"),
        cash_cents: 125_003 * twin.factor,
        starting_balance_cents: 1_000_003 * twin.factor,
        updated_at: at("2026-11-20T06:12:03Z"),
    }));
    twin.others.push(Record::PaperPosition(PaperPosition {
        user_id,
        paper_account_id,
        security_id,
        side: PositionSide::Long,
        quantity: decimal("10") * Decimal::from(twin.factor),
        average_entry_price: decimal("118.20"),
    }));
}

fn client(twin: &mut Twin) {
    let (user_id, client_id) = (twin.household.user.user_id, twin.client_id());
    twin.others.push(Record::OauthClient(OauthClient {
        client_id: client_id.clone(),
        owner_user_id: Some(user_id),
        name: twin.marked("Dashboard"),
        redirect_uris: vec![format!("https://{}.example/callback", twin.word)],
        scopes: Scope::ALL.to_vec(),
        rest: true,
        mcp: true,
        revoked_at: None,
    }));
    twin.others.push(Record::OauthConsent(OauthConsent {
        user_id,
        client_id: client_id.clone(),
        granted_at: at("2026-11-01T00:00:00Z"),
        revoked_at: None,
    }));
    twin.others.push(Record::OauthSession(OauthSession {
        user_id,
        session_id: format!("session-{}", twin.word),
        client_id: Some(client_id),
        created_at: at("2026-11-01T00:00:00Z"),
        revoked_at: None,
    }));
}

impl Twin {
    /// The sign-in client that serves this twin only.
    pub fn client_id(&self) -> String {
        format!("dashboard-{}", self.word)
    }

    /// Rates for the currencies that twins have but one, which has none.
    pub fn rates() -> Vec<Record> {
        let days = (0..WEEKS).map(|week| TODAY.checked_sub((week * 7).days()).expect("in range"));
        days.map(|day| crate::household::rate(&day.to_string(), "USD", "1.08")).collect()
    }
}
