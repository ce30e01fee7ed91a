//! Kinds of accounts, securities and positions.

use crate::string_enum::string_enum;

string_enum! {
    /// The kind of an account.
    AccountType {
        Depository = "depository",
        Credit = "credit",
        Loan = "loan",
        Investment = "investment",
        Other = "other",
    }
}

string_enum! {
    /// The kind of a security.
    SecurityType {
        Equity = "EQUITY",
        Etf = "ETF",
        MutualFund = "MUTUAL_FUND",
        Bond = "BOND",
        Cash = "CASH",
        Cryptocurrency = "CRYPTOCURRENCY",
        Derivative = "DERIVATIVE",
        Other = "OTHER",
    }
}

string_enum! {
    /// The direction of a position: a long position gains when the price rises, a short position when it falls.
    PositionSide {
        Long = "LONG",
        Short = "SHORT",
    }
}
