//! One line of words about what the totals of a tool's result leave out or guess. A model reads it beside the figures, so it does
//! not have to find the members that say so.

use serde::Deserialize;
use serde_json::value::RawValue;

/// The members of a payload that say what it leaves out, in the order of the line.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct LeftOut {
    excluded_categories: Vec<String>,
    excluded_expense_total: Option<Amount>,
    planned: Option<Planned>,
    // Of a history.
    opening: Marked,
    points: Vec<Marked>,
    // Of a portfolio.
    items: Vec<Item>,
    partial: bool,
    // The list has excluded categories too.
    budgets: Option<Vec<Marked>>,
    // Of the status of banks.
    banks: Vec<Bank>,
    unconverted: Vec<Amount>,
}

#[derive(Deserialize)]
struct Amount {
    amount_cents: i64,
    currency: String,
    r#type: Option<String>,
}

/// A value that may be an estimate, or lack something of unknown value or without an exchange rate.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Marked {
    estimated: bool,
    partial: bool,
    unconverted: Vec<Amount>,
}

/// The accounts of a bank.
#[derive(Deserialize)]
struct Item {
    accounts: Vec<Marked>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Planned {
    transaction_count: i64,
}

#[derive(Deserialize)]
struct Bank {
    bank_name: String,
    stale: bool,
    stale_days: Option<i32>,
}

impl Amount {
    fn words(&self) -> String {
        let (sign, cents) = (if self.amount_cents < 0 { "-" } else { "" }, self.amount_cents.unsigned_abs());
        let of = match self.r#type.as_deref() {
            Some("INCOME") => " of income",
            Some("EXPENSE") => " of expenses",
            _ => "",
        };
        format!("{sign}{}.{:02} {}{of}", cents / 100, cents % 100, self.currency)
    }
}

impl Bank {
    fn words(&self) -> String {
        let days = self.stale_days.map(|days| format!(" ({days} days without data)"));
        format!("{}{}", self.bank_name, days.unwrap_or_default())
    }
}

/// Returns the line, or none if there is nothing to say. The parts have the same order in every tool. `banks` is the status of
/// the banks that a total is made of, if the caller may read it.
pub(crate) fn left_out(payload: &RawValue, banks: Option<&RawValue>) -> Option<String> {
    let mut found: LeftOut = serde_json::from_str(payload.get()).ok()?;
    if let Some(status) = banks.and_then(|banks| serde_json::from_str::<LeftOut>(banks.get()).ok()) {
        found.banks = status.banks;
    }
    let mut parts = Vec::new();
    if !found.excluded_categories.is_empty() && found.budgets.is_none() {
        let amount = found.excluded_expense_total.map(|total| format!(" ({})", total.words()));
        let categories = found.excluded_categories.join(", ");
        parts.push(format!("excluded {categories}{}", amount.unwrap_or_default()));
    }
    if let Some(Planned { transaction_count }) = found.planned {
        parts.push(format!("planned after today {transaction_count}"));
    }
    let accounts = found.items.iter().flat_map(|item| &item.accounts);
    let values = found.points.iter().chain([&found.opening]).chain(found.budgets.iter().flatten());
    let marked: Vec<&Marked> = values.chain(accounts).collect();
    if marked.iter().any(|one| one.estimated) {
        parts.push("estimated in part".to_owned());
    }
    if found.partial || marked.iter().any(|one| one.partial) {
        parts.push("something of unknown value".to_owned());
    }
    let stale: Vec<String> = found.banks.iter().filter(|bank| bank.stale).map(Bank::words).collect();
    if !stale.is_empty() {
        parts.push(format!("stale {}", stale.join(", ")));
    }
    if !found.unconverted.is_empty() {
        let amounts: Vec<String> = found.unconverted.iter().map(Amount::words).collect();
        parts.push(format!("not converted {}", amounts.join(", ")));
    } else if marked.iter().any(|one| !one.unconverted.is_empty()) {
        // Each point repeats the amounts of the accounts.
        parts.push("not converted in part".to_owned());
    }
    (!parts.is_empty()).then(|| format!("Not in these figures, or uncertain: {}.", parts.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_has_each_part_in_one_order() {
        let json = |text: &str| serde_json::from_str::<Box<RawValue>>(text).expect("JSON");
        let line = |text: &str| left_out(&json(text), None);
        for (payload, expected) in [
            (r#"{"excludedCategories":[],"unconverted":[],"banks":[{"bank_name":"A","stale":false}]}"#, None),
            (r#"{"excludedCategories":["VACATION","BOOKS"]}"#, Some("excluded VACATION, BOOKS")),
            (
                r#"{"unconverted":[{"type":"EXPENSE","currency":"USD","amount_cents":38640},{"currency":"JPY","amount_cents":-5}],
                    "banks":[{"bank_name":"A","stale":true,"stale_days":41},{"bank_name":"B","stale":true}],
                    "opening":{"date":"2026-10-31"},"points":[{"estimated":true},{"partial":true}],
                    "planned":{"transactionCount":2},"excludedCategories":["VACATION"],
                    "excludedExpenseTotal":{"amount_cents":152553,"currency":"EUR"}}"#,
                Some(
                    "excluded VACATION (1525.53 EUR); planned after today 2; estimated in part; \
                     something of unknown value; stale A (41 days without data), B; not converted 386.40 USD of expenses, -0.05 JPY",
                ),
            ),
            (r#"{"items":[{"id":1,"accounts":[{"id":2,"estimated":true}]}]}"#, Some("estimated in part")),
            (r#"{"opening":{"estimated":true},"points":[{}]}"#, Some("estimated in part")),
            (r#"{"items":[],"partial":true,"unknownBalances":[{}]}"#, Some("something of unknown value")),
            (r#"{"excludedCategories":["RENT"],"budgets":[{"category":"RENT","excluded":true}]}"#, None),
            (
                r#"{"budgets":[{},{"unconverted":[{"type":null,"currency":"JPY","amount_cents":5}]}]}"#,
                Some("not converted in part"),
            ),
        ] {
            let expected = expected.map(|words| format!("Not in these figures, or uncertain: {words}."));
            assert_eq!(line(payload), expected, "{payload}");
        }
        let banks = json(r#"{"needsAttention":1,"banks":[{"bank_name":"A","stale":true}]}"#);
        let of_banks = left_out(&json(r#"{"unconverted":[]}"#), Some(&banks));
        assert_eq!(of_banks.as_deref(), Some("Not in these figures, or uncertain: stale A."));
    }
}
