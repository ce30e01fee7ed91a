//! Amounts of money as text, in hundredths.

use passbook_domain::money::AMOUNT_CENTS_MAX;
use rust_decimal::Decimal;

/// The rule of an amount whose form is wrong.
pub(super) const FORM: &str = "must be an amount, such as 1234.50";
/// The rule of an amount with a third decimal.
const TOO_PRECISE: &str = "must be an amount with at most two decimals";
/// The rule of an amount beyond [`AMOUNT_CENTS_MAX`].
const TOO_LARGE: &str = "must be an amount of at most 90000000000000";

/// Spaces that separate groups of digits or follow a currency symbol: space, no-break, thin and narrow no-break space.
const SPACES: [char; 4] = [' ', '\u{a0}', '\u{2009}', '\u{202f}'];

/// The separators of an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NumberStyle {
    /// Separator of the decimals: `.` or `,`.
    pub(super) decimal: char,
    /// Separator of groups of digits. A space stands for every kind of space.
    pub(super) group: Option<char>,
}

impl NumberStyle {
    /// `1234.50`
    pub(super) const POINT: NumberStyle = NumberStyle { decimal: '.', group: None };
    /// `1,234.50`
    pub(super) const ENGLISH: NumberStyle = NumberStyle { decimal: '.', group: Some(',') };

    /// Returns the style of an amount that may use either separator for the decimals, as OFX permits: the last point or
    /// comma separates the decimals. A separator that occurs several times separates groups.
    pub(super) fn of_either(text: &str) -> NumberStyle {
        let last = text.rfind(['.', ',']).and_then(|at| text[at..].chars().next());
        let separators = |wanted: char| text.chars().filter(|c| *c == wanted).count();
        let spaced = text.trim().contains(SPACES);
        match (last, separators('.'), separators(',')) {
            (Some('.'), 1, 0) if spaced => NumberStyle { decimal: '.', group: Some(' ') },
            (Some(','), 0, 1) if spaced => NumberStyle { decimal: ',', group: Some(' ') },
            (Some('.'), 1, commas) => NumberStyle { decimal: '.', group: (commas > 0).then_some(',') },
            (Some(','), points, 1) => NumberStyle { decimal: ',', group: (points > 0).then_some('.') },
            (Some(','), 0, _) => NumberStyle::ENGLISH,
            (Some('.'), _, 0) => NumberStyle { decimal: ',', group: Some('.') },
            _ if spaced => NumberStyle { decimal: '.', group: Some(' ') },
            _ => NumberStyle::POINT,
        }
    }
}

/// Parses a signed amount without a currency symbol.
///
/// # Errors
/// The rule that the text breaks: its form, a third decimal other than zero, or a magnitude beyond
/// [`AMOUNT_CENTS_MAX`].
pub(super) fn cents(text: &str, style: NumberStyle) -> Result<i64, &'static str> {
    let text = text.trim();
    let (negative, magnitude) = match text.strip_prefix(['-', '\u{2212}']) {
        Some(magnitude) => (true, magnitude),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = magnitude_cents(magnitude.trim_start_matches(SPACES), style)?;
    Ok(if negative { -magnitude } else { magnitude })
}

/// Parses an amount as people see it: with a currency symbol or code, a sign after the digits, parentheses for
/// negative amounts, or the words CR and DR.
///
/// # Errors
/// As [`cents`].
pub(super) fn displayed_cents(text: &str, style: NumberStyle) -> Result<i64, &'static str> {
    let mut rest = text.trim_matches(|c: char| c.is_whitespace() || SPACES.contains(&c));
    let mut negative = None;
    if let Some(inner) = rest.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        (rest, negative) = (inner, Some(true));
    }
    for (word, is_debit) in [("CR", false), ("Cr", false), ("DR", true), ("Dr", true)] {
        // IDR is a currency.
        let before = rest.strip_suffix(word).filter(|before| !before.ends_with(char::is_alphabetic));
        if let Some(before) = before {
            (rest, negative) = (once(negative, is_debit).map(|negative| (before, Some(negative))))?;
            break;
        }
    }
    loop {
        let before = rest.len();
        let trimmed = rest.trim_matches(|c: char| c.is_whitespace() || SPACES.contains(&c));
        let trimmed = without_currency(trimmed);
        if let Some(after) = trimmed.strip_prefix(['-', '\u{2212}']).or_else(|| trimmed.strip_suffix('-')) {
            (rest, negative) = (after, Some(once(negative, true)?));
        } else if let Some(after) = trimmed.strip_prefix('+').or_else(|| trimmed.strip_suffix('+')) {
            (rest, negative) = (after, Some(once(negative, false)?));
        } else {
            rest = trimmed;
        }
        if rest.len() == before {
            break;
        }
    }
    let magnitude = magnitude_cents(rest, style)?;
    Ok(if negative == Some(true) { -magnitude } else { magnitude })
}

