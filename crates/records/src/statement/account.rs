//! The account of a statement, as the file names it.

use passbook_domain::Currency;

/// The account of a statement. Every field is absent if the file does not state it.
///
/// Identification by name alone is unsafe: two banks have a "Checking". The importer matches [`iban`](Self::iban),
/// then [`number`](Self::number) with [`bank`](Self::bank), and otherwise asks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AccountReference {
    /// International Bank Account Number (ISO 13616), without spaces, upper case, with a valid check sum.
    pub iban: Option<String>,
    /// The bank's identifier of the bank or branch, as written: routing number, Bankleitzahl or BIC.
    pub bank: Option<String>,
    /// Account number, card number or the source's identifier of the account, as written, without spaces.
    pub number: Option<String>,
    /// Currency of the account.
    pub currency: Option<Currency>,
    /// Name of the account at its source.
    pub name: Option<String>,
    /// Name of the bank, from the file or from the profile.
    pub bank_name: Option<String>,
    /// Kind of the account.
    pub kind: Option<AccountKind>,
}

/// The kind of an account, as far as files state it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccountKind {
    /// Current account.
    Checking,
    /// Savings account.
    Savings,
    /// Credit card.
    Card,
    /// Loan or line of credit.
    Loan,
    /// Cash.
    Cash,
    /// Securities account.
    Investment,
    /// Another asset.
    Asset,
    /// Another liability.
    Liability,
}

impl AccountReference {
    /// Returns a text as an IBAN: without spaces, upper case. `None` if the form or the check sum (ISO 7064, MOD 97-10)
    /// is wrong.
    pub fn parse_iban(text: &str) -> Option<String> {
        let iban: String =
            text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_uppercase()).collect();
        let bytes = iban.as_bytes();
        let form = (15..=34).contains(&bytes.len())
            && bytes[..2].iter().all(u8::is_ascii_uppercase)
            && bytes[2..4].iter().all(u8::is_ascii_digit)
            && bytes.iter().all(u8::is_ascii_alphanumeric);
        if !form {
            return None;
        }
        let rearranged = bytes[4..].iter().chain(&bytes[..4]);
        let remainder = rearranged.fold(0_u32, |remainder, byte| match byte {
            b'0'..=b'9' => (remainder * 10 + u32::from(byte - b'0')) % 97,
            _ => (remainder * 100 + u32::from(byte - b'A') + 10) % 97,
        });
        (remainder == 1).then_some(iban)
    }

    /// Sets [`iban`](Self::iban) if the text is a valid IBAN, otherwise [`number`](Self::number).
    pub fn set_iban_or_number(&mut self, text: &str) {
        let number: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        if let Some(iban) = Self::parse_iban(text) {
            self.iban = Some(iban);
        } else if !number.is_empty() {
            self.number = Some(number);
        }
    }

    /// Returns the number as people may see it: of a card, only the end.
    pub fn shown_number(&self) -> Option<String> {
        let number = self.number.as_ref()?;
        let is_card = self.kind == Some(AccountKind::Card) || is_card_number(number);
        Some(if is_card { masked(number) } else { number.clone() })
    }
}

/// Returns the end of a number, as people may see it: `…1111`.
pub fn masked(number: &str) -> String {
    let start = number.char_indices().rev().nth(3).map_or(0, |(at, _)| at);
    format!("…{}", &number[start..])
}

/// Returns true for 13 to 19 digits with the check digit of cards (ISO/IEC 7812).
fn is_card_number(number: &str) -> bool {
    let digits = number.bytes().filter(u8::is_ascii_digit);
    let sum: u32 = (0..)
        .zip(digits.rev())
        .map(|(at, byte)| u32::from(byte - b'0') * (1 + at % 2))
        .map(|product| product / 10 + product % 10)
        .sum();
    (13..=19).contains(&number.len())
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::{AccountKind, AccountReference};

    #[test]
    fn only_texts_with_a_valid_check_sum_are_ibans() {
        for (text, iban) in [
            ("DE89 3704 0044 0532 0130 00", Some("DE89370400440532013000")),
            ("nl91abna0417164300", Some("NL91ABNA0417164300")),
            ("NO93 8601 1117 947", Some("NO9386011117947")),
            ("DE89370400440532013001", None),
            ("DE893704", None),
            ("532013000", None),
            ("", None),
            ("DÉ89370400440532013000", None),
        ] {
            assert_eq!(AccountReference::parse_iban(text).as_deref(), iban, "{text}");
        }
    }

    #[test]
    fn number_of_a_card_is_shown_by_its_end() {
        for (number, kind, shown) in [
            ("4111111111111111", None, "…1111"),
            ("4111111111111112", None, "4111111111111112"),
            ("4111-222", Some(AccountKind::Card), "…-222"),
            ("12345678", None, "12345678"),
        ] {
            let account = AccountReference { number: Some(number.to_owned()), kind, ..Default::default() };
            assert_eq!(account.shown_number().as_deref(), Some(shown));
        }
    }

    #[test]
    fn other_texts_are_numbers() {
        let mut account = AccountReference::default();
        account.set_iban_or_number(" 12 34 ");
        assert_eq!(account.number.as_deref(), Some("1234"));
        account.set_iban_or_number("NL91ABNA0417164300");
        assert_eq!(account.iban.as_deref(), Some("NL91ABNA0417164300"));
    }
}
