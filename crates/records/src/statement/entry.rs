//! One transaction of a statement.

use jiff::civil::Date;
use passbook_domain::Currency;
use rust_decimal::Decimal;

/// One transaction, as the file states it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    /// First line of the record in the file, counted from 1.
    pub line: u64,
    /// The booking day as written in the file: no time zone moves it. For a pending entry the day of the transaction.
    pub booked: Date,
    /// Signed hundredths: what the account was credited (positive) or charged (negative).
    pub cents: i64,
    /// Currency of `cents`, if the file states one. Otherwise that of the account. A few OFX files state amounts in
    /// another currency than that of the account; such an amount must not be added to the account's.
    pub currency: Option<Currency>,
    /// Booked or pending.
    pub status: LineState,
    /// Value day, if stated.
    pub value_day: Option<Date>,
    /// Day of the purchase or of the order, if stated and not the booking day.
    pub transaction_day: Option<Date>,
    /// Identifier at the source.
    pub id: Option<EntryId>,
    /// Identifier of the entry that this entry replaces: the pending entry of a posted one, or a corrected entry.
    pub replaces: Option<String>,
    /// Reference that the parties agreed on, such as the end-to-end identifier of a credit transfer (ISO 20022).
    pub reference: Option<String>,
    /// Name of the other party: merchant, payer or payee.
    pub party: Option<String>,
    /// Account of the other party: IBAN or number, without spaces.
    pub party_account: Option<String>,
    /// Description: everything else that the file says about the purpose. Parts are separated by a space.
    pub text: String,
    /// The bank's or provider's code of the type: `POS`, `PMNT-CCRD-POSD`, `FOOD_AND_DRINK_COFFEE`.
    pub code: Option<String>,
    /// Category in the words of the app that the file comes from.
    pub category: Option<String>,
    /// Name of the person's own category, if people make the categories of the app themselves.
    pub own_category: Option<String>,
    /// Name of the own category that contains `own_category`: the category group of the app.
    pub own_parent: Option<String>,
    /// Tags, in the order of the file, none twice.
    pub tags: Vec<String>,
    /// Note of the person, in an app that has notes beside the bank's texts.
    pub note: Option<String>,
    /// Amount before conversion, if the transaction was in another currency.
    pub original: Option<Original>,
    /// Fee, if the file states one.
    pub fee: Option<Fee>,
    /// Balance of the account after this entry, in hundredths, if the file states it in the row.
    pub balance_after: Option<i64>,
    /// Name or identifier of the own account on the other side, if the source says that the entry is a transfer
    /// between own accounts. Empty if the source says so without naming the account.
    pub transfer_with: Option<String>,
    /// The record as it is in the file, without the end of a very long one.
    pub raw: String,
}

/// Booked or pending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LineState {
    /// The bank has booked the entry.
    #[default]
    Booked,
    /// The bank has announced the entry. It may change or vanish.
    Pending,
}

/// Identifier of an entry at its source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EntryId {
    /// The identifier as written.
    pub text: String,
    /// Stability of the identifier at its source.
    pub trust: IdTrust,
}

/// Stability of the identifiers of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IdTrust {
    /// One identifier is one entry, in every file of the source.
    Authoritative,
    /// Banks are known to reuse or to change it. It never decides how many entries there are.
    Hint,
}

/// Amount before conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Original {
    /// Signed hundredths of `currency`, with the sign of the entry.
    pub cents: i64,
    /// Currency of the transaction.
    pub currency: Currency,
    /// Rate as written. Sources disagree about its direction, so it is only shown.
    pub rate: Option<Decimal>,
}

/// A fee that the file states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fee {
    /// Signed hundredths in the currency of the entry: negative if the account was charged.
    pub cents: i64,
    /// True if the entry's `cents` already contain the fee.
    pub included: bool,
}

impl Entry {
    /// Creates a booked entry with the fields that every file has.
    pub fn new(line: u64, booked: Date, cents: i64) -> Entry {
        Entry { line, booked, cents, ..Entry::default() }
    }

    /// Returns the effect on the balance, in hundredths: the amount, with a fee that the amount does not contain.
    pub fn effect(&self) -> i64 {
        self.cents.saturating_add(self.fee.filter(|fee| !fee.included).map_or(0, |fee| fee.cents))
    }
}
