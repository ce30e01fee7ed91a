//! The amounts of a row, and exchanges of currencies between two accounts of one file: each row states what the other account
//! got or paid.

use std::collections::HashMap;

use ::csv::StringRecord;
use passbook_domain::Currency;
use passbook_input::Fault;

use super::columns::Columns;
use super::profile::Profile;
use super::records::Body;
use crate::amount::{self, NumberStyle, displayed_cents};
use crate::{Fee, Original};

/// Reads the amounts of one row, and collects their faults.
#[derive(Debug)]
pub(super) struct Money<'a> {
    pub(super) profile: &'a Profile,
    pub(super) columns: &'a Columns,
    pub(super) record: &'a StringRecord,
    pub(super) line: u64,
}

impl Money<'_> {
    /// Returns the signed amount of the row, without a fee that is charged apart.
    ///
    /// # Errors
    /// The fault of the amount.
    pub(super) fn amount(&self) -> Result<i64, Fault> {
        let (columns, rules) = (self.columns, &self.profile.amount);
        let cents = if !columns.at.flag.is_empty() {
            let cents = self.required(&columns.at.amount)?;
            // A negative amount with a flag is a reversal: the flag still names the direction of its column.
            if self.is_outgoing()? { -cents } else { cents }
        } else if !columns.at.out.is_empty() || !columns.at.incoming.is_empty() {
            self.two_columns()?
        } else {
            self.required(&columns.at.amount)?
        };
        Ok(if rules.negate { -cents } else { cents })
    }

    fn is_outgoing(&self) -> Result<bool, Fault> {
        let flag = self.cell(&self.columns.at.flag).unwrap_or_default();
        let rules = &self.profile.amount;
        let is = |values: &[String]| values.iter().any(|value| value.eq_ignore_ascii_case(flag));
        if is(&rules.out_values) {
            return Ok(true);
        }
        // Without a list of values, every other value is incoming.
        if rules.in_values.is_empty() || is(&rules.in_values) {
            return Ok(false);
        }
        let values: Vec<&str> = rules.out_values.iter().chain(&rules.in_values).map(String::as_str).collect();
        let rule = format!("must be one of {}", values.join(", "));
        Err(self.fault(&self.columns.at.flag, &rule, flag))
    }

    /// Returns the amount of a row with a column for each direction. A negative amount would be a reversal in one export
    /// and a repeated sign in another, so the profile must say which amounts are signed.
    fn two_columns(&self) -> Result<i64, Fault> {
        let (columns, rules) = (&self.columns.at, &self.profile.amount);
        let unsigned = |cents: i64, is_signed: bool| if is_signed { -cents } else { cents };
        let outgoing = self.optional(&columns.out)?.map(|cents| unsigned(cents, rules.out_signed));
        let incoming = self.optional(&columns.incoming)?.map(|cents| unsigned(cents, rules.in_signed));
        for (columns, cents) in [(&self.columns.at.out, outgoing), (&self.columns.at.incoming, incoming)] {
            if cents.is_some_and(|cents| cents < 0) {
                let cell = self.cell(columns).unwrap_or_default();
                return Err(self.fault(columns, "must not have the sign of the other direction", cell));
            }
        }
        match (outgoing, incoming) {
            (Some(outgoing), None | Some(0)) => Ok(-outgoing),
            (None | Some(0), Some(incoming)) => Ok(incoming),
            (None, None) => {
                let columns = [&self.columns.at.out[..], &self.columns.at.incoming].concat();
                Err(self.fault(&columns, "must have an amount in one column", ""))
            }
            (Some(_), Some(_)) => {
                let cell = self.cell(&self.columns.at.incoming).unwrap_or_default();
                let rule = "must be empty or zero, because the row has an amount in the other direction";
                Err(self.fault(&self.columns.at.incoming, rule, cell))
            }
        }
    }

    /// Returns the fee of a row: positive cells were charged. Zero and empty cells are no fee.
    pub(super) fn fee(&self) -> Result<Option<Fee>, Fault> {
        let cents = self.optional(&self.columns.at.fee)?.filter(|cents| *cents != 0);
        Ok(cents.map(|cents| Fee { cents: -cents, included: self.profile.amount.fee_included }))
    }

    /// Returns the balance after the row.
    pub(super) fn balance(&self) -> Result<Option<i64>, Fault> {
        self.optional_in(&self.columns.at.balance, self.profile.balance_style())
    }

    /// Returns the amount before conversion, with the sign of the row, if its currency is another one.
    pub(super) fn original(&self, cents: i64, currency: Option<Currency>) -> Result<Option<Original>, Fault> {
        let Some(original) = self.optional(&self.columns.at.original_amount)?.filter(|cents| *cents != 0)
        else {
            return Ok(None);
        };
        let Some(code) =
            self.currency(&self.columns.at.original_currency)?.filter(|code| Some(*code) != currency)
        else {
            return Ok(None);
        };
        let rate = self.cell(&self.columns.at.rate).and_then(|cell| amount::rate(cell, self.profile.decimal));
        let original = if cents < 0 { -original.abs() } else { original.abs() };
        Ok(Some(Original { cents: original, currency: code, rate }))
    }

    /// Returns the currency of a column. An empty cell is `None`.
    pub(super) fn currency(&self, columns: &[usize]) -> Result<Option<Currency>, Fault> {
        let Some(cell) = self.cell(columns) else { return Ok(None) };
        match currency(cell) {
            Some(currency) => Ok(Some(currency)),
            None => Err(self.fault(columns, "must be a currency code, such as EUR", cell)),
        }
    }

    fn required(&self, columns: &[usize]) -> Result<i64, Fault> {
        let missing = || self.fault(columns, amount::FORM, "");
        self.optional(columns)?.ok_or_else(missing)
    }

    fn optional(&self, columns: &[usize]) -> Result<Option<i64>, Fault> {
        self.optional_in(columns, self.profile.number_style())
    }

    fn optional_in(&self, columns: &[usize], style: NumberStyle) -> Result<Option<i64>, Fault> {
        let Some(cell) = self.cell(columns) else { return Ok(None) };
        displayed_cents(cell, style).map(Some).map_err(|rule| self.fault(columns, rule, cell))
    }

    /// Returns the first cell with text.
    pub(super) fn cell(&self, columns: &[usize]) -> Option<&str> {
        columns.iter().filter_map(|at| self.record.get(*at)).map(str::trim).find(|cell| !cell.is_empty())
    }

    /// Returns the fault of a column of this row.
    pub(super) fn fault(&self, columns: &[usize], rule: &str, received: &str) -> Fault {
        let column = columns.first().map_or(String::new(), |at| format!(", column {}", at + 1));
        Fault::new(format!("line {}{column}", self.line), rule).received(format!("{received:?}"))
    }
}

