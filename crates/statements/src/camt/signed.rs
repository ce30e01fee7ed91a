//! Signed amounts.

use passbook_domain::Currency;

use super::super::amount::{self, NumberStyle};
use super::super::xml::Node;

/// Returns the amount of an entry or a balance, with the sign of its credit or debit indicator.
///
/// # Errors
/// The rule that the amount or the indicator breaks.
pub(super) fn signed(node: &Node) -> Result<(i64, Option<Currency>), &'static str> {
    let amount = node.child("Amt").ok_or("must have an amount (Amt)")?;
    let cents = amount::cents(&amount.text, NumberStyle::POINT)?;
    let currency = amount.attribute("Ccy").and_then(|code| Currency::parse(code).ok());
    if cents < 0 {
        return Err("must have an amount (Amt) without a sign");
    }
    match node.text_at(&["CdtDbtInd"]) {
        Some("CRDT") => Ok((cents, currency)),
        Some("DBIT") => Ok((-cents, currency)),
        _ => Err("must be CRDT or DBIT (CdtDbtInd)"),
    }
}
