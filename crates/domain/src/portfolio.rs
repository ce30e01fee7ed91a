//! Accounts, securities and what is held of them.

use crate::words::words;

words! {
    /// The kind of an account.
    AccountType {
        Depository = "depository",
        Credit = "credit",
        Loan = "loan",
        Investment = "investment",
        Other = "other",
    }
}

words! {
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

words! {
    /// Whether a position gains when the price rises or when it falls.
    PositionSide {
        Long = "LONG",
        Short = "SHORT",
    }
}
