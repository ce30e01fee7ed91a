//! The descriptions of all tables that can be loaded, in the order in which they are stored.

use tokio_postgres::types::Type;

/// Declares columns as `column_name: Kind` pairs.
macro_rules! columns {
    ($($name:ident: $kind:ident),* $(,)?) => {
        &[$(Column { name: stringify!($name), kind: Kind::$kind }),*]
    };
}

const USER: Reference = Reference {
    field: "user",
    table: "users",
    columns: &[("user_id", "user_id")],
    rule: "must be a user of this input or one who is stored",
};

const ACCOUNT: Reference = Reference {
    field: "account",
    table: "accounts",
    columns: &[("user_id", "user_id"), ("account_id", "account_id")],
    rule: "must be an account of this user, in this input or stored",
};

const CLIENT: Reference = Reference {
    field: "client_id",
    table: "oauth_clients",
    columns: &[("client_id", "client_id")],
    rule: "must be a client of this input or one that is stored",
};

const SECURITY: Reference = Reference {
    field: "security",
    table: "securities",
    columns: &[("user_id", "user_id"), ("security_id", "security_id")],
    rule: "must be a security of this user, in this input or stored",
};

/// The tables whose rows grant access.
pub(super) const CREDENTIALS: &[&str] =
    &["oauth_clients", "oauth_consents", "oauth_sessions", "personal_access_tokens"];

/// All tables that can be loaded. A table comes after the tables that it refers to.
pub(super) static TABLES: &[Table] = &[
    Table {
        name: "users",
        key: columns![user_id: Uuid],
        // The excluded categories have a table of their own, and are staged with their person.
        values: columns![email: Text, preferred_currency: Text, time_zone: Text, excluded_categories: Texts],
        identity: "id",
        references: &[],
    },
    Table {
        name: "rate_base",
        key: columns![only_row: Flag],
        values: columns![currency: Text],
        identity: "meaning",
        references: &[],
    },
    Table {
        name: "exchange_rates",
        key: columns![currency: Text, date: Day],
        values: columns![rate: Decimal],
        identity: "currency and day",
        references: &[],
    },
    Table {
        name: "banks",
        key: columns![user_id: Uuid, bank_id: Uuid],
        values: columns![name: Text, status: Text, new_accounts_available: Flag,
            last_successful_update: Moment, last_failed_update: Moment, consent_expires_at: Moment, error_code: Text],
        identity: "user and id",
        references: &[USER],
    },
    Table {
        name: "accounts",
        key: columns![user_id: Uuid, account_id: Uuid],
        values: columns![bank_id: Uuid, name: Text, type: Text, subtype: Text, currency: Text,
            balance_cents: Number, balance_updated_at: Moment, closed_on: Day, ledger_id: Text],
        identity: "user and id",
        references: &[
            USER,
            Reference {
                field: "bank",
                table: "banks",
                columns: &[("user_id", "user_id"), ("bank_id", "bank_id")],
                rule: "must be a bank of this user, in this input or stored",
            },
        ],
    },
    Table {
        name: "balance_snapshots",
        key: columns![user_id: Uuid, account_id: Uuid, date: Day],
        values: columns![balance_cents: Number],
        identity: "account and day",
        references: &[USER, ACCOUNT],
    },
    Table {
        name: "transactions",
        key: columns![user_id: Uuid, transaction_id: Uuid],
        values: columns![account_id: Uuid, date: Day, type: Text, category: Text,
            amount_cents: Number, currency: Text, title: Text, pending: Flag, provider_category: Text,
            merchant_name: Text, linked_transaction_id: Uuid],
        identity: "user and id",
        references: &[
            USER,
            ACCOUNT,
            Reference {
                field: "linked_transaction",
                table: "transactions",
                columns: &[("user_id", "user_id"), ("linked_transaction_id", "transaction_id")],
                rule: "must be a transaction of this user, in this input or stored",
            },
        ],
    },
    Table {
        name: "budgets",
        key: columns![user_id: Uuid, budget_id: Uuid],
        values: columns![category: Text, target_cents: Number, currency: Text],
        identity: "user and id",
        references: &[USER],
    },
    Table {
        name: "securities",
        key: columns![user_id: Uuid, security_id: Uuid],
        values: columns![name: Text, type: Text, currency: Text, symbol: Text, isin: Text,
            is_cash_equivalent: Flag],
        identity: "user and id",
        references: &[USER],
    },
    Table {
        name: "security_prices",
        key: columns![user_id: Uuid, security_id: Uuid, date: Day],
        values: columns![price: Decimal],
        identity: "security and day",
        references: &[USER, SECURITY],
    },
    Table {
        name: "holdings",
        key: columns![user_id: Uuid, account_id: Uuid, security_id: Uuid],
        values: columns![quantity: Decimal, cost_basis_cents: Number],
        identity: "account and security",
        references: &[USER, ACCOUNT, SECURITY],
    },
    Table {
        name: "wallets",
        key: columns![user_id: Uuid, wallet_id: Uuid],
        values: columns![name: Text, network: Text, address: Text, updated_at: Moment],
        identity: "user and id",
        references: &[USER],
    },
    Table {
        name: "wallet_holdings",
        key: columns![user_id: Uuid, wallet_id: Uuid, security_id: Uuid, date: Day],
        values: columns![quantity: Decimal],
        identity: "wallet, security and day",
        references: &[
            USER,
            Reference {
                field: "wallet",
                table: "wallets",
                columns: &[("user_id", "user_id"), ("wallet_id", "wallet_id")],
                rule: "must be a wallet of this user, in this input or stored",
            },
            SECURITY,
        ],
    },
    Table {
        name: "paper_accounts",
        key: columns![user_id: Uuid, paper_account_id: Uuid],
        values: columns![name: Text, provider: Text, currency: Text, cash_cents: Number,
            starting_balance_cents: Number, updated_at: Moment],
        identity: "user and id",
        references: &[USER],
    },
    Table {
        name: "paper_positions",
        key: columns![user_id: Uuid, paper_account_id: Uuid, security_id: Uuid, side: Text],
        values: columns![quantity: Decimal, average_entry_price: Decimal],
        identity: "paper account, security and side",
        references: &[
            USER,
            Reference {
                field: "paper_account",
                table: "paper_accounts",
                columns: &[("user_id", "user_id"), ("paper_account_id", "paper_account_id")],
                rule: "must be a paper account of this user, in this input or stored",
            },
            SECURITY,
        ],
    },
    Table {
        name: "oauth_clients",
        key: columns![client_id: Text],
        values: columns![kind: Text, user_id: Uuid, name: Text, redirect_uris: Texts, scopes: Texts,
            rest: Flag, mcp: Flag, revoked_at: Moment],
        identity: "client_id",
        references: &[Reference { field: "owner", columns: &[("user_id", "user_id")], ..USER }],
    },
    Table {
        name: "oauth_consents",
        key: columns![user_id: Uuid, client_id: Text],
        values: columns![granted_at: Moment, revoked_at: Moment],
        identity: "user and client",
        references: &[USER, CLIENT],
    },
    Table {
        name: "oauth_sessions",
        key: columns![user_id: Uuid, session_id: Text],
        values: columns![client_id: Text, created_at: Moment, revoked_at: Moment],
        identity: "user and session_id",
        references: &[USER, CLIENT],
    },
    Table {
        name: "personal_access_tokens",
        key: columns![user_id: Uuid, token_id: Uuid],
        values: columns![token_hash: Bytes, name: Text, last_four: Text, scopes: Texts, rest: Flag, mcp: Flag,
            created_at: Moment, expires_at: Moment, revoked_at: Moment],
        identity: "user and id",
        references: &[USER],
    },
    Table {
        name: "ledgers",
        key: columns![user_id: Uuid, ledger: Text],
        values: columns![account_map: Text, map_name: Text, imported_at: Moment],
        identity: "user and ledger",
        references: &[USER],
    },
];

