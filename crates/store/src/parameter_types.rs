//! A cache of the parameter types of queries, for stores that do not use prepared statements.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio_postgres::types::Type;

/// Parameter types of each query, by the name of the query. They stay valid while the process runs, because queries are
/// constants.
pub(crate) type ParameterTypes = Arc<Mutex<HashMap<&'static str, Arc<[Type]>>>>;
