//! Queries the expenses at the merchants with the largest totals.

use passbook_domain::access::Access;
use passbook_domain::ports::{CountedQuery, MerchantTotals, ReadError, Reading};
use passbook_domain::transaction::TransactionType;

use super::counted::{CountedParameters, TotalsQuery};
use crate::error::Error;
use crate::query::{TOP_MERCHANTS, TOP_MERCHANTS_STORED, TOP_MERCHANTS_UNFILTERED};
use crate::row::Rows;
use crate::store::Store;

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    query: &CountedQuery,
    limit: i64,
) -> Result<Reading<MerchantTotals>, ReadError> {
    let counted = CountedParameters::new(access, query);
    let forms = TotalsQuery {
        unfiltered: TOP_MERCHANTS_UNFILTERED,
        stored: TOP_MERCHANTS_STORED,
        matching: TOP_MERCHANTS,
    };
    let (sql, parameters) = counted.bind(&forms, &[&limit]);
    let map = |rows: Vec<Rows>| Ok(map(&rows[0])?);
    let (mut reading, facts) =
        store.read_with_facts(access, &query.days, &[(sql, &parameters[..])], map).await?;
    let types = [TransactionType::Expense];
    reading.data.planned = counted.planned(store, access, &query.days, facts, &types).await?;
    Ok(reading)
}

/// Converts the rows of `top_merchants.sql`, which are sorted by `place`, the rank of the merchant. Consecutive rows
/// with the same place are one merchant in several currencies. Rows without a place are the total of all merchants.
fn map(rows: &Rows) -> Result<MerchantTotals, Error> {
    let mut sums = MerchantTotals::default();
    let mut current = None;
    for row in rows.map(Ok)? {
        let (place, name): (Option<i64>, Option<String>) = (row.get("place")?, row.get("merchant")?);
        let (expenses, refunds) = (row.expenses()?, row.refunds()?);
        let Some((place, name)) = place.zip(name) else {
            sums.total.extend(expenses);
            sums.total_refunds.extend(refunds);
            continue;
        };
        if current != Some(place) {
            current = Some(place);
            sums.merchants.push((name, Vec::new()));
        }
        sums.merchants.last_mut().expect("a merchant was added").1.extend(expenses);
        sums.refunds.extend(refunds.map(|refunds| (sums.merchants.len() - 1, refunds)));
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use tokio_postgres::types::Type;

    use super::*;
    use crate::fixture::{Fixture, fault};

    fn row(place: Option<i64>, merchant: Option<&str>, currency: &str, cents: i64) -> Fixture {
        Fixture::new()
            .with("place", &Type::INT8, place)
            .with("merchant", &Type::TEXT, merchant)
            .with("currency", &Type::TEXT, currency)
            .with("count", &Type::INT8, 1_i64)
            .with("amount_cents", &Type::INT8, cents)
            .with("refund_count", &Type::INT8, 0_i64)
            .with("refund_cents", &Type::INT8, 50_i64)
            .with("converted_cents", &Type::INT8, Some(cents))
    }

    #[test]
    fn rows_of_one_place_are_one_merchant_and_rows_without_place_the_total() {
        let rows = [
            row(Some(1), Some("Shop"), "EUR", 300).with("refund_count", &Type::INT8, 1_i64),
            row(Some(1), Some("Shop"), "USD", 200),
            // Another merchant of the same name.
            row(Some(2), Some("Shop"), "EUR", 100).with("refund_count", &Type::INT8, 1_i64),
            row(None, None, "EUR", 400).with("refund_count", &Type::INT8, 2_i64),
            row(None, None, "USD", 200),
        ];
        let sums = map(&Rows::new(&TOP_MERCHANTS, rows)).expect("sums");
        let merchants: Vec<(&str, usize)> =
            sums.merchants.iter().map(|(name, sums)| (name.as_str(), sums.len())).collect();
        assert_eq!(merchants, [("Shop", 2), ("Shop", 1)]);
        assert_eq!(sums.total.iter().map(|sum| sum.amount_cents).collect::<Vec<i64>>(), [400, 200]);
        let refunds: Vec<(usize, i64)> =
            sums.refunds.iter().map(|(of, sum)| (*of, sum.amount_cents)).collect();
        assert_eq!((refunds, sums.total_refunds.len()), (vec![(0, 50), (1, 50)], 1));
    }

    #[test]
    fn null_cents_name_query_and_column() {
        let row = row(Some(1), Some("Shop"), "EUR", 1).with("amount_cents", &Type::INT8, None::<i64>);
        let error = map(&Rows::new(&TOP_MERCHANTS, [row])).expect_err("null cents");
        assert_eq!(fault(&error).0, "top_merchants.amount_cents");
    }
}
