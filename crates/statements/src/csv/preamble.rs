//! Reads account and balance from the lines above the header line.

use passbook_input::Fault;

use super::super::amount;
use super::super::{AccountReference, text};
use super::header::cells;
use super::profile::{Names, Profile};

/// Account and balance that the lines above the header line state.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Preamble {
    pub(super) account: AccountReference,
    /// Closing balance, in hundredths.
    pub(super) balance: Option<i64>,
}

/// Reads the labelled cells above the header line.
///
/// # Errors
/// The balance is not an amount.
pub(super) fn read(profile: &Profile, delimiter: u8, above: &str) -> Result<Preamble, Fault> {
    let mut preamble = Preamble::default();
    for (number, line) in above.lines().enumerate() {
        let Some(cells) = cells(line, delimiter) else { continue };
        for pair in cells.windows(2) {
            if is_label(&profile.preamble.account, &pair[0]) {
                // DKB writes the kind of the account before its number.
                let words = pair[1].split_whitespace();
                let iban = words.clone().find_map(AccountReference::parse_iban);
                preamble.account.set_iban_or_number(iban.as_deref().unwrap_or(&pair[1]));
            }
            if is_label(&profile.preamble.account_name, &pair[0]) {
                preamble.account.name = text::some(&pair[1]);
            }
            if is_label(&profile.preamble.balance, &pair[0]) {
                let cents = amount::displayed_cents(&pair[1], profile.number_style());
                let cents = cents.map_err(|rule| {
                    Fault::new(format!("line {}, {}", number + 1, pair[0]), rule)
                        .received(format!("{:?}", pair[1]))
                })?;
                preamble.balance = Some(cents);
            }
        }
    }
    Ok(preamble)
}

/// Returns true if a cell is one of the labels. A label that ends with `*` is the start of the cell.
fn is_label(labels: &Names, cell: &str) -> bool {
    let cell = cell.trim_end_matches(':').trim();
    labels.0.iter().any(|label| match label.strip_suffix('*') {
        Some(start) => cell.starts_with(start),
        None => cell == label,
    })
}