/// Returns the sign, unless another was found before.
fn once(known: Option<bool>, found: bool) -> Result<bool, &'static str> {
    if known.is_none() { Ok(found) } else { Err(FORM) }
}

/// Removes one currency symbol or code at either end.
fn without_currency(text: &str) -> &str {
    let symbol = |c: char| "$€£¥₹₽₺₩₪₫₱฿₦₴₸¢".contains(c);
    let code = |code: &str| code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    if let Some(rest) = text.strip_prefix(symbol).or_else(|| text.strip_suffix(symbol)) {
        return rest;
    }
    match (text.get(..3), text.get(3..)) {
        (Some(start), Some(rest)) if code(start) => return rest,
        _ => {}
    }
    let end = text.len().saturating_sub(3);
    match (text.get(end..), text.get(..end)) {
        (Some(last), Some(rest)) if code(last) => rest,
        _ => text,
    }
}

fn magnitude_cents(text: &str, style: NumberStyle) -> Result<i64, &'static str> {
    let (whole, fraction) = text.split_once(style.decimal).unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(fraction) || (whole.is_empty() && fraction.is_empty()) {
        return Err(FORM);
    }
    let (start, precise) = fraction.split_at(fraction.len().min(2));
    if precise.bytes().any(|byte| byte != b'0') {
        return Err(TOO_PRECISE);
    }
    let mut cents: i64 = 0;
    for digit in whole_digits(whole, style.group)?.chain(start.bytes()).chain((start.len()..2).map(|_| b'0'))
    {
        let next = cents.checked_mul(10).and_then(|cents| cents.checked_add(i64::from(digit - b'0')));
        cents = next.filter(|cents| *cents <= AMOUNT_CENTS_MAX).ok_or(TOO_LARGE)?;
    }
    Ok(cents)
}

/// Returns the digits before the decimals. Groups after the first have three digits, or two as in India; the last has
/// three.
fn whole_digits(whole: &str, group: Option<char>) -> Result<impl Iterator<Item = u8> + '_, &'static str> {
    let separates = move |c: char| match group {
        Some(' ') => SPACES.contains(&c),
        Some('\'') => c == '\'' || c == '\u{2019}',
        Some(group) => c == group,
        None => false,
    };
    let groups = whole.split(separates);
    let count = groups.clone().count();
    for (index, part) in groups.enumerate() {
        let length = match index {
            _ if count == 1 => true,
            0 => (1..=3).contains(&part.len()),
            _ if index + 1 == count => part.len() == 3,
            _ => (2..=3).contains(&part.len()),
        };
        if !length || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(FORM);
        }
    }
    Ok(whole.bytes().filter(u8::is_ascii_digit))
}

