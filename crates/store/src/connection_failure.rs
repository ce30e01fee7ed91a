//! The reason why no connection to a database could be opened, in one sentence with its remedy.

use std::error::Error as StdError;
use std::{fmt, io};

use deadpool_postgres::PoolError;
use tokio_postgres::error::{DbError, SqlState};
use tokio_postgres::{Config, Error};

use crate::database_address::DatabaseAddress;
use crate::tls::HandshakeError;

/// The start of the message of the standard library for a host name without an address.
const LOOKUP_FAILED: &str = "failed to lookup address information";

/// The reason why no connection to a database could be opened. `Display` names host, port, database and role, the
/// reason, and the remedy; it never contains the password. A program puts the name of its setting before this text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionFailure {
    address: DatabaseAddress,
    reason: Reason,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Reason {
    HostMissing,
    HostNotResolved,
    NoRoute,
    ConnectionRefused,
    SocketMissing,
    SocketForbidden,
    TimedOut,
    ConnectionClosed,
    PasswordMissing,
    PasswordRejected,
    AccountRejected,
    RoleUnknown,
    RoleMayNotLogIn,
    DatabaseUnknown,
    DatabaseForbidden,
    ConnectionNotAllowed,
    TlsRequired,
    TlsNotOffered,
    CertificateUntrusted,
    CertificateOfAnotherHost,
    CertificateOutOfDate,
    TooManyConnections,
    StartingUp,
    ShuttingDown,
    CheckTimedOut,
    /// Any other error. Contains its message, and true if another setting is needed to fix it.
    Other(String, bool),
}

impl ConnectionFailure {
    /// Returns the failure that `error` reports. `error` or one of its sources is an error of the PostgreSQL driver or of
    /// the connection pool.
    pub fn new(config: &Config, error: &(dyn StdError + 'static)) -> ConnectionFailure {
        let causes = || std::iter::successors(Some(error), |error| (*error).source());
        let driver = causes().find_map(|cause| cause.downcast_ref::<Error>());
        let timed_out =
            causes().any(|cause| matches!(cause.downcast_ref::<PoolError>(), Some(PoolError::Timeout(_))));
        let reason = match driver {
            Some(error) => Reason::of(config, error),
            None if timed_out => Reason::TimedOut,
            None => Reason::Other(error.to_string(), false),
        };
        ConnectionFailure { address: DatabaseAddress::of(config), reason }
    }

    /// Returns the failure of a server that did not answer in time.
    pub fn timed_out(config: &Config) -> ConnectionFailure {
        ConnectionFailure { address: DatabaseAddress::of(config), reason: Reason::TimedOut }
    }

    /// Returns true if the server rejects these connection settings, so that only other settings help. Otherwise a later
    /// attempt with the same settings may succeed.
    pub fn is_rejection(&self) -> bool {
        match self.reason {
            Reason::HostNotResolved
            | Reason::NoRoute
            | Reason::ConnectionRefused
            | Reason::SocketMissing
            | Reason::TimedOut
            | Reason::ConnectionClosed
            | Reason::TooManyConnections
            | Reason::StartingUp
            | Reason::ShuttingDown
            | Reason::CheckTimedOut => false,
            Reason::Other(_, is_rejection) => is_rejection,
            _ => true,
        }
    }
}

impl StdError for ConnectionFailure {}

impl fmt::Display for ConnectionFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot connect to {}: {}", self.address, self.reason.text())
    }
}

