//! The outcomes of a file that cannot be read, faults or a choice, and the choices of the person.

use std::sync::Arc;

use jiff::civil::DateTime;
use passbook_input::{Fault, Faults};

use super::TextEncoding;
use super::csv::Profile;

/// The reason why a file was not read. Nothing of the file may be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// The file breaks rules of its format.
    Faults(Faults),
    /// The file has several readings, and the person must choose one.
    Choice(Choice),
}

impl From<Faults> for Unreadable {
    fn from(faults: Faults) -> Unreadable {
        Unreadable::Faults(faults)
    }
}

impl From<Fault> for Unreadable {
    fn from(fault: Fault) -> Unreadable {
        Unreadable::Faults(fault.into())
    }
}

/// A choice that the file leaves open. The binary names the setting that makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Every day of the file is valid in several orders.
    DateOrder {
        /// A day of the file, as written.
        example: String,
        /// Line of the example.
        line: u64,
        /// The possible orders.
        orders: Vec<DateOrder>,
        /// Name of the profile of a CSV file.
        profile: Option<String>,
    },
    /// The header line fits several profiles.
    Profile {
        /// Names of the profiles.
        names: Vec<String>,
        /// Line of the header.
        line: u64,
    },
    /// The file is CSV, and no profile fits.
    UnknownProfile,
    /// The file lists changes and states no time, so that its place among other lists of changes is unknown.
    AsOf,
}

impl Choice {
    /// Returns the choice as a fault, without naming the setting that makes it.
    pub fn as_fault(&self) -> Fault {
        match self {
            Choice::DateOrder { example, line, orders, .. } => {
                let orders: Vec<&str> = orders.iter().map(|order| order.as_str()).collect();
                let rule = format!("the order of day and month must be chosen: {}", orders.join(" or "));
                Fault::new(format!("line {line}"), rule).received(format!("{example:?}"))
            }
            Choice::Profile { names, line } => {
                let rule = format!("a profile must be chosen: the header fits {}", names.join(" and "));
                Fault::new(format!("line {line}"), rule)
            }
            Choice::UnknownProfile => Fault::new(
                "file",
                "must have the header line of a known profile, or be read with a profile of its own",
            ),
            Choice::AsOf => Fault::new(
                "file",
                "must have a time, because it lists changes, and a newer list of changes decides over an older one",
            ),
        }
    }
}

/// Order of the parts of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DateOrder {
    /// 31/12/2026
    DayMonthYear,
    /// 12/31/2026
    MonthDayYear,
    /// 2026/12/31
    YearMonthDay,
}

impl DateOrder {
    /// Every order.
    pub const ALL: [DateOrder; 3] =
        [DateOrder::DayMonthYear, DateOrder::MonthDayYear, DateOrder::YearMonthDay];

    /// Returns `dmy`, `mdy` or `ymd`.
    pub const fn as_str(self) -> &'static str {
        match self {
            DateOrder::DayMonthYear => "dmy",
            DateOrder::MonthDayYear => "mdy",
            DateOrder::YearMonthDay => "ymd",
        }
    }

    /// Parses `dmy`, `mdy` or `ymd`.
    pub fn parse(text: &str) -> Option<DateOrder> {
        DateOrder::ALL.into_iter().find(|order| order.as_str() == text)
    }
}

/// Choices of the person for files that leave them open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// Profile of a CSV file. Without a profile, the header line decides.
    pub profile: Option<Profile>,
    /// The person's own profiles. Their header lines decide before those of the profiles that come with Passbook.
    pub own_profiles: Arc<[Profile]>,
    /// Order of day and month, for files whose days leave it open.
    pub date_order: Option<DateOrder>,
    /// Time (UTC) at which the source made a list of changes, for files that state none.
    pub as_of: Option<DateTime>,
    /// Encoding of the file. Without an encoding, the bytes decide.
    pub encoding: Option<TextEncoding>,
}
