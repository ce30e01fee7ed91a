//! The names of a person's accounts, banks, own categories, tags and merchants, by which a request may select rows.

use uuid::Uuid;

use crate::scope::Scope;
use crate::string_enum::string_enum;

string_enum! {
    /// A kind of named things. A further kind is one value here, its scopes below, and one part of the store's query.
    NameKind {
        Account = "account",
        Bank = "bank",
        OwnCategory = "own category",
        Tag = "tag",
        Merchant = "merchant",
    }
}

impl NameKind {
    /// Returns the scopes that read the names. One of them is enough.
    pub const fn scopes(self) -> &'static [Scope] {
        match self {
            NameKind::Account => &[Scope::TransactionsRead, Scope::PortfolioRead],
            NameKind::Bank => &[Scope::BanksRead],
            NameKind::OwnCategory | NameKind::Tag | NameKind::Merchant => {
                &[Scope::TransactionsRead, Scope::SpendingRead]
            }
        }
    }
}

/// A thing with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The kind.
    pub kind: NameKind,
    /// The identifier, by which a request may select the thing too.
    pub id: String,
    /// The name, as the person knows it.
    pub name: String,
    /// Text that tells the thing from others of the same name: bank and type of an account, fixed category of an own one.
    pub detail: Option<String>,
    /// The thing itself, or the accounts of a bank; empty for a merchant.
    pub ids: Vec<Uuid>,
    /// Of a merchant, the text of the request that names it.
    pub given: Option<String>,
}

/// The names of some kinds that a caller may read.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The kinds whose names the caller's scopes read.
    pub readable: Vec<NameKind>,
    /// The things of these kinds.
    pub names: Vec<Name>,
}

/// A name of the request, and the thing that it names.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[schemars(extend("x-tool-plain" = true))]
pub struct Resolved {
    /// The parameter.
    pub argument: &'static str,
    /// The name, as received.
    pub given: String,
    /// Identifier of the thing.
    pub id: String,
    /// Name of the thing.
    pub name: String,
}
