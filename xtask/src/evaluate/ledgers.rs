//! Three ledgers that somebody else's program made, `bean-example` of Beancount, with its own schedules as the truth.

use std::path::Path;

use domain::category::Category;
use domain::recurring::Cadence::{self, Biweekly, Monthly};
use domain::recurring::RecurringStatus::{self, Active, Overdue};
use domain::recurring::WINDOW_MONTHS;
use jiff::ToSpan as _;
use jiff::civil::Date;
use serde_json::Value;
use uuid::Uuid;

use super::household::Household;
use super::rows::{Row, Stream};
use crate::oracle;

/// The last day of the generated ledgers.
const TODAY: Date = Date::constant(2026, 11, 20);

/// What the program schedules, and how (`beancount/scripts/example.py`, release 3.2.3). A salary is paid by an employer
/// whose name is drawn, so it is known by its category. `delay_dates` drops every payment that falls after the
/// schedule's last day before delay, so the last bills of those are missing from a ledger that ends later.
#[rustfmt::skip]
const SCHEDULED: [(&str, Cadence, RecurringStatus, &str); 7] = [
    ("SALARY", Biweekly, Active, "rrule WEEKLY on Thursdays, every second one: generate_employment_income"),
    ("BANK FEES", Monthly, Active, "rrule MONTHLY bymonthday=4, always 4.00"),
    ("RiverBank Properties", Monthly, Overdue, "delay_dates of rrule MONTHLY by 2 to 5 days, one rent"),
    ("EDISON POWER", Monthly, Overdue, "delay_dates of rrule MONTHLY by 7 to 8 days, always 65.00"),
    ("Wine-Tarner Cable", Monthly, Overdue, "delay_dates of rrule MONTHLY by 20 to 22 days, about 80.00"),
    ("Verizon Wireless", Monthly, Overdue, "delay_dates of rrule MONTHLY by 17 to 19 days, 60.00 give or take 10"),
    ("Metro Transport Authority", Monthly, Active, "date_random_seq of 27 to 33 days, always 120.00: a month's tickets"),
];
// Restaurants (1 to 5 days apart) and groceries (5 to 20 days apart) are drawn from lists of names; trips, tax returns,
// dividends and commissions are not on the statements that are read, or follow no schedule.

/// The households of the ledgers, with what `bean-example` schedules as their streams.
pub(super) fn households(root: &Path) -> Result<Vec<Household>, String> {
    oracle::statements(root)?.iter().map(|statement| household(statement)).collect()
}

fn household(statement: &str) -> Result<Household, String> {
    let rows: Value = serde_json::from_str(statement).map_err(|error| error.to_string())?;
    let rows = rows.as_array().ok_or("the statement is not an array")?;
    let mut rows = rows.iter().map(row).collect::<Result<Vec<Row>, String>>()?;
    rows.retain(|row| row.date > TODAY - WINDOW_MONTHS.months() && row.date <= TODAY);
    for (at, row) in rows.iter_mut().enumerate() {
        row.id = Uuid::from_u64_pair(0, u64::try_from(at).expect("few rows"));
        row.stream = SCHEDULED.iter().position(|(name, ..)| {
            row.merchant_name.as_deref() == Some(*name) || row.category.as_str() == *name
        });
    }
    let payments = |at| rows.iter().filter(|row| row.stream == Some(at)).count();
    let streams = SCHEDULED.iter().enumerate().map(|(at, (kind, cadence, status, _))| Stream {
        kind,
        cadence: *cadence,
        status: *status,
        payments: payments(at),
        knowable: true,
    });
    Ok(Household { today: TODAY, streams: streams.collect(), rows })
}

fn row(row: &Value) -> Result<Row, String> {
    let text = |name: &str| row[name].as_str().ok_or_else(|| format!("a row without {name}: {row}"));
    Ok(Row {
        id: Uuid::nil(),
        date: text("date")?.parse().map_err(|error| format!("{row}: {error}"))?,
        amount_cents: row["amount_cents"].as_i64().ok_or_else(|| format!("a row without amount: {row}"))?,
        category: Category::parse(text("category")?).map_err(|error| format!("{row}: {error}"))?,
        currency: "USD",
        title: text("title")?.to_owned(),
        merchant_name: row["merchant_name"].as_str().map(str::to_owned),
        account: text("account")?.to_owned(),
        pending: false,
        stream: None,
    })
}