impl Reason {
    /// Returns reason and remedy.
    fn text(&self) -> &str {
        match self {
            Reason::HostMissing => "the URL names no host; add it: postgresql://role:password@host/database",
            Reason::HostNotResolved => {
                "the host name has no address; correct the host, or the name resolution of this machine"
            }
            Reason::NoRoute => "the network has no route to the host; correct the host, or the network",
            Reason::ConnectionRefused => {
                "nothing listens there; start PostgreSQL, or correct the host and the port"
            }
            Reason::SocketMissing => {
                "there is no such socket; start PostgreSQL, or correct the folder and the port"
            }
            Reason::SocketForbidden => {
                "this account may not open the socket; run the program as an account that may"
            }
            Reason::TimedOut => {
                "the server does not answer in time; correct the host and the port, or let the firewall pass them"
            }
            Reason::ConnectionClosed => {
                "the connection was closed before it was ready; check that a PostgreSQL server listens there, and see \
                 its log"
            }
            Reason::PasswordMissing => {
                "the server asks for a password, and the URL has none; add it: \
                 postgresql://role:password@host/database"
            }
            Reason::PasswordRejected => {
                "the server rejects the role or its password; correct both (alter role … password '…' sets another one)"
            }
            Reason::AccountRejected => {
                "the server rejects this operating-system account for the role; run the program as the account that \
                 pg_hba.conf and pg_ident.conf allow, or use a role with a password"
            }
            Reason::RoleUnknown => "the role does not exist; correct the role, or create it",
            Reason::RoleMayNotLogIn => {
                "the role may not log in; correct the role, or allow it (alter role … login password '…')"
            }
            Reason::DatabaseUnknown => {
                "the database does not exist; correct the name, or create the database"
            }
            Reason::DatabaseForbidden => {
                "the role may not connect to the database; correct the role, or allow it (grant connect on database … \
                 to …)"
            }
            Reason::ConnectionNotAllowed => {
                "pg_hba.conf of the server has no entry for this role and database; correct them, or add an entry"
            }
            Reason::TlsRequired => {
                "the server accepts connections from this address only with TLS, and this one had none; remove \
                 sslmode=disable from the URL, or enable TLS on the server (ssl = on)"
            }
            Reason::TlsNotOffered => {
                "the server does not offer TLS, which sslmode of the URL demands; enable it on the server (ssl = on), or \
                 set sslmode=prefer if you trust the network"
            }
            Reason::CertificateUntrusted => {
                "no authority of sslrootcert has issued the certificate of the server; set sslrootcert to the certificate \
                 of the authority that has"
            }
            Reason::CertificateOfAnotherHost => {
                "the certificate of the server is not valid for the host; name the host as the certificate does (its \
                 subject alternative names), or set sslmode=verify-ca to accept every host of the authority"
            }
            Reason::CertificateOutOfDate => {
                "the certificate of the server is expired or not yet valid; renew it, or correct the clock of this machine"
            }
            Reason::TooManyConnections => {
                "the server has no connection left for the role; close some, raise the limit of the server or the \
                 role, or use fewer"
            }
            Reason::StartingUp => "the server is starting up; try again in a moment",
            Reason::ShuttingDown => "the server is shutting down; try again when it runs",
            Reason::CheckTimedOut => {
                "the server accepts connections, but a statement of the start-up check exceeded statement_timeout of the \
                 role; try again when the machine is less busy, or raise the limit"
            }
            Reason::Other(message, _) => message,
        }
    }

    fn of(config: &Config, error: &Error) -> Reason {
        if let Some(error) = error.as_db_error() {
            return Reason::of_server(config, error);
        }
        let cause = StdError::source(error);
        if let Some(source) = cause.and_then(|cause| cause.downcast_ref::<io::Error>()) {
            return Reason::of_system(source);
        }
        if let Some(source) = cause.and_then(|cause| cause.downcast_ref::<HandshakeError>()) {
            return Reason::of_handshake(source);
        }
        // The driver has no type of its own for these errors.
        match cause.map(ToString::to_string).as_deref() {
            Some("password missing") => Reason::PasswordMissing,
            Some("both host and hostaddr are missing") => Reason::HostMissing,
            Some("server does not support TLS") => Reason::TlsNotOffered,
            _ if error.is_closed() => Reason::ConnectionClosed,
            Some(cause) => Reason::Other(format!("{error}: {cause}"), true),
            None => Reason::Other(error.to_string(), false),
        }
    }

