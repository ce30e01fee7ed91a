//! Chains: rows of one payee that are payments of one stream.

use std::collections::BTreeMap;

use super::belief::{Evidence, Payee};
use super::calendar::Day;
use super::fit::{Fit, float};
use super::same_price::by_day;

/// A price may change by this much from one payment to the next and still be the same stream's.
const PRICE_STEP_MAX: i64 = 45;
/// Amounts that differ by less are of one price in another currency.
const NEAR_PERCENT: i64 = 6;
/// A cluster of near amounts needs this many rows: with fewer, chance makes one.
const NEAR_ROWS_MIN: usize = 4;
/// Prices that follow each other are one stream's if its gaps are this regular.
const JOINED_REGULARITY_MIN: f64 = 0.8;
/// The most recent prices of a payee that a further one may follow.
const OPEN_CHAINS_MAX: usize = 16;

/// With what is left over by prices, parts have to explain so many payments more than the whole.
const REST_MARGIN: f64 = 0.5;

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Item {
    pub(super) day: Day,
    pub(super) cents: i64,
    /// Its place among the payments.
    pub(super) at: usize,
}

/// Rows of one stream, oldest first, no two on a day, and the cadence they keep to.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub(super) items: Vec<Item>,
    pub(super) fit: Fit,
    pub(super) evidence: Evidence,
}

impl Chain {
    pub(super) fn of(items: Vec<Item>, payee: &Payee) -> Option<Chain> {
        let days: Vec<Day> = items.iter().map(|item| item.day).collect();
        let fit = Fit::best(&days)?;
        let evidence = Evidence::of(&items, &fit, payee)?;
        Some(Chain { items, fit, evidence })
    }

    /// What it explains: the payments that came in time, as far as it is believed.
    fn worth(&self) -> f64 {
        self.evidence.confidence() * float(self.fit.hits + 1)
    }
}

/// The chains among the rows of one payee, which are in order.
pub(super) fn chains(rows: &[Item], payee: &Payee) -> Vec<Chain> {
    let (single, doubled) = one_a_day(rows);
    let whole = Chain::of(single, payee);
    let mut parts = by_price(rows, payee);
    let explained = |chains: &[Chain]| chains.iter().map(Chain::worth).sum::<f64>();
    let by_prices = explained(&parts);
    let rest = without(rows, &parts);
    parts.extend(Chain::of(one_a_day(&rest).0, payee));
    // What prices leave over is a stream of whatever amounts: weaker than a price, so it has to explain more.
    let by_parts = by_prices.max(explained(&parts) - REST_MARGIN);
    match whole {
        Some(whole) if whole.worth() >= by_parts => {
            let mut found = by_price(&doubled, payee);
            found.insert(0, whole);
            found
        }
        Some(_) | None => parts,
    }
}

/// Of several rows of a day the one whose amount is nearest to the middle one; the others apart.
pub(super) fn one_a_day(rows: &[Item]) -> (Vec<Item>, Vec<Item>) {
    let mut amounts: Vec<i64> = rows.iter().map(|item| item.cents).collect();
    amounts.sort_unstable();
    let Some(middle) = amounts.get(amounts.len() / 2) else { return (Vec::new(), Vec::new()) };
    let (mut single, mut doubled) = (Vec::new(), Vec::new());
    for day in rows.chunk_by(|one, other| one.day == other.day) {
        let nearest = day.iter().min_by_key(|item| (item.cents.abs_diff(*middle), item.cents, item.at));
        single.extend(nearest);
        doubled.extend(day.iter().filter(|item| Some(*item) != nearest));
    }
    (single, doubled)
}

fn without(rows: &[Item], chains: &[Chain]) -> Vec<Item> {
    let taken: std::collections::BTreeSet<usize> =
        chains.iter().flat_map(|chain| &chain.items).map(|item| item.at).collect();
    rows.iter().filter(|item| !taken.contains(&item.at)).copied().collect()
}

/// Chains of equal amounts, joined where a price gives way to the next, then chains of near amounts in what is left.
fn by_price(rows: &[Item], payee: &Payee) -> Vec<Chain> {
    let mut prices: BTreeMap<i64, Vec<Item>> = BTreeMap::new();
    for item in rows {
        let price = prices.entry(item.cents).or_default();
        // A second one of a day is not the same payment.
        if price.last().is_none_or(|last| last.day < item.day) {
            price.push(*item);
        }
    }
    let mut prices: Vec<Vec<Item>> = prices.into_values().filter(|rows| rows.len() >= 2).collect();
    prices.sort_by_key(|rows| (rows[0], rows.len()));
    let mut found: Vec<Chain> = Vec::new();
    for items in joined(prices) {
        match Chain::of(items.clone(), payee) {
            Some(chain) => found.push(chain),
            None => found.extend(by_day(&items, payee)),
        }
    }
    let rest = grown(&mut found, rows, payee);
    let mut others = near(rest.clone(), payee);
    grown(&mut others, &rest, payee);
    found.extend(others);
    found
}

