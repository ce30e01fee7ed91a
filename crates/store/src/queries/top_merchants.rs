//! Queries the expenses at the merchants with the largest totals.

use passbook_domain::access::Access;
use passbook_domain::ports::{CountedQuery, MerchantTotals, ReadError, Reading};

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
    store.read(access, &query.days, &[(sql, &parameters[..])], |rows| Ok(map(&rows[0])?)).await
}

/// Converts the rows of `top_merchants.sql`, which are sorted by `place`, the rank of the merchant. Consecutive rows
/// with the same place are one merchant in several currencies. Rows without a place are the total of all merchants. The totals of
/// expenses and of refunds are rows of their own.
fn map(rows: &Rows) -> Result<MerchantTotals, Error> {
    let mut sums = MerchantTotals::default();
    let mut current = None;
    for row in rows.map(Ok)? {
        let kind: &str = row.get("type")?;
        if kind == "PLANNED" {
            sums.planned = row.get("count")?;
            continue;
        }
        let (place, name): (Option<i64>, Option<String>) = (row.get("place")?, row.get("merchant")?);
        let sum = row.sum()?;
        match (place.zip(name), kind == "REFUND") {
            (None, false) => sums.total.push(sum),
            (None, true) => sums.total_refunds.push(sum),
            (Some((_, name)), true) => sums.refunds.push((name, sum)),
            (Some((place, _)), false) if current == Some(place) => {
                sums.merchants.last_mut().expect("the merchant of the place was added before").1.push(sum);
            }
            (Some((place, name)), false) => {
                current = Some(place);
                sums.merchants.push((name, vec![sum]));
            }
        }
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
            .with("type", &Type::TEXT, "EXPENSE")
            .with("place", &Type::INT8, place)
            .with("merchant", &Type::TEXT, merchant)
            .with("currency", &Type::TEXT, currency)
            .with("count", &Type::INT8, 1_i64)
            .with("amount_cents", &Type::INT8, cents)
            .with("converted_cents", &Type::INT8, Some(cents))
    }

    #[test]
    fn rows_of_one_place_are_one_merchant_and_rows_without_place_the_total() {
        let rows = [
            row(Some(1), Some("Shop"), "EUR", 300),
            row(Some(1), Some("Shop"), "EUR", 50).with("type", &Type::TEXT, "REFUND"),
            row(Some(1), Some("Shop"), "USD", 200),
            row(Some(2), Some("Café"), "EUR", 100),
            row(None, None, "EUR", 400),
            row(None, None, "EUR", 60).with("type", &Type::TEXT, "REFUND"),
            row(None, None, "USD", 200),
        ];
        let sums = map(&Rows::new(&TOP_MERCHANTS, rows)).expect("sums");
        let merchants: Vec<(&str, usize)> =
            sums.merchants.iter().map(|(name, sums)| (name.as_str(), sums.len())).collect();
        assert_eq!(merchants, [("Shop", 2), ("Café", 1)]);
        assert_eq!(sums.total.iter().map(|sum| sum.amount_cents).collect::<Vec<i64>>(), [400, 200]);
        let refunds = (sums.refunds[0].0.as_str(), sums.refunds[0].1.amount_cents, sums.total_refunds.len());
        assert_eq!(refunds, ("Shop", 50, 1));
    }

    #[test]
    fn null_cents_name_query_and_column() {
        let row = row(Some(1), Some("Shop"), "EUR", 1).with("amount_cents", &Type::INT8, None::<i64>);
        let error = map(&Rows::new(&TOP_MERCHANTS, [row])).expect_err("null cents");
        assert_eq!(fault(&error).0, "top_merchants.amount_cents");
    }
}