/// A table that records are loaded into. All texts are `'static`: SQL statements consist of these constants only, so
/// input can never become SQL.
#[derive(Debug)]
pub(super) struct Table {
    /// Name of the array of a bundle that has the rows.
    pub(super) name: &'static str,
    /// The columns of the primary key.
    pub(super) key: &'static [Column],
    /// The columns that are not part of the primary key.
    pub(super) values: &'static [Column],
    /// The primary key in words of the input, for messages, such as "user and id".
    pub(super) identity: &'static str,
    /// The references to rows of other tables.
    pub(super) references: &'static [Reference],
}

impl Table {
    /// Returns the name of the table in the schema `passbook`.
    pub(super) fn relation(&self) -> &'static str {
        relation(self.name)
    }
}

/// Returns the name of the table in the schema `passbook` that has the rows of an array of a bundle.
pub(super) fn relation(array: &str) -> &str {
    match array {
        "rate_base" => "base_currency",
        "banks" => "bank_connections",
        "wallet_holdings" => "wallet_quantities",
        same => same,
    }
}

/// A column and its type.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
}

/// The type of a column.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Uuid,
    Text,
    Texts,
    Flag,
    Number,
    Decimal,
    Day,
    Moment,
    Bytes,
}

impl Kind {
    /// Returns the name of the type in SQL.
    pub(super) const fn sql(self) -> &'static str {
        match self {
            Kind::Uuid => "uuid",
            Kind::Text => "text",
            Kind::Texts => "text[]",
            Kind::Flag => "boolean",
            Kind::Number => "bigint",
            Kind::Decimal => "numeric",
            Kind::Day => "date",
            Kind::Moment => "timestamptz",
            Kind::Bytes => "bytea",
        }
    }

    /// Returns the type for the binary protocol.
    pub(super) const fn wire(self) -> Type {
        match self {
            Kind::Uuid => Type::UUID,
            Kind::Text => Type::TEXT,
            Kind::Texts => Type::TEXT_ARRAY,
            Kind::Flag => Type::BOOL,
            Kind::Number => Type::INT8,
            Kind::Decimal => Type::NUMERIC,
            Kind::Day => Type::DATE,
            Kind::Moment => Type::TIMESTAMPTZ,
            Kind::Bytes => Type::BYTEA,
        }
    }
}

/// A reference to a row of another table.
#[derive(Debug)]
pub(super) struct Reference {
    /// Field of the input that contains the reference. It is the last part of a fault's place.
    pub(super) field: &'static str,
    /// Name of the table that contains the referenced row.
    pub(super) table: &'static str,
    /// Pairs of column names: a column of this table, and the column of the referenced table that must be equal.
    pub(super) columns: &'static [(&'static str, &'static str)],
    /// Text of the rule, as a clause of a fault.
    pub(super) rule: &'static str,
}

impl Table {
    /// Returns the key columns and then the other columns, the order in which values are sent.
    pub(super) fn columns(&self) -> impl Iterator<Item = &'static Column> + Clone {
        self.key.iter().chain(self.values.iter())
    }

    /// Returns the columns of the primary key that contain an identifier of this table or of a referenced table.
    pub(super) fn identifiers(&self) -> impl Iterator<Item = &'static Column> + Clone {
        self.key.iter().filter(|column| matches!(column.kind, Kind::Uuid) && column.name != "user_id")
    }
}
