//! Rules about totals of the same assets in several answers.

use serde_json::{Value, json};

use crate::calls::{answer, describe, is_not_offered};
use crate::difference::compare;
use crate::report::{Report, Rule};
use crate::subject::{Grant, OpenLedger, Subject};

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

pub(crate) async fn check(subject: &dyn Subject, report: &mut Report) {
    for person in ["ada", "bob", "cleo"] {
        let open = subject.open(person, Grant::Full).expect("every person has a full grant");
        let portfolio = answer(&open, "portfolio", &[]).await;
        if is_not_offered(&portfolio) {
            report.skip(&TOTALS);
            report.skip(&SERIES);
            return;
        }
        for range in RANGES {
            let call = describe(person, "portfolio and portfolio_history", range);
            report.record(TOTALS, call, totals(&open, &portfolio, range).await);
            for by in ["account", "type"] {
                let parameters = [range, &[("by", by)]].concat();
                let call = describe(person, "portfolio_history", &parameters);
                report.record(SERIES, call, series(&open, &parameters).await);
            }
        }
    }
}

async fn totals(open: &OpenLedger, portfolio: &Value, range: &[(&str, &str)]) -> Result<(), String> {
    let parts = ["items", "wallets"].into_iter().flat_map(|list| members(&portfolio[list]));
    let sum: i64 = parts.map(|part| cents(&part["total"])).sum();
    let total = cents(&portfolio["total"]);
    if sum != total {
        return Err(format!("total: expected the sum of items and wallets, {sum} cents, found {total}"));
    }
    let history = answer(open, "portfolio_history", range).await;
    let mut expected = json!({ "total": portfolio["total"], "unconverted": null });
    if let Some(unconverted) = portfolio.get("unconverted") {
        expected["unconverted"] = unconverted.clone();
    }
    let last = members(&history["points"]).last().cloned().unwrap_or_default();
    compare(&expected, &last)
}

async fn series(open: &OpenLedger, parameters: &[(&str, &str)]) -> Result<(), String> {
    let history = answer(open, "portfolio_history", parameters).await;
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

fn cents(money: &Value) -> i64 {
    money["amount_cents"].as_i64().unwrap_or(0)
}
