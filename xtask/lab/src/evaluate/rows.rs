//! The rows of a generated household and the true streams behind them.

use jiff::civil::Date;
use passbook_domain::category::Category;
use passbook_domain::recurring::{Cadence, RecurringStatus};
use uuid::Uuid;

use super::profile::Profile;
use super::spelling::Spelling;
use crate::random::Random;

/// A transaction as the service would read it.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) id: Uuid,
    pub(super) date: Date,
    pub(super) amount_cents: i64,
    pub(super) category: Category,
    pub(super) currency: &'static str,
    pub(super) title: String,
    pub(super) merchant_name: Option<String>,
    pub(super) account: String,
    pub(super) pending: bool,
    /// Index of the row's true stream in the household. `None` for an irregular payment.
    pub(super) stream: Option<usize>,
}

/// A true stream, which a detector should find.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    pub(super) kind: &'static str,
    pub(super) cadence: Cadence,
    pub(super) status: RecurringStatus,
    /// Number of the stream's payments among the rows.
    pub(super) payments: usize,
    /// True if the rows contain enough payments to recognise the stream: four for a weekly, biweekly or semi-monthly
    /// cadence, three for monthly and quarterly, two for semi-annual and annual.
    pub(super) knowable: bool,
}

impl Row {
    /// Creates a booked row that has no identifier and belongs to no stream.
    pub(super) fn new(
        date: Date,
        amount_cents: i64,
        category: Category,
        profile: &Profile,
        account: &'static str,
        spelling: &Spelling,
        random: &mut Random,
    ) -> Row {
        Row {
            id: Uuid::nil(),
            date,
            amount_cents,
            category,
            currency: profile.currency,
            title: spelling.title(date, random),
            merchant_name: spelling.name(date, random),
            account: account.to_owned(),
            pending: false,
            stream: None,
        }
    }
}
