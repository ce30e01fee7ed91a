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
}

#[cfg(test)]
mod tests {
    use super::AccountReference;

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
    fn other_texts_are_numbers() {
        let mut account = AccountReference::default();
        account.set_iban_or_number(" 12 34 ");
        assert_eq!(account.number.as_deref(), Some("1234"));
        account.set_iban_or_number("NL91ABNA0417164300");
        assert_eq!(account.iban.as_deref(), Some("NL91ABNA0417164300"));
    }
}
