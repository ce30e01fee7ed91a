//! The status of a stream on a day: active, overdue or ended.

use super::cadence_fit::CadenceFit;
use super::calendar::DayNumber;
use crate::string_enum::string_enum;

string_enum! {
    /// State of a recurring payment on the `asOf` day.
    RecurringStatus {
        /// The last due payment was made, or it is not later than usual for this payer.
        Active = "ACTIVE",
        /// One payment is missing.
        Overdue = "OVERDUE",
        /// Two payments in a row are missing. For semi-annual and annual payments: one payment is missing for 92 days.
        Ended = "ENDED",
    }
}

/// Number of days that banks need to book a payment: weekends, public holidays and processing.
const PROCESSING_DAYS: i32 = 4;
/// Upper limit of the payer's usual lateness, in percent of a period. A payer who is often very late must not hide a
/// missing payment.
const LATENESS_PERCENT_MAX: i32 = 25;
/// Number of days after which a missing payment ends a stream, even if no further payment is due yet. It matters only
/// for semi-annual and annual streams, whose second missing payment would be half a year or a year away.
const ENDED_AFTER_DAYS: i32 = 92;

/// Returns the status on day `as_of` of a stream whose next payment is due on `next_due`. `usual_lateness` is in days.
///
/// The grace time is four processing days plus the usual lateness. A stream is active until the next payment is late by
/// more than the grace time, and overdue until the payment after it is late by more than the grace time, too.
pub(super) fn status_on(
    as_of: DayNumber,
    fit: &CadenceFit,
    next_due: DayNumber,
    usual_lateness: i32,
) -> RecurringStatus {
    // The period is stored in hundredths of a day, and the limit is a percentage.
    let lateness_max = fit.specification.period * LATENESS_PERCENT_MAX / 10_000;
    let grace = PROCESSING_DAYS + usual_lateness.min(lateness_max);
    let second_due = fit.schedule.due_day_after(next_due).min(next_due + ENDED_AFTER_DAYS);
    if as_of <= next_due + grace {
        RecurringStatus::Active
    } else if as_of <= second_due + grace {
        RecurringStatus::Overdue
    } else {
        RecurringStatus::Ended
    }
}