/// Parses a currency code, or a symbol that stands for one currency only.
pub(super) fn currency(text: &str) -> Option<Currency> {
    let code = match text {
        "€" => "EUR",
        "£" => "GBP",
        "₹" => "INR",
        "₽" => "RUB",
        "₺" => "TRY",
        "₩" => "KRW",
        "zł" => "PLN",
        code => code,
    };
    Currency::parse(&code.to_ascii_uppercase()).ok()
}

/// The amounts of the transfers of a file by the time of the row, as written. Two of one time are an exchange if their
/// directions and their currencies differ.
#[derive(Debug, Default)]
pub(super) struct Exchanges(HashMap<String, Vec<(i64, Currency)>>);

impl Exchanges {
    /// Finds the transfers of a file that state a time.
    pub(super) fn find(columns: &Columns, body: &Body<'_>) -> Exchanges {
        let mut found = Exchanges::default();
        if columns.transfers.is_empty() {
            return found;
        }
        body.for_each_record(|record, line, _| {
            let is_left_out = columns.skip.iter().any(|test| test.is_met(record));
            let money = Money { profile: body.profile, columns, record, line };
            let Some(time) = time(&money).filter(|_| !is_left_out) else { return };
            let amount = money.amount().ok().zip(money.currency(&columns.at.currency).ok().flatten());
            if columns.transfers.iter().any(|test| test.is_met(record)) {
                found.0.entry(time.to_owned()).or_default().extend(amount);
            }
        });
        found
    }

    /// Returns the amount of the other side of an exchange, with the sign of this row.
    pub(super) fn other_side(&self, money: &Money<'_>, cents: i64) -> Option<Original> {
        let [one, other] = self.0.get(time(money)?)?[..] else { return None };
        let (received, currency) = if one.0 == cents { other } else { one };
        let is_exchange = one.1 != other.1 && (one.0 < 0) != (other.0 < 0);
        is_exchange.then_some(Original { cents: -received, currency, rate: None })
    }
}

/// Returns the booking day of a row as written, if the cell has a time too.
fn time<'a>(money: &'a Money<'_>) -> Option<&'a str> {
    money.cell(&money.columns.at.booked).filter(|cell| cell.contains(':'))
}
