//! Expenses at the largest merchants.

use domain::access::Access;
use domain::ports::{CountedQuery, MerchantTotals, ReadError, Reading};

use crate::error::Error;
use crate::pool::Store;
use crate::question::TOP_MERCHANTS;
use crate::row::Rows;

pub(crate) async fn ask(
    store: &Store,
    access: &Access<'_>,
    query: &CountedQuery,
    limit: i64,
) -> Result<Reading<MerchantTotals>, ReadError> {
    let user = access.credential().user().as_uuid();
    let parameters: &[_] =
        &[&user as _, &query.include_pending as _, &query.include_excluded as _, &limit as _];
    store.read(access, &query.days, &[(TOP_MERCHANTS, parameters)], |rows| Ok(map(&rows[0])?)).await
}

/// Rows come in order of place, the total's last: consecutive rows of one place are one merchant.
fn map(rows: &Rows) -> Result<MerchantTotals, Error> {
    let mut sums = MerchantTotals::default();
    let mut current = None;
    let rows = rows.map(|row| {
        let place: Option<i64> = row.get("place")?;
        let merchant: Option<String> = row.get("merchant")?;
        Ok((place.zip(merchant), row.sum()?))
    })?;
    for (merchant, sum) in rows {
        match merchant {
            None => sums.total.push(sum),
            Some((place, _)) if current == Some(place) => {
                sums.merchants.last_mut().expect("the place has begun").1.push(sum);
            }
            Some((place, name)) => {
                current = Some(place);
                sums.merchants.push((name, vec![sum]));
            }
        }
    }
    Ok(sums)
}
