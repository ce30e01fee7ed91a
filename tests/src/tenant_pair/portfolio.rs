//! Securities, wallets, simulated accounts, the OAuth client and the imported ledger of a tenant.

use jiff::ToSpan as _;
use passbook_domain::portfolio::{PositionSide, SecurityType};
use passbook_domain::scope::Scope;
use passbook_records::record::{
    Holding, Ledger, OauthClient, OauthConsent, OauthSession, PaperAccount, PaperPosition, Record, Security,
    SecurityPrice, Wallet, WalletHolding,
};
use rust_decimal::Decimal;

use super::tenant::{Tenant, at};
use crate::app::TODAY;
use crate::household::{decimal, parse_currency};

/// Number of weeks for which a security has prices.
const WEEKS: i64 = 60;

pub(super) fn fill(tenant: &mut Tenant) {
    let fund = security(tenant, "fund", "World Fund", SecurityType::Etf, "USD", "127.52");
    let coin = security(tenant, "coin", "Bitcoin", SecurityType::Cryptocurrency, "EUR", "81234.50");
    let user_id = tenant.household.user.user_id;
    tenant.other_records.push(Record::Holding(Holding {
        user_id,
        account_id: tenant.household.accounts[3],
        security_id: fund,
        quantity: decimal("61") * Decimal::from(tenant.factor),
        cost_basis_cents: Some(769_011 * tenant.factor),
    }));
    let wallet_id = tenant.id("wallet");
    tenant.other_records.push(Record::Wallet(Wallet {
        user_id,
        wallet_id,
        name: tenant.marked("Cold wallet"),
        network: tenant.marked_code("BITCOIN"),
        address: Some(format!("{}00000000000000{}", tenant.word, tenant.word)),
        updated_at: at("2026-11-20T06:12:03Z"),
    }));
    for (weeks, quantity) in [(WEEKS, "0.01100000"), (8, "0.04210000")] {
        tenant.other_records.push(Record::WalletHolding(WalletHolding {
            user_id,
            wallet_id,
            security_id: coin,
            as_of: TODAY.checked_sub(weeks.weeks()).expect("in range"),
            quantity: decimal(quantity) * Decimal::from(tenant.factor),
        }));
    }
    paper(tenant, fund);
    client(tenant);
}

/// Adds a security with a price for each week.
fn security(
    tenant: &mut Tenant,
    key: &str,
    name: &str,
    security_type: SecurityType,
    currency: &str,
    price: &str,
) -> uuid::Uuid {
    let (user_id, security_id) = (tenant.household.user.user_id, tenant.id(key));
    let letters: String = tenant.word.to_uppercase().chars().take(9).collect();
    tenant.other_records.push(Record::Security(Security {
        user_id,
        security_id,
        name: tenant.marked(name),
        security_type,
        currency: parse_currency(currency),
        symbol: Some(tenant.word.to_uppercase()),
        isin: Some(format!("XS{letters:0<9}5")),
        is_cash_equivalent: false,
    }));
    for week in 0..WEEKS {
        tenant.other_records.push(Record::SecurityPrice(SecurityPrice {
            user_id,
            security_id,
            as_of: TODAY.checked_sub((week * 7 + 1).days()).expect("in range"),
            price: decimal(price) - Decimal::new(week, 1),
        }));
    }
    security_id
}

fn paper(tenant: &mut Tenant, security_id: uuid::Uuid) {
    let (user_id, paper_account_id) = (tenant.household.user.user_id, tenant.id("paper account"));
    tenant.other_records.push(Record::PaperAccount(PaperAccount {
        user_id,
        paper_account_id,
        name: tenant.marked("Paper"),
        provider: tenant.marked_code("ALPACA"),
        currency: parse_currency("USD"),
        cash_cents: 125_003 * tenant.factor,
        starting_balance_cents: 1_000_003 * tenant.factor,
        updated_at: at("2026-11-20T06:12:03Z"),
    }));
    tenant.other_records.push(Record::PaperPosition(PaperPosition {
        user_id,
        paper_account_id,
        security_id,
        side: PositionSide::Long,
        quantity: decimal("10") * Decimal::from(tenant.factor),
        average_entry_price: decimal("118.20"),
    }));
}

fn client(tenant: &mut Tenant) {
    let (user_id, client_id) = (tenant.household.user.user_id, tenant.client_id());
    tenant.other_records.push(Record::OauthClient(OauthClient {
        client_id: client_id.clone(),
        owner_user_id: Some(user_id),
        name: tenant.marked("Dashboard"),
        redirect_uris: vec![format!("https://{}.example/callback", tenant.word)],
        scopes: Scope::ALL.to_vec(),
        rest: true,
        mcp: true,
        revoked_at: None,
    }));
    tenant.other_records.push(Record::OauthConsent(OauthConsent {
        user_id,
        client_id: client_id.clone(),
        granted_at: at("2026-11-01T00:00:00Z"),
        revoked_at: None,
    }));
    tenant.other_records.push(Record::OauthSession(OauthSession {
        user_id,
        session_id: format!("session-{}", tenant.word),
        client_id: Some(client_id),
        created_at: at("2026-11-01T00:00:00Z"),
        revoked_at: None,
    }));
    tenant.other_records.push(Record::Ledger(Ledger {
        user_id,
        ledger: tenant.marked("main"),
        account_map: Some(format!("[expense]\n\"{}\" = \"BOOKS\"\n", tenant.word)),
        map_name: Some(tenant.marked("map.toml")),
        imported_at: at("2026-11-20T00:00:00Z"),
    }));
}

impl Tenant {
    /// Returns the identifier of the OAuth client that is registered for this tenant only.
    pub fn client_id(&self) -> String {
        format!("dashboard-{}", self.word)
    }

    /// Returns exchange rates for all currencies of the tenants except the yen, which has none.
    pub fn rates() -> Vec<Record> {
        let days = (0..WEEKS).map(|week| TODAY.checked_sub((week * 7).days()).expect("in range"));
        days.map(|day| crate::household::rate(&day.to_string(), "USD", "1.08")).collect()
    }
}