/// Parses an exchange rate: digits with at most one decimal separator. A rate that cannot be read is `None`, because
/// rates are only shown.
pub(super) fn rate(text: &str, decimal: char) -> Option<Decimal> {
    let text = text.trim().replace(decimal, ".");
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if !plain { None } else { Decimal::from_str_exact(&text).ok().filter(|rate| !rate.is_zero()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GERMAN: NumberStyle = NumberStyle { decimal: ',', group: Some('.') };

    #[test]
    fn amounts_are_exact_hundredths() {
        for (text, style, expected) in [
            ("0", NumberStyle::POINT, Ok(0)),
            ("-12.3", NumberStyle::POINT, Ok(-1230)),
            ("+8.8500", NumberStyle::POINT, Ok(885)),
            (".5", NumberStyle::POINT, Ok(50)),
            ("5.", NumberStyle::POINT, Ok(500)),
            ("12,", GERMAN, Ok(1200)),
            ("90000000000000.00", NumberStyle::POINT, Ok(AMOUNT_CENTS_MAX)),
            ("90000000000000.01", NumberStyle::POINT, Err(TOO_LARGE)),
            ("99999999999999999999999", NumberStyle::POINT, Err(TOO_LARGE)),
            ("1.005", NumberStyle::POINT, Err(TOO_PRECISE)),
            ("1,234.50", NumberStyle::ENGLISH, Ok(123_450)),
            ("1,00,000.50", NumberStyle::ENGLISH, Ok(10_000_050)),
            ("1234.50", NumberStyle::ENGLISH, Ok(123_450)),
            // A comma for the decimals must not become a hundredfold amount.
            ("12,50", NumberStyle::ENGLISH, Err(FORM)),
            ("12.50", GERMAN, Err(FORM)),
            ("1.234,5", GERMAN, Ok(123_450)),
            ("1e3", NumberStyle::POINT, Err(FORM)),
            ("", NumberStyle::POINT, Err(FORM)),
            (".", NumberStyle::POINT, Err(FORM)),
            ("--1", NumberStyle::POINT, Err(FORM)),
            ("1.2.3", NumberStyle::POINT, Err(FORM)),
            ("٣", NumberStyle::POINT, Err(FORM)),
        ] {
            assert_eq!(cents(text, style), expected, "{text}");
        }
    }

    #[test]
    fn displayed_amounts_may_have_symbols_and_signs_at_either_end() {
        for (text, style, expected) in [
            ("$1,234.50", NumberStyle::ENGLISH, Ok(123_450)),
            ("-$5.00", NumberStyle::ENGLISH, Ok(-500)),
            ("$-5.00", NumberStyle::ENGLISH, Ok(-500)),
            ("($5.00)", NumberStyle::ENGLISH, Ok(-500)),
            ("5.00-", NumberStyle::ENGLISH, Ok(-500)),
            ("−5,00 €", GERMAN, Ok(-500)),
            ("1.234,50\u{a0}€", GERMAN, Ok(123_450)),
            ("EUR 12,00", GERMAN, Ok(1_200)),
            ("12.00 CHF", NumberStyle::POINT, Ok(1_200)),
            ("12.00 DR", NumberStyle::POINT, Ok(-1_200)),
            ("12.00 IDR", NumberStyle::POINT, Ok(1_200)),
            ("12.50 Dr", NumberStyle::POINT, Ok(-1_250)),
            ("12.00CR", NumberStyle::POINT, Ok(1_200)),
            ("1’234.50", NumberStyle { decimal: '.', group: Some('\'') }, Ok(123_450)),
            ("1\u{202f}234,50", NumberStyle { decimal: ',', group: Some(' ') }, Ok(123_450)),
            ("-5.00-", NumberStyle::ENGLISH, Err(FORM)),
            ("(-5.00)", NumberStyle::ENGLISH, Err(FORM)),
            ("N/A", NumberStyle::ENGLISH, Err(FORM)),
            ("$", NumberStyle::ENGLISH, Err(FORM)),
        ] {
            assert_eq!(displayed_cents(text, style), expected, "{text}");
        }
    }

    #[test]
    fn either_separator_may_separate_decimals() {
        for (text, expected) in [
            ("2000,00", Ok(200_000)),
            ("2000.00", Ok(200_000)),
            ("+1 006,60", Ok(100_660)),
            ("-1,234.56", Ok(-123_456)),
            ("1.234,56", Ok(123_456)),
            ("1.234.567,00", Ok(123_456_700)),
            ("1,234,567", Ok(123_456_700)),
            ("-7", Ok(-700)),
            // One separator separates decimals, so this is not one thousand.
            ("1,006", Err(TOO_PRECISE)),
        ] {
            assert_eq!(cents(text, NumberStyle::of_either(text)), expected, "{text}");
        }
    }
}
