//! Generates `docs/provider-categories.md` from the table of codes.

use std::fmt::Write as _;

use passbook_domain::transaction::TransactionType;

use crate::provider_category::{Direction, classify, codes};

const HEAD: &str = "\
# Codes of data providers

This page shows the category that Passbook gives to each code in `provider_category` of a
[bundle](loading-data.md#types-and-categories-of-transactions). `cargo xtask bless` generates it from
[the table](../crates/formats/data/plaid_categories.csv) with which bundles are read. The codes are those of Plaid's
personal finance categories; other providers use the same codes or similar ones.

- `out` and `in` are the values of `direction`. The type is `EXPENSE` for `out` and `INCOME` for `in`.
- The column *internal transfer* says when the type is `INTERNAL_TRANSFER` instead. *If linked*: if the row has
  `linked_transaction` or `counterpart_outside`. The category is then `TRANSFER_IN` or `TRANSFER_OUT`, or
  `CREDIT_CARD_PAYMENT` for a payment to a card.
- Codes are compared without regard to case.
- A code that is not listed, but starts with the name of a family, has the category in the last row of the family.
- A code of no family is `UNCATEGORIZED` with direction `out`, and `OTHER_INCOME` with direction `in`.
";

/// Returns the text of `docs/provider-categories.md`.
pub fn document() -> String {
    let mut text = HEAD.to_owned();
    let mut family = "";
    for (primary, detailed) in codes() {
        if primary != family {
            end(&mut text, family);
            let heading = "| code | `out` | `in` | internal transfer |\n|---|---|---|---|";
            writeln!(text, "\n## {primary}\n\n{heading}").expect("text can be extended");
            family = primary;
        }
        row(&mut text, &format!("`{detailed}`"), detailed);
    }
    end(&mut text, family);
    text
}

/// Adds the row for all codes of a family that are not listed.
fn end(text: &mut String, family: &str) {
    if !family.is_empty() {
        row(text, &format!("any other `{family}_…`"), family);
    }
}

fn row(text: &mut String, name: &str, code: &str) {
    let (out, into) = (classify(code, Direction::Out, false), classify(code, Direction::In, false));
    let is_internal = |linked| classify(code, Direction::Out, linked).0 == TransactionType::InternalTransfer;
    let internal = match (is_internal(false), is_internal(true)) {
        (true, _) => "always",
        (false, true) => "if linked",
        (false, false) => "",
    };
    let (out, into) = (out.1.as_str(), into.1.as_str());
    writeln!(text, "| {name} | `{out}` | `{into}` | {internal} |").expect("text can be extended");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_shows_every_code_once_with_both_directions() {
        let page = document();
        for (_, code) in codes() {
            assert_eq!(page.matches(&format!("| `{code}` |")).count(), 1, "{code}");
        }
        assert!(page.contains("| `FOOD_AND_DRINK_COFFEE` | `COFFEE` | `REFUND` |  |"));
        assert!(page.contains("| any other `FOOD_AND_DRINK_…` | `FOOD_AND_DRINK` | `REFUND` |  |"));
        assert!(page.contains("| `TRANSFER_OUT_SAVINGS` | `TRANSFER_OUT` | `TRANSFER_IN` | if linked |"));
        assert!(page.contains("| `LOAN_DISBURSEMENTS_AUTO` | `TRANSFER_OUT` | `TRANSFER_IN` | always |"));
    }
}
