//! Checks that need several records or the stored rows. Each check is one query that returns the places of invalid
//! records. The tables' constraints enforce the same rules a second time.

use passbook_domain::money::AMOUNT_CENTS_MAX;
use passbook_input::{Fault, Faults};
use passbook_records::FAULTS_LISTED_MAX;
use tokio_postgres::Row;

use super::result::LoadError;
use super::row::{Table, relation};
use super::stage::{Staged, Staging};
use super::statement;
use super::table;
use crate::count;

/// A check that consists of one query. The query returns the place of each invalid record, its received value (or
/// null), and the total number of invalid records.
struct Check<'a> {
    /// The staged table to which the check applies. The check is skipped if the input has no record of this table.
    table: &'static str,
    /// The invalid field, named as in the input; empty for the whole record.
    field: &'static str,
    rule: &'static str,
    query: &'a str,
}

const CHECKS: &[Check<'static>] = &[
    Check {
        table: "users",
        field: "time_zone",
        rule: "must be the name of an IANA time zone, such as Europe/Paris",
        query: include_str!("../../sql/check_time_zone.sql"),
    },
    Check {
        table: "users",
        field: "email",
        rule: "must not be the address of another user",
        query: include_str!("../../sql/check_email.sql"),
    },
    Check {
        table: "rate_base",
        field: "",
        rule: "must be the base against which the stored exchange rates are quoted",
        query: include_str!("../../sql/check_base_currency.sql"),
    },
    Check {
        table: "exchange_rates",
        field: "currency",
        rule: "must not be the base currency, whose rate is always 1",
        query: include_str!("../../sql/check_rate_of_base.sql"),
    },
    Check {
        table: "budgets",
        field: "category",
        rule: "must not be the category of another budget of this user",
        query: include_str!("../../sql/check_budget_category.sql"),
    },
    Check {
        table: "own_categories",
        field: "name",
        rule: "must not be the name of another own category of this user with the same parent",
        query: include_str!("../../sql/check_own_category_name.sql"),
    },
    Check {
        table: "own_categories",
        field: "parent",
        rule: "must not be a category that has a parent itself, nor the parent of a category that is one",
        query: include_str!("../../sql/check_own_category_parent.sql"),
    },
    Check {
        table: "personal_access_tokens",
        field: "token_hash",
        rule: "must not be the hash of another token",
        query: include_str!("../../sql/check_token_hash.sql"),
    },
];

/// Creates the table of the rows with links, which [`LINK_CHECKS`] read.
const CREATE_LINKS: &str = include_str!("../../sql/create_load_links.sql");

/// Checks for the links of transfers and refunds. The link of any other row names the pending row that it replaces, and
/// has no further rule.
const LINK_CHECKS: &[Check<'static>] = &[
    Check {
        table: "transactions",
        field: LINK,
        rule: "must name the other leg of this transfer: an INTERNAL_TRANSFER in the other direction, on another \
               account, that is linked to this row or to none",
        query: include_str!("../../sql/check_transfer_link.sql"),
    },
    Check {
        table: "transactions",
        field: LINK,
        rule: "must name the other leg of this transfer, which is not a pending row on the same account; if this row \
               replaces that one, give `type` (INCOME or EXPENSE) and `category` explicitly",
        query: include_str!("../../sql/check_replaced_pending_row.sql"),
    },
    Check {
        table: "transactions",
        field: LINK,
        rule: "must name the purchase, an EXPENSE, because this row is a REFUND",
        query: include_str!("../../sql/check_refund_link.sql"),
    },
];

/// The rule of the fault for new transactions of an account on days of its imported files. A program that offers a way to
/// confirm can recognise the fault by this text, and name that way.
pub const DAYS_OF_FILES: &str =
    "must not be on days of an imported file of the account, because these would count twice";

const EXCESSIVE_VALUE: &str = "must not have a quantity and a price of the same security whose product is above \
                               90000000000000";
const LINK: &str = "linked_transaction";

/// Runs every check on the records to store and adds a fault for each invalid record. References are checked if all
/// records could be read. New transactions on days of imported files are faults, unless `beside_files`.
pub(super) async fn check(
    staging: &Staging<'_>,
    staged: &Staged,
    all_records_were_read: bool,
    beside_files: bool,
    faults: &mut Faults,
) -> Result<(), LoadError> {
    if staged
        .stored
        .iter()
        .any(|&number| matches!(table::by_number(number).name, "rate_base" | "exchange_rates"))
    {
        // The lock lasts until the end of the transaction, so that two concurrent loads cannot store a base and rates
        // against another base.
        let lock = "select from passbook.base_currency for update";
        staging.batch_execute(lock).await?;
    }
    for &number in &staged.stored {
        let table = table::by_number(number);
        remove_repeated_rows(staging, table, faults).await?;
        for check in CHECKS.iter().filter(|check| check.table == table.name) {
            run_check(staging, check, faults).await?;
        }
        if all_records_were_read {
            if let Some(query) = find_excessive_values(table.name) {
                let check = Check { table: table.name, field: "", rule: EXCESSIVE_VALUE, query: &query };
                run_check(staging, &check, faults).await?;
            }
            for reference in table.references {
                let query = statement::find_missing_references(table, reference);
                let fault = |row: &Row| Fault::new(inside(row.get(0), reference.field), reference.rule);
                report(staging, &query, faults, fault).await?;
            }
            if table.name == "transactions" {
                staging.batch_execute(CREATE_LINKS).await?;
                for check in LINK_CHECKS {
                    run_check(staging, check, faults).await?;
                }
                if !beside_files {
                    let query = include_str!("../../sql/check_days_of_files.sql");
                    report(staging, query, faults, |row| row_fault(row, DAYS_OF_FILES)).await?;
                }
            }
        }
    }
    Ok(())
}

