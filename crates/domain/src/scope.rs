//! Scopes and surfaces: the data that a grant allows to read, and the interfaces that it allows to use.

use crate::string_enum::string_enum;

string_enum! {
    /// A data scope of the form `<area>:read`. Scopes are compared exactly; no scope includes another.
    #[non_exhaustive]
    Scope {
        TransactionsRead = "transactions:read",
        CashflowRead = "cashflow:read",
        SpendingRead = "spending:read",
        RecurringPaymentsRead = "recurring-payments:read",
        BudgetsRead = "budgets:read",
        BanksRead = "banks:read",
        PortfolioRead = "portfolio:read",
        PreferencesRead = "preferences:read",
    }
    or
    /// A scope that a host has defined for its own operations: see [`Scope::host`].
    Host(HostName)
}

string_enum! {
    /// An interface of the service.
    #[non_exhaustive]
    Surface {
        /// The REST routes.
        Rest = "rest",
        /// The tool server for assistants (Model Context Protocol).
        Mcp = "mcp",
    }
    or
    /// The interface of a host's own adapter: see [`Surface::host`].
    Host(HostName)
}

impl Scope {
    /// Creates a scope for a host's own operations. A grant includes the scope if its stored scopes contain the name.
    ///
    /// # Panics
    /// The name breaks the rule of [`HostName::new`], or is a scope of Passbook. In a constant, the panic is an error of
    /// the compiler.
    pub const fn host(name: &'static str) -> Scope {
        let mut index = 0;
        while index < Scope::ALL.len() {
            assert!(!is_same(Scope::ALL[index].as_str(), name), "the name is a scope of Passbook");
            index += 1;
        }
        Scope::Host(HostName::new(name))
    }
}

impl Surface {
    /// Prefix of the entry in the stored scopes of a grant that allows the surface of a host.
    pub const HOST_PREFIX: &'static str = "surface:";

    /// Creates the surface of a host's own adapter. A grant allows the surface if its stored scopes contain
    /// `surface:<name>`. Limits and results are those of [`Surface::Rest`].
    ///
    /// # Panics
    /// The name breaks the rule of [`HostName::new`], or is a surface of Passbook. In a constant, the panic is an error
    /// of the compiler.
    pub const fn host(name: &'static str) -> Surface {
        let mut index = 0;
        while index < Surface::ALL.len() {
            assert!(!is_same(Surface::ALL[index].as_str(), name), "the name is a surface of Passbook");
            index += 1;
        }
        Surface::Host(HostName::new(name))
    }
}

/// The name of a scope or a surface that a host has defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostName(&'static str);

impl HostName {
    /// Maximum length in bytes.
    pub const BYTES_MAX: usize = 64;

    /// Creates a name of 1 to [`HostName::BYTES_MAX`] lower-case ASCII letters, digits and the characters `-`, `_`, `.`
    /// and `:`. These are scope tokens of OAuth (RFC 6749 section 3.3).
    ///
    /// # Panics
    /// The name breaks this rule. In a constant, the panic is an error of the compiler.
    pub const fn new(name: &'static str) -> HostName {
        let bytes = name.as_bytes();
        assert!(!bytes.is_empty() && bytes.len() <= HostName::BYTES_MAX, "a name has 1 to 64 bytes");
        let mut index = 0;
        while index < bytes.len() {
            let allowed = matches!(bytes[index], b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b':');
            assert!(allowed, "a name has only lower-case letters, digits, `-`, `_`, `.` and `:`");
            index += 1;
        }
        HostName(name)
    }

    /// Returns the name.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

/// Compares two texts. `==` is not available in constants.
const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut index = 0;
    while index < one.len() {
        if one[index] != other[index] {
            return false;
        }
        index += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_host_are_scope_tokens_that_passbook_does_not_use() {
        const RECEIPTS: Scope = Scope::host("receipts:read");
        assert_eq!(RECEIPTS.as_str(), "receipts:read");
        assert_eq!(Surface::host("json-rpc").as_str(), "json-rpc");
        assert!(Scope::parse("receipts:read").is_err(), "the name belongs to its host");
        for name in ["", "Receipts", "two words", "spending:read"] {
            assert!(std::panic::catch_unwind(|| Scope::host(name)).is_err(), "{name:?}");
        }
        assert!(std::panic::catch_unwind(|| Surface::host("mcp")).is_err());
    }
}
