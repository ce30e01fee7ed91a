//! Rules about totals of the same assets in several answers.

use serde_json::{Value, json};

use super::calls::{OpenLedger, answer, describe, is_not_offered};
use super::report::{Report, Rule, compare};
use super::sums::cents;

const TOTALS: Rule<'static> = Rule {
    name: "history-ends-with-the-portfolio",
    sentence: "The totals of items and wallets add up to the total of the portfolio, which is the point of today in its history.",
};
const SERIES: Rule<'static> = Rule {
    name: "series-add-up-to-the-total",
    sentence: "At each point of a history, the series of all accounts and wallets, or of all types, add up to the total.",
};

/// Ranges whose last day is today.
const RANGES: [&[(&str, &str)]; 3] =
    [&[], &[("timeRange", "1m")], &[("timeRange", "all"), ("interval", "month")]];

pub(super) async fn check(open: &OpenLedger, person: &str, report: &mut Report) {
    let portfolio = answer(open, "portfolio", &[]).await;
    if is_not_offered(&portfolio) {
        report.skip(&TOTALS);
        report.skip(&SERIES);
        return;
    }
    for range in RANGES {
        let call = describe(person, "portfolio and portfolio_history", range);
        report.record(TOTALS, call, totals(open, &portfolio, range).await);
        for by in ["account", "type"] {
            let parameters = [range, &[("by", by)]].concat();
            let call = describe(person, "portfolio_history", &parameters);
            report.record(SERIES, call, series(open, &parameters).await);
        }
    }
}

async fn totals(open: &OpenLedger, portfolio: &Value, range: &[(&str, &str)]) -> Result<(), String> {
    totals_agree(portfolio, &answer(open, "portfolio_history", range).await)
}

fn totals_agree(portfolio: &Value, history: &Value) -> Result<(), String> {
    let parts = ["items", "wallets"].into_iter().flat_map(|list| members(&portfolio[list]));
    let sum: i64 = parts.map(|part| cents(&part["total"])).sum();
    let total = cents(&portfolio["total"]);
    if sum != total {
        return Err(format!("total: expected the sum of items and wallets, {sum} cents, found {total}"));
    }
    let mut expected = json!({ "total": portfolio["total"], "unconverted": null });
    if let Some(unconverted) = portfolio.get("unconverted") {
        expected["unconverted"] = unconverted.clone();
    }
    let last = members(&history["points"]).last().cloned().unwrap_or_default();
    compare(&expected, &last)
}

async fn series(open: &OpenLedger, parameters: &[(&str, &str)]) -> Result<(), String> {
    series_add_up(&answer(open, "portfolio_history", parameters).await)
}

fn series_add_up(history: &Value) -> Result<(), String> {
    for (place, point) in members(&history["points"]).iter().enumerate() {
        let parts = members(&history["series"]).iter().map(|series| &series["points"][place]);
        let (mut sum, mut partial) = (0, false);
        for part in parts {
            compare(&json!({ "date": point["date"] }), part)?;
            sum += cents(&part["total"]);
            partial |= part["partial"] == true;
        }
        let found = (cents(&point["total"]), point["partial"] == true);
        if found != (sum, partial) {
            let (total, is_partial) = found;
            return Err(format!(
                "{}: the series have {sum} cents and partial is {partial}, the total has {total} cents and partial is {is_partial}",
                point["date"]
            ));
        }
    }
    Ok(())
}

fn members(list: &Value) -> &[Value] {
    list.as_array().map(Vec::as_slice).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{series_add_up, totals_agree};

    fn point(cents: i64) -> Value {
        json!({ "date": "2026-03-31", "total": { "amount_cents": cents } })
    }

    #[test]
    fn wrong_totals_are_reported() {
        for (total, last, agrees) in [(7, 7, true), (8, 8, false), (7, 6, false)] {
            let item = json!({ "total": { "amount_cents": 3 } });
            let wallet = json!({ "total": { "amount_cents": 4 } });
            let portfolio =
                json!({ "total": { "amount_cents": total }, "items": [item], "wallets": [wallet] });
            let history = json!({ "points": [point(1), point(last)] });
            assert_eq!(totals_agree(&portfolio, &history).is_ok(), agrees, "{total} {last}");
        }
    }

    #[test]
    fn series_that_leave_something_out_are_reported() {
        for (parts, adds_up) in [(vec![3, 4], true), (vec![3], false), (vec![3, 5], false)] {
            let series: Vec<Value> = parts.iter().map(|cents| json!({ "points": [point(*cents)] })).collect();
            let history = json!({ "points": [point(7)], "series": series });
            assert_eq!(series_add_up(&history).is_ok(), adds_up, "{parts:?}");
        }
    }
}
