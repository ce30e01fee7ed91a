//! Recurring payments: the words they are described in.

use crate::words::words;

words! {
    /// How often a payment comes round.
    Cadence {
        /// Every 7 days.
        Weekly = "WEEKLY",
        /// Every 14 days.
        Biweekly = "BIWEEKLY",
        /// Twice a month, on two days of the month.
        SemiMonthly = "SEMI_MONTHLY",
        /// Once a month, or every 28 or 30 days.
        Monthly = "MONTHLY",
        /// Every 3 months.
        Quarterly = "QUARTERLY",
        /// Every 6 months.
        SemiAnnually = "SEMI_ANNUALLY",
        /// Once a year.
        Annually = "ANNUALLY",
    }
}

words! {
    /// Whether a recurring payment still comes.
    RecurringStatus {
        /// The last payment that was due came, or may still come within the days that payments are late.
        Active = "ACTIVE",
        /// A payment is missing.
        Overdue = "OVERDUE",
        /// The next payment after the missing one is missing too, or for those that come twice a year or less, a
        /// quarter of a year has passed.
        Ended = "ENDED",
    }
}