    fn of_handshake(error: &HandshakeError) -> Reason {
        use rustls::CertificateError as Fault;
        let fault = match error {
            HandshakeError::Io(error) => return Reason::of_system(error),
            HandshakeError::Tls(rustls::Error::InvalidCertificate(fault)) => fault,
            HandshakeError::Tls(_) | HandshakeError::Host(_) => {
                return Reason::Other(error.to_string(), true);
            }
        };
        match fault {
            Fault::UnknownIssuer => Reason::CertificateUntrusted,
            Fault::NotValidForName | Fault::NotValidForNameContext { .. } => Reason::CertificateOfAnotherHost,
            Fault::Expired | Fault::ExpiredContext { .. } => Reason::CertificateOutOfDate,
            Fault::NotValidYet | Fault::NotValidYetContext { .. } => Reason::CertificateOutOfDate,
            _ => Reason::Other(error.to_string(), true),
        }
    }

    fn of_system(error: &io::Error) -> Reason {
        use io::ErrorKind;
        let message = error.to_string();
        match error.kind() {
            _ if message.starts_with(LOOKUP_FAILED) => Reason::HostNotResolved,
            ErrorKind::ConnectionRefused => Reason::ConnectionRefused,
            ErrorKind::NotFound => Reason::SocketMissing,
            ErrorKind::PermissionDenied if error.raw_os_error().is_some() => Reason::SocketForbidden,
            ErrorKind::TimedOut => Reason::TimedOut,
            ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => Reason::NoRoute,
            ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe
            | ErrorKind::UnexpectedEof => Reason::ConnectionClosed,
            _ => Reason::Other(message, false),
        }
    }

    /// The reason in an error response of the server. Messages of the server may be translated, so codes and names of
    /// the server's functions are compared where they suffice.
    fn of_server(config: &Config, error: &DbError) -> Reason {
        let message = error.message();
        let contains = |word: &str| message.to_lowercase().contains(word);
        let class = error.code().code().get(..2).unwrap_or_default();
        match *error.code() {
            SqlState::INVALID_CATALOG_NAME => Reason::DatabaseUnknown,
            SqlState::INSUFFICIENT_PRIVILEGE => Reason::DatabaseForbidden,
            SqlState::TOO_MANY_CONNECTIONS => Reason::TooManyConnections,
            SqlState::QUERY_CANCELED => Reason::CheckTimedOut,
            SqlState::CANNOT_CONNECT_NOW if contains("shutting down") => Reason::ShuttingDown,
            SqlState::CANNOT_CONNECT_NOW => Reason::StartingUp,
            SqlState::ADMIN_SHUTDOWN | SqlState::CRASH_SHUTDOWN => Reason::ShuttingDown,
            SqlState::INVALID_PASSWORD => Reason::PasswordRejected,
            // The message of a missing pg_hba.conf entry ends with these words if the connection has no TLS, and otherwise
            // with "SSL encryption".
            _ if class == "28" && contains("pg_hba.conf") && !contains("no encryption") => {
                Reason::ConnectionNotAllowed
            }
            _ if class == "28" && contains("[local]") => Reason::ConnectionNotAllowed,
            _ if class == "28" && contains("does not exist") => Reason::RoleUnknown,
            _ if class == "28" && contains("not permitted to log in") => Reason::RoleMayNotLogIn,
            _ if matches!(class, "28" | "08") && is_demand_for_tls(message) => Reason::TlsRequired,
            _ if error.routine() == Some("auth_failed") && config.get_password().is_none() => {
                Reason::AccountRejected
            }
            _ if error.routine() == Some("auth_failed") => Reason::PasswordRejected,
            _ => {
                let text = format!("the server reports: {message} (SQLSTATE {})", error.code().code());
                Reason::Other(text, matches!(class, "28" | "3D"))
            }
        }
    }
}

/// Returns true if the server's message demands TLS. PostgreSQL ends the message with "no encryption"; the words of
/// managed databases and poolers name SSL, TLS or an insecure connection.
fn is_demand_for_tls(message: &str) -> bool {
    let message = message.to_lowercase();
    ["no encryption", "ssl", "tls", "insecure"].iter().any(|word| message.contains(word))
}
