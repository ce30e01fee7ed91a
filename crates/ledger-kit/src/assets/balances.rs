//! The facts that decide the balance of an account on any day.

use jiff::Timestamp;
use jiff::civil::Date;
use passbook_domain::balance::{AccountBalances, BalanceFacts, BalanceMoment, DayRows, StatedBalance};
use passbook_domain::category::{Category, IncomeCategory};
use passbook_domain::portfolio::AccountType;
use passbook_domain::range::DaySpan;
use passbook_domain::transaction::{Transaction, TransactionType};

use super::{StoredAccount, Valuation};

impl Valuation<'_> {
    /// Returns the balances of an account. `day_of` returns the day of a time in the person's time zone.
    pub(super) fn balances(
        &self,
        stored: &StoredAccount,
        day_of: &impl Fn(Timestamp) -> Date,
    ) -> AccountBalances {
        let account = &stored.account;
        let rows = self.booked_rows(stored);
        let loaded = account.updated_at.map(|time| day_of(time.timestamp()));
        let on_day = |day| rows.iter().filter(|rows| rows.day == day).map(|rows| rows.cents).sum();
        let present = account.balance_cents.zip(loaded).map(|(cents, day)| {
            let moment = BalanceMoment::Instant { listed_cents: on_day(day) };
            StatedBalance { day, cents, moment }
        });
        let end_of_day = |day, cents| StatedBalance { day, cents, moment: BalanceMoment::EndOfDay };
        let before = stored.opened_on.and_then(|day| day.yesterday().ok()).map(|day| end_of_day(day, 0));
        let snapshots = stored.balances.iter().map(|(day, cents)| end_of_day(*day, *cents));
        let covered = stored.rows_complete_from.zip(loaded.and_then(|day| day.yesterday().ok()));
        let covered = covered.filter(|(first, last)| first <= last);
        AccountBalances::new(BalanceFacts {
            changes_without_rows: stored.has_holdings()
                || matches!(account.r#type, AccountType::Investment | AccountType::Loan | AccountType::Other),
            stated: before.into_iter().chain(present).chain(snapshots).collect(),
            covered: covered.into_iter().map(|(first, last)| DaySpan { first, last }).collect(),
            opened_on: stored.opened_on,
            ambiguous_from: None,
            today: self.person.today,
            rows,
        })
    }

    /// The booked rows of an account.
    fn booked_rows(&self, stored: &StoredAccount) -> Vec<DayRows> {
        let account = &stored.account;
        let own = self.rows.iter().filter(|row| row.account_id == Some(account.id) && !row.pending);
        own.map(|row| DayRows::row(row.date, signed_cents(row), row.currency == account.currency)).collect()
    }
}

/// The effect of a row on the balance of its account.
fn signed_cents(row: &Transaction) -> i64 {
    let is_incoming =
        row.r#type == TransactionType::Income || row.category == Category::Income(IncomeCategory::TransferIn);
    if is_incoming { row.amount_cents } else { -row.amount_cents }
}
