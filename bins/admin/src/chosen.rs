//! Arguments that choose a stored entry: its name, its identifier, or the end of its identifier.

use passbook_domain::category::Category;
use passbook_input::Fault;
use passbook_matching::rules::named_category;
use uuid::Uuid;

/// Number of characters at the end of an identifier that lists show.
const SHOWN_CHARACTERS: usize = 8;
/// Minimum number of characters at the end of an identifier that name it.
const NAMING_CHARACTERS_MIN: usize = 4;
/// Maximum number of entries that a message lists.
const LISTED_MAX: usize = 20;
/// The end of the rule about categories.
pub(crate) const ALL_CATEGORIES: &str = "; `passbook-admin category list` shows all";

/// Returns the end of an identifier, as lists show it and arguments accept it.
pub(crate) fn short(id: Uuid) -> String {
    let text = id.simple().to_string();
    text[text.len() - SHOWN_CHARACTERS..].to_owned()
}

/// An entry that an argument may choose.
pub(crate) trait Choosable {
    /// The identifier.
    fn id(&self) -> Uuid;
    /// The names, in any case.
    fn names(&self) -> Vec<String>;
    /// The text that tells the entry from others in messages.
    fn shown(&self) -> String {
        self.names().into_iter().next().unwrap_or_default()
    }
    /// True for another text that is an identifier of the entry, such as that of a bundle.
    fn has_id(&self, _text: &str) -> bool {
        false
    }
}

/// Returns the entry that a text chooses. An identifier comes before the whole name, this before
/// another name, and a name before the end of an identifier.
///
/// # Errors
/// No entry or several, with the candidates. `argument` names the argument, and `kind` the entries, such as "an account".
pub(crate) fn choose<'a, E: Choosable>(
    entries: &'a [E],
    argument: &str,
    kind: &str,
    text: &str,
) -> Result<&'a E, Fault> {
    let folded = text.trim().to_lowercase();
    let end = folded.replace('-', "");
    let is_end = end.len() >= NAMING_CHARACTERS_MIN && end.chars().all(|one| one.is_ascii_hexdigit());
    let ways: [&dyn Fn(&E) -> bool; 4] = [
        &|entry| text.parse() == Ok(entry.id()) || entry.has_id(text),
        &|entry| !folded.is_empty() && entry.shown().to_lowercase() == folded,
        &|entry| entry.names().iter().any(|name| name.to_lowercase() == folded),
        &|entry| is_end && entry.id().simple().to_string().ends_with(&end),
    ];
    let fitting = ways.iter().map(|fits| entries.iter().filter(|entry| fits(entry)).collect::<Vec<_>>());
    let found = fitting.into_iter().find(|found| !found.is_empty()).unwrap_or_default();
    let rule = match found[..] {
        [entry] => return Ok(entry),
        [] if entries.is_empty() => format!("must be the name or id of {kind}, and there is none"),
        [] => format!("must be the name or id of {kind}: {}", listed(entries)),
        _ => format!("must name one, and fits several: {}", listed(found)),
    };
    Err(Fault::new(argument, rule).received(text))
}

/// Returns entries with the ends of their identifiers, in one line.
pub(crate) fn listed<'a, E: Choosable + 'a>(entries: impl IntoIterator<Item = &'a E>) -> String {
    let shown = entries.into_iter().filter(|entry| !entry.names().is_empty());
    let shown = shown.map(|entry| format!("{} ({})", entry.shown(), short(entry.id())));
    shown.take(LISTED_MAX).collect::<Vec<_>>().join(", ")
}

/// Returns the category that a text names in any case and spelling.
///
/// # Errors
/// No category of that name, with the most similar ones.
pub(crate) fn category(text: &str) -> Result<Category, String> {
    named_category(text).map_err(|rule| format!("{rule}{ALL_CATEGORIES}"))
}

/// Returns an amount such as `1234.50` or `-12,5` in hundredths.
///
/// # Errors
/// Another form, or more than 13 digits before the decimal sign.
pub(crate) fn cents(text: &str) -> Result<i64, String> {
    let rule = || "must be an amount with at most two decimals, such as 1234.50".to_owned();
    let magnitude = text.strip_prefix('-').unwrap_or(text);
    let (whole, decimals) = magnitude.split_once(['.', ',']).unwrap_or((magnitude, ""));
    let is_digits = |text: &str| text.chars().all(|one| one.is_ascii_digit());
    if whole.is_empty() || whole.len() > 13 || decimals.len() > 2 || !is_digits(whole) || !is_digits(decimals)
    {
        return Err(rule());
    }
    let cents: i64 = format!("{whole}{decimals:0<2}").parse().map_err(|_| rule())?;
    Ok(if text.starts_with('-') { -cents } else { cents })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Entry(u128, &'static str);

    impl Choosable for Entry {
        fn id(&self) -> Uuid {
            Uuid::from_u128(self.0)
        }

        fn names(&self) -> Vec<String> {
            vec![self.1.to_owned(), format!("Bank {}", self.1)]
        }
    }

    #[test]
    fn entry_is_chosen_by_id_then_name_then_end_of_id() {
        let entries = [Entry(0xabcd_0001, "Main"), Entry(0xdcba_0001, "main"), Entry(0x1_0002, "abcd0001")];
        let chosen = |text: &str| choose(&entries, "ACCOUNT", "an account", text).map(|entry| entry.0);
        assert_eq!(chosen("00000000-0000-0000-0000-0000abcd0001").ok(), Some(0xabcd_0001));
        assert_eq!(chosen("bank ABCD0001").ok(), Some(0x1_0002));
        assert_eq!(chosen("abcd0001").ok(), Some(0x1_0002));
        assert_eq!(chosen("dcba0001").ok(), Some(0xdcba_0001));
        for text in ["Main", "0001", "001", "other", ""] {
            assert!(chosen(text).is_err(), "{text}");
        }
    }

    #[test]
    fn amounts_have_at_most_two_decimals() {
        for (text, expected) in
            [("12", 1_200), ("-12,5", -1_250), ("0.07", 7), ("9999999999999.99", 999_999_999_999_999)]
        {
            assert_eq!(cents(text), Ok(expected));
        }
        for text in ["", "1.234", "1,234.5", "1e3", "--1", "12345678901234", "."] {
            assert!(cents(text).is_err(), "{text}");
        }
    }
}