/// Removes the rows with the key of an earlier row. Adds a fault for each that differs from the earlier row.
async fn remove_repeated_rows(
    staging: &Staging<'_>,
    table: &Table,
    faults: &mut Faults,
) -> Result<(), LoadError> {
    let query = statement::remove_repeated_rows(table);
    report(staging, &query, faults, |row| {
        let (place, earlier): (&str, &str) = (row.get(0), row.get(1));
        Fault::new(place, format!("must equal {earlier}, which has the same {}", table.identity))
    })
    .await
}

async fn run_check(staging: &Staging<'_>, check: &Check<'_>, faults: &mut Faults) -> Result<(), LoadError> {
    report(staging, check.query, faults, |row| {
        let fault = Fault::new(inside(row.get(0), check.field), check.rule);
        match row.get::<_, Option<&str>>(1) {
            Some(received) => fault.received(format!("{received:?}")),
            None => fault,
        }
    })
    .await
}

pub(super) async fn offenders(staging: &Staging<'_>, query: &str) -> Result<Vec<Row>, LoadError> {
    let wanted = i64::try_from(FAULTS_LISTED_MAX).expect("a small number");
    Ok(staging.query(query, &[&wanted]).await?)
}

/// Adds a fault for each row of a query, and the number of further rows, which the last column has.
pub(super) async fn report(
    staging: &Staging<'_>,
    query: &str,
    faults: &mut Faults,
    fault: impl Fn(&Row) -> Fault,
) -> Result<(), LoadError> {
    let rows = offenders(staging, query).await?;
    rows.iter().for_each(|row| faults.push(fault(row)));
    let total = rows.first().map_or(0, |row| count(row, row.len() - 1));
    faults.add_omitted(total - rows.len() as u64);
    Ok(())
}

/// Returns the fault for a row of a query with the columns place and received value.
pub(super) fn row_fault(row: &Row, rule: &'static str) -> Fault {
    Fault::new(row.get::<_, &str>(0), rule).received(row.get::<_, &str>(1))
}

/// Returns the place of a field of a record: the JSON path of the record followed by the field, or another place
/// followed by the field's name.
pub(super) fn inside(place: &str, field: &str) -> String {
    match place.ends_with(']') {
        _ if field.is_empty() => place.to_owned(),
        true => format!("{place}.{field}"),
        false => format!("{place}, {field}"),
    }
}

/// Largest accepted quantity, price, and value of a quantity at a price, in units or major units of a currency. It is
/// the largest amount of a transaction.
pub(super) const NUMBER_MAX: i64 = AMOUNT_CENTS_MAX / 100;

/// The tables with quantities of securities.
const QUANTITIES: [&str; 3] = ["holdings", "wallet_holdings", "paper_positions"];

/// Returns the query for staged rows with a value above [`NUMBER_MAX`]; `None` if the table has neither quantities nor
/// prices. Its columns are the place, null, and the total number. `$1` is the maximum number of rows.
fn find_excessive_values(table: &str) -> Option<String> {
    let (here, there, factor) = match table {
        "security_prices" => ("price", "quantity", quantities()),
        _ if QUANTITIES.contains(&table) => ("quantity", "price", prices(table)),
        _ => return None,
    };
    Some(format!(
        "with wanted as (select distinct user_id, security_id from pg_temp.load_{table}),
              factors as (
                select user_id, security_id, max(abs({there})) as factor from ({factor}) as rows
                group by user_id, security_id)
         select staged.place, null::text, count(*) over ()
         from pg_temp.load_{table} as staged join factors using (user_id, security_id)
         where abs(staged.{here}) * factors.factor > {NUMBER_MAX}
         order by staged.position limit $1"
    ))
}

/// The staged prices, and the stored prices of the wanted securities.
fn prices(table: &str) -> String {
    let entry = match table {
        "paper_positions" => {
            "union all select user_id, security_id, average_entry_price from pg_temp.load_paper_positions"
        }
        _ => "",
    };
    format!(
        "select user_id, security_id, price from pg_temp.load_security_prices
         union all
         select user_id, security_id, price from passbook.security_prices join wanted using (user_id, security_id)
         {entry}"
    )
}

/// The stored quantities of the wanted securities. The staged ones are compared with the staged prices by the query for
/// their own table.
fn quantities() -> String {
    let one = |array| {
        let table = relation(array);
        format!(
            "select user_id, security_id, quantity from passbook.{table} join wanted using (user_id, security_id)"
        )
    };
    QUANTITIES.map(one).join(" union all ")
}
