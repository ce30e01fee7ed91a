//! Wrong ledgers of banks and portfolios, and the rule that the kit names for each.

use jiff::ToSpan as _;
use jiff::civil::date;
use passbook_domain::Currency;
use passbook_domain::portfolio::{Interval, Valued};
use passbook_ledger_check::Sample;

use super::altered::Alteration;
use super::breaks;
use super::in_memory::InMemory;

fn pln() -> Currency {
    Currency::parse("PLN").expect("a code")
}

#[test]
fn closed_accounts_in_the_count_are_named() {
    let counted = Alteration {
        banks: |banks| {
            let files = banks.iter_mut().filter(|bank| bank.name == "Box of Files");
            files.for_each(|bank| bank.account_count += 1);
        },
        ..Alteration::default()
    };
    breaks("banks-list-open-accounts", &InMemory::altered(counted));
}

#[test]
fn days_since_an_update_that_are_one_too_few_are_named() {
    let too_few = Alteration {
        banks: |banks| {
            for bank in banks {
                bank.days_since_update = bank.days_since_update.map(|days| (days - 1).max(0));
            }
        },
        ..Alteration::default()
    };
    breaks("connection-is-stale-after-three-days", &InMemory::altered(too_few));
}

#[test]
fn days_since_an_update_in_utc_are_named() {
    let in_utc = Alteration {
        banks: |banks| {
            for bank in banks.iter_mut().filter(|bank| bank.name == "First Platypus") {
                bank.days_since_update = Some(4);
            }
        },
        ..Alteration::default()
    };
    breaks("updates-count-in-the-time-zone", &InMemory::altered(in_utc));
}

#[test]
fn debt_without_a_sign_is_named() {
    let unsigned = |sample: &mut Sample| {
        for stored in &mut sample.people[0].assets.accounts {
            stored.account.balance_cents = stored.account.balance_cents.abs();
        }
    };
    breaks("items-add-up-their-accounts", &InMemory::storing(unsigned));
}

#[test]
fn balances_that_are_rounded_after_the_addition_are_named() {
    let rounded_down = Alteration {
        portfolio: |held| {
            for (_, account) in
                held.accounts.iter_mut().filter(|(_, account)| account.entry.name == "Zloty B")
            {
                account.converted_cents = Some(250);
            }
        },
        ..Alteration::default()
    };
    breaks("balances-are-rounded-one-by-one", &InMemory::altered(rounded_down));
}

#[test]
fn balance_at_a_later_rate_is_named() {
    let a_day_early = |sample: &mut Sample| {
        for rate in sample.rates.iter_mut().filter(|rate| rate.currency == pln()) {
            rate.day = rate.day.saturating_sub(1.day());
        }
    };
    breaks("balances-use-the-rate-of-the-day", &InMemory::storing(a_day_early));
}

#[test]
fn balance_without_a_rate_that_counts_one_to_one_is_named() {
    let one = Alteration {
        portfolio: |held| {
            for (_, account) in &mut held.accounts {
                account.converted_cents = account.converted_cents.or(Some(account.entry.balance_cents));
            }
        },
        ..Alteration::default()
    };
    breaks("balances-without-rate-stay-apart", &InMemory::altered(one));
}

#[test]
fn closed_account_without_a_past_is_named() {
    let forgotten = |sample: &mut Sample| {
        sample.people[0].assets.accounts.retain(|stored| stored.closed_on.is_none());
    };
    breaks("closed-accounts-keep-their-past", &InMemory::storing(forgotten));
}

#[test]
fn simulated_cash_in_the_total_is_named() {
    let counted = Alteration {
        portfolio: |held| {
            let cash = held.paper_accounts.first().map_or(0, |paper| paper.cash_cents);
            for (_, account) in held.accounts.iter_mut().take(1) {
                account.converted_cents = account.converted_cents.map(|cents| cents + cash);
            }
        },
        ..Alteration::default()
    };
    breaks("paper-accounts-never-count", &InMemory::altered(counted));
}

#[test]
fn securities_that_are_added_to_the_balance_are_named() {
    let added = Alteration {
        portfolio: |held| {
            let value = held.holdings.iter().filter_map(|(_, holding)| holding.value_cents).sum::<i64>();
            for (_, Valued { entry, converted_cents }) in
                held.accounts.iter_mut().filter(|(_, account)| account.entry.has_holdings)
            {
                entry.balance_cents += value;
                *converted_cents = converted_cents.map(|cents| cents + value);
            }
        },
        ..Alteration::default()
    };
    breaks("securities-are-part-of-the-balance", &InMemory::altered(added));
}

#[test]
fn wallet_at_a_later_price_is_named() {
    let later = |sample: &mut Sample| {
        for security in &mut sample.people[0].assets.securities {
            if let Some(price) = security.prices.remove(&date(2026, 4, 1)) {
                security.prices.insert(date(2026, 3, 31), price);
            }
        }
    };
    breaks("wallets-use-the-last-price", &InMemory::storing(later));
}

#[test]
fn unknown_value_that_counts_as_0_is_named() {
    let as_zero = Alteration {
        history: |history| {
            history.complete_from = None;
            history.days_with_totals.iter_mut().for_each(|day| day.partial = false);
        },
        ..Alteration::default()
    };
    breaks("unknown-values-are-partial", &InMemory::altered(as_zero));
}

#[test]
fn day_without_a_new_balance_that_has_no_value_is_named() {
    let forgotten = |sample: &mut Sample| {
        for stored in &mut sample.people[0].assets.accounts {
            // The account has its balance on the day of the balance only.
            let ended: Vec<_> = stored.balances.keys().map(|day| day.saturating_add(1.day())).collect();
            ended.into_iter().for_each(|day| {
                stored.balances.entry(day).or_insert(0);
            });
        }
    };
    breaks("history-carries-values-forward", &InMemory::storing(forgotten));
}

#[test]
fn weeks_that_end_on_saturday_are_named() {
    let saturdays = Alteration {
        history: |history| {
            if history.interval == Interval::Week {
                for day in &mut history.days_with_totals {
                    day.date = day.date.saturating_sub(1.day());
                }
            }
        },
        ..Alteration::default()
    };
    breaks("points-end-their-interval", &InMemory::altered(saturdays));
}

#[test]
fn last_point_without_an_account_is_named() {
    let behind = Alteration {
        history: |history| {
            if let Some(last) = history.days_with_totals.last_mut() {
                last.totals.pop();
            }
        },
        ..Alteration::default()
    };
    breaks("history-ends-with-the-portfolio", &InMemory::altered(behind));
}

#[test]
fn series_that_leave_out_an_account_are_named() {
    let incomplete = Alteration {
        history: |history| {
            history.series.pop();
        },
        ..Alteration::default()
    };
    breaks("series-add-up-to-the-total", &InMemory::altered(incomplete));
}
