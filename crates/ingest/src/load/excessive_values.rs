//! The queries that find quantities and prices whose product exceeds the range of the service, built only from constants.

use passbook_domain::money::AMOUNT_CENTS_MAX;

use super::columns::relation;

/// Largest accepted quantity, price, and value of a quantity at a price, in units or major units of a currency. It is
/// the largest amount of a transaction.
pub(super) const NUMBER_MAX: i64 = AMOUNT_CENTS_MAX / 100;

/// The tables with quantities of securities.
const QUANTITIES: [&str; 3] = ["holdings", "wallet_holdings", "paper_positions"];

/// Returns the query for staged rows with a value above [`NUMBER_MAX`]; `None` if the table has neither quantities nor
/// prices. Its columns are the place, null, and the total number. `$1` is the maximum number of rows.
pub(super) fn find(table: &str) -> Option<String> {
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