/// Lets chains have what fills them of the rows that no chain has, and returns what stays over.
fn grown(chains: &mut [Chain], rows: &[Item], payee: &Payee) -> Vec<Item> {
    let mut rest = without(rows, chains);
    for chain in chains {
        let longer = Chain::of(filled(chain, &rest), payee);
        if let Some(longer) = longer.filter(|longer| longer.items.len() > chain.items.len()) {
            *chain = longer;
            rest = without(&rest, std::slice::from_ref(chain));
        }
    }
    rest
}

/// Rows of one price each, which are in order of their first one, with those joined that follow each other.
fn joined(prices: Vec<Vec<Item>>) -> Vec<Vec<Item>> {
    let mut open: Vec<Vec<Item>> = Vec::new();
    // The last row of each, so that the most recent are found without looking at all.
    let mut ends: BTreeMap<Item, usize> = BTreeMap::new();
    for price in prices {
        let (first, last) = (price[0], price[price.len() - 1]);
        let earlier = ends.range(..Item { cents: 0, at: 0, ..first }).rev().take(OPEN_CHAINS_MAX);
        let mut near = earlier.filter(|(end, _)| is_step(end.cents, first.cents));
        let found = near.find_map(|(end, at)| Some((*end, *at, join(&open[*at], &price)?)));
        let at = if let Some((end, at, longer)) = found {
            ends.remove(&end);
            open[at] = longer;
            at
        } else {
            open.push(price);
            open.len() - 1
        };
        ends.insert(last, at);
    }
    open
}

/// A price that goes on in the rhythm of the one before.
fn join(chain: &[Item], price: &[Item]) -> Option<Vec<Item>> {
    let joined = [chain, price].concat();
    let days: Vec<Day> = joined.iter().map(|item| item.day).collect();
    let fit = Fit::best(&days)?;
    let across = fit.rhythm.periods(price.first()?.day - chain.last()?.day).is_some();
    (across && fit.regularity >= JOINED_REGULARITY_MIN).then_some(joined)
}

fn is_step(before: i64, after: i64) -> bool {
    (after - before).abs() * 100 <= before.max(after) * PRICE_STEP_MAX
}

/// The chain with payments at a price of their own: the first ones at a new price, or one that was different.
fn filled(chain: &Chain, rest: &[Item]) -> Vec<Item> {
    let mut items = chain.items.clone();
    let half = (chain.fit.rhythm.most - chain.fit.rhythm.least) / 2;
    let near = |items: &[Item], due: Day, cents: i64| {
        let from = rest.partition_point(|item| item.day < due - half);
        let near = rest[from..].iter().take_while(|item| item.day <= due + half);
        let free =
            near.filter(|item| items.iter().all(|other| other.day != item.day) && is_step(cents, item.cents));
        free.min_by_key(|item| ((item.day - due).abs(), item.cents.abs_diff(cents), item.at)).copied()
    };
    for pair in chain.items.windows(2) {
        if chain.fit.rhythm.periods(pair[1].day - pair[0].day) == Some(2) {
            items.extend(near(&items, chain.fit.next(pair[0].day), pair[0].cents));
        }
    }
    items.sort_unstable();
    while let Some(last) = items.last() {
        match near(&items, chain.fit.next(last.day), last.cents).filter(|item| item.day > last.day) {
            Some(item) => items.push(item),
            None => break,
        }
    }
    items
}

/// Chains of amounts that are near each other: prices in another currency.
fn near(mut rows: Vec<Item>, payee: &Payee) -> Vec<Chain> {
    rows.sort_by_key(|item| (item.cents, item.day, item.at));
    let clusters = rows.chunk_by(|one, next| (next.cents - one.cents) * 100 <= one.cents * NEAR_PERCENT);
    clusters
        .filter(|cluster| cluster.len() >= NEAR_ROWS_MIN && cluster.len() < rows.len())
        .filter_map(|cluster| {
            let mut cluster = cluster.to_vec();
            cluster.sort_unstable();
            Chain::of(one_a_day(&cluster).0, payee)
        })
        .collect()
}
