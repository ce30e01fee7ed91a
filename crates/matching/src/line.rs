//! The input of the matching: statements of files and their lines, reduced to the facts that decide.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_records::statement::{Balance, BalanceKind, StatementKind};
use uuid::Uuid;

/// One statement of one file: the part of the file that concerns one account.
#[derive(Clone, Debug, PartialEq)]
pub struct FileStatement {
    /// The account, which the person chose or the file names.
    pub account: Uuid,
    /// Currency of the account.
    pub currency: Currency,
    /// SHA-256 of the bytes of the file.
    pub digest: [u8; 32],
    /// Position of the statement in its file, counted from 0.
    pub index: u32,
    /// The source of the file: format and profile. Files of one source share their convention of pending entries.
    pub origin: String,
    /// The claim of the statement about its days.
    pub kind: StatementKind,
    /// Number of the statement in its sequence, as written. In a list of changes the time of the day `as_of`.
    pub number: Option<String>,
    /// Day until which the statement is current, if stated.
    pub as_of: Option<Date>,
    /// First day that the statement covers, if stated.
    pub from: Option<Date>,
    /// Last day that the statement covers, if stated.
    pub to: Option<Date>,
    /// True if the statement lists every entry that is pending.
    pub lists_pending: bool,
    /// True if the person wants rows removed that the statement should list and lacks.
    pub replace: bool,
    /// Balances of the statement.
    pub balances: Vec<Balance>,
    /// Identifiers that the source withdrew, as [`LineId::name`].
    pub removed: Vec<Uuid>,
}

impl FileStatement {
    /// Returns the balance of a kind in the currency of the account, if the statement has one.
    pub(crate) fn balance(&self, kind: BalanceKind) -> Option<&Balance> {
        let own = |balance: &&Balance| balance.currency.is_none_or(|currency| currency == self.currency);
        self.balances.iter().filter(own).find(|balance| balance.kind == kind)
    }

    /// Returns opening and closing balance, if the statement has both.
    pub(crate) fn ends(&self) -> Option<(&Balance, &Balance)> {
        self.balance(BalanceKind::Opening).zip(self.balance(BalanceKind::Closing))
    }

    /// Returns the number and the part that a number such as `12` or `00012/001` names.
    pub(crate) fn number_and_part(&self) -> Option<(u64, u64)> {
        let text = self.number.as_deref()?;
        let (number, part) = text.split_once('/').unwrap_or((text, "0"));
        Some((number.trim().parse().ok()?, part.trim().parse().ok()?))
    }
}

/// One line of a file: one transaction as the file states it. A person may have millions of lines, all of them in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Index of the statement.
    pub statement: u32,
    /// The booking day.
    pub day: Date,
    /// Signed hundredths of `currency`.
    pub cents: i64,
    /// Currency of the amount.
    pub currency: Currency,
    /// True if the bank has only announced the entry.
    pub pending: bool,
    /// Fingerprint of the payee as [`payee_fingerprint`] returns it; 0 without a payee.
    pub payee: u32,
    /// Fingerprint of the texts. It only chooses among equal rows.
    pub text: u64,
    /// Facts that few lines have.
    pub details: Option<Box<LineDetails>>,
}

/// Facts of a line that few lines have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineDetails {
    /// Identifier at the source.
    pub id: Option<LineId>,
    /// Name of the identifier that this line replaces.
    pub replaces: Option<Uuid>,
    /// Signed hundredths of a fee that the amount does not contain; 0 without such a fee.
    pub fee_cents: i64,
    /// Balance after the line in hundredths of `currency`, if the file states one for each of its lines.
    pub balance_after: Option<i64>,
}

impl LineDetails {
    /// Returns the details as a line has them: `None` if there are none.
    pub fn boxed(self) -> Option<Box<LineDetails>> {
        if self == LineDetails::default() { None } else { Some(Box::new(self)) }
    }
}

/// Identifier of a line at its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineId {
    /// Name derived from account and identifier.
    pub name: Uuid,
    /// True if one identifier is one transaction in every file of the source.
    pub is_authoritative: bool,
}

impl LineId {
    /// Derives the name of an identifier.
    pub fn name(user: Uuid, account: Uuid, text: &str) -> Uuid {
        passbook_records::id::derive(user, "imported", &format!("{account}/{text}"))
    }
}

impl Line {
    /// Returns the effect on the balance, in hundredths: the amount with the fee that is stated apart.
    pub(crate) fn effect(&self) -> i128 {
        i128::from(self.cents) + i128::from(self.fee_cents())
    }

    /// Returns the fee that the amount does not contain, in signed hundredths.
    pub(crate) fn fee_cents(&self) -> i64 {
        self.details.as_ref().map_or(0, |details| details.fee_cents)
    }

    /// Returns the balance after the line.
    pub(crate) fn balance_after(&self) -> Option<i64> {
        self.details.as_ref()?.balance_after
    }

    /// Returns the name of the identifier at the source.
    pub(crate) fn id(&self) -> Option<Uuid> {
        Some(self.details.as_ref()?.id?.name)
    }

    /// Returns the name of the identifier that this line replaces.
    pub(crate) fn replaces(&self) -> Option<Uuid> {
        self.details.as_ref()?.replaces
    }

    /// Returns the name of an authoritative identifier.
    pub(crate) fn authoritative(&self) -> Option<Uuid> {
        Some(self.details.as_ref()?.id.filter(|id| id.is_authoritative)?.name)
    }
}

/// Returns a fingerprint of the texts of a line. It is the same within one run of the program only.
pub fn fingerprint(party: Option<&str>, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (party, text).hash(&mut hasher);
    hasher.finish()
}

/// Returns a fingerprint of the key of a payee, which the database computes; 0 without a payee.
pub fn payee_fingerprint(key: Option<&str>) -> u32 {
    // Half of the bits are enough: a payee only chooses among few lines.
    key.map_or(0, |key| u32::try_from(fingerprint(None, key) >> 32).unwrap_or(0).max(1))
}
