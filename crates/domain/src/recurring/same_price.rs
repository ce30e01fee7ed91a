//! Several streams of one price and merchant, told apart by the day of the month: two telephones, two seats.

use super::Cadence;
use super::belief::Payee;
use super::calendar::day_of_month;
use super::chain::{Chain, Item, one_a_day};

/// Payments of one price are of several streams when so many days of the month lie between them.
const FREE_DAYS_MIN: i32 = 5;
const MONTH_DAYS: i32 = 31;
/// So many streams of one price and merchant; more parts are chance.
const PARTS_OF_A_PRICE_MAX: usize = 3;
const PART_ROWS_MIN: usize = 4;

/// Monthly chains of one price, each on days of its own.
pub(super) fn by_day(items: &[Item], payee: &Payee) -> Vec<Chain> {
    let parts = days_apart(items);
    if !(2..=PARTS_OF_A_PRICE_MAX).contains(&parts.len()) {
        return Vec::new();
    }
    let chains = parts.into_iter().filter_map(|part| Chain::of(one_a_day(&part).0, payee));
    let steady =
        |chain: &Chain| chain.fit.rhythm.cadence == Cadence::Monthly && chain.items.len() >= PART_ROWS_MIN;
    chains.filter(steady).collect()
}

/// Rows parted by their days of the month, where nobody paid for some days; each part in order.
fn days_apart(items: &[Item]) -> Vec<Vec<Item>> {
    let mut days: Vec<(i32, Item)> = items.iter().map(|item| (day_of_month(item.day), *item)).collect();
    days.sort_unstable();
    let mut parts: Vec<Vec<Item>> = days
        .chunk_by(|one, next| next.0 - one.0 < FREE_DAYS_MIN)
        .map(|part| part.iter().map(|(_, item)| *item).collect())
        .collect();
    // The last days of a month are beside the first ones of the next.
    let (first, last) = (days.first().map_or(1, |day| day.0), days.last().map_or(1, |day| day.0));
    if parts.len() > 1 && first + MONTH_DAYS - last < FREE_DAYS_MIN {
        let wrapped = parts.pop().unwrap_or_default();
        parts[0].extend(wrapped);
    }
    parts.iter_mut().for_each(|part| part.sort_unstable());
    parts
}
