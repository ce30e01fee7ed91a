//! The request and the results of a reading transaction.

use passbook_domain::access::Access;
use passbook_domain::range::Days;
use tokio_postgres::types::ToSql;

use crate::error::Error;
use crate::query::Query;
use crate::row::Rows;

/// A query with the values of its parameters.
pub(crate) type BoundQuery<'a> = (Query, &'a [&'a (dyn ToSql + Sync)]);

/// The results of a reading transaction.
pub(crate) struct Exchanged {
    /// The row of the grant, if it was read on another host than the data. It then counts instead of the one in `session`.
    pub(crate) grant: Option<Rows>,
    /// The row of the session: the person, the resolved days and the grant.
    pub(crate) session: Rows,
    /// The results of the queries, or the error of one of them. The error must not reach a caller without a valid grant.
    pub(crate) results: Result<Vec<Rows>, Error>,
}

/// The request of a transaction.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    pub(crate) access: &'a Access<'a>,
    pub(crate) days: &'a Days,
    pub(crate) queries: &'a [BoundQuery<'a>],
}
