//! Bytes on disk of a transaction: its row, its indexes, and the data that are derived from it.

use super::super::data::STANDARD;
use super::super::figures::Outcome;
use super::super::setting::Setting;

pub(super) fn run(setting: &Setting) -> Result<Outcome, String> {
    setting.generator().ensure(STANDARD)?;
    let number = |expression: &str| -> Result<f64, String> {
        let query = format!("select ({expression})::float8 / count(*) from passbook.transactions");
        let value = setting.postgres.query(STANDARD.name, &query)?;
        value.parse().map_err(|_| format!("{query}: {value:?}"))
    };
    let all = "select sum(pg_total_relation_size(c.oid)) from pg_class as c
               where c.relnamespace = 'passbook'::regnamespace and c.relkind = 'r'";
    let mut outcome = Outcome::default();
    outcome.figure("row", number("pg_table_size('passbook.transactions')")?, "bytes");
    outcome.figure("indexes of the row", number("pg_indexes_size('passbook.transactions')")?, "bytes");
    outcome.figure("all tables and indexes of the schema, for each transaction", number(all)?, "bytes");
    Ok(outcome)
}
