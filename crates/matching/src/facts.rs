//! The facts of a line for rules, and the reasons for a category.

/// The facts of a line that rules can test.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts<'a> {
    /// Description of the line.
    pub text: &'a str,
    /// Name of the other party.
    pub party: Option<&'a str>,
    /// IBAN or number of the other party.
    pub party_account: Option<&'a str>,
    /// Code of the bank or provider.
    pub code: Option<&'a str>,
    /// Category of the app that the file comes from.
    pub category: Option<&'a str>,
    /// The own account on the other side, as the source names it; empty if the source only says that it is a transfer.
    pub transfer_with: Option<&'a str>,
    /// Name of the account of the line.
    pub account: &'a str,
    /// Signed hundredths.
    pub cents: i64,
    /// True if the line is nothing but a fee.
    pub is_fee: bool,
}

/// The reason for a category.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The category of the app that the file comes from.
    App,
    /// A rule of the person's file, by its position.
    Rule(u16),
    /// A rule that comes with Passbook, by its position.
    Starter(u16),
    /// The code of the provider.
    Provider,
    /// The bank's type of the booking.
    BankType,
    /// Nothing else: uncategorised.
    Nothing,
}
