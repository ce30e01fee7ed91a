//! Suggestions for a new user, from the machine and the files.

use std::collections::BTreeMap;

use passbook_domain::Currency;
use passbook_statements::Statement;

/// The currencies of countries (ISO 3166-1) in a locale. Countries with the euro are listed apart.
const CURRENCIES: [(&str, &str); 22] = [
    ("AU", "AUD"),
    ("BR", "BRL"),
    ("CA", "CAD"),
    ("CH", "CHF"),
    ("CN", "CNY"),
    ("CZ", "CZK"),
    ("DK", "DKK"),
    ("GB", "GBP"),
    ("HK", "HKD"),
    ("HU", "HUF"),
    ("IN", "INR"),
    ("JP", "JPY"),
    ("KR", "KRW"),
    ("LI", "CHF"),
    ("MX", "MXN"),
    ("NO", "NOK"),
    ("NZ", "NZD"),
    ("PL", "PLN"),
    ("RO", "RON"),
    ("SE", "SEK"),
    ("US", "USD"),
    ("ZA", "ZAR"),
];
/// The countries with the euro.
const EURO: &str = "AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA";

/// Returns the most frequent currency of the statements; without one, that of the country in the locale.
pub(super) fn currency<'a>(
    statements: impl Iterator<Item = &'a Statement>,
    locale: Option<&str>,
) -> Option<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for currency in statements.filter_map(|statement| statement.account.currency) {
        *counts.entry(currency.to_string()).or_default() += 1;
    }
    let local = locale.and_then(of_locale).map(|currency| currency.to_string());
    // Of two that are equally frequent, the one of the locale.
    let rank = |(currency, count): &(String, usize)| (*count, Some(currency) == local.as_ref());
    counts.into_iter().max_by_key(rank).map(|(currency, _)| currency).or(local)
}

/// Returns the currency of a locale such as `de_AT.UTF-8`.
fn of_locale(locale: &str) -> Option<Currency> {
    let country = locale.split_once('_')?.1.get(..2)?;
    let euro = EURO.split(' ').any(|other| other == country).then_some("EUR");
    let code =
        euro.or_else(|| CURRENCIES.iter().find(|(other, _)| *other == country).map(|(_, code)| *code))?;
    Currency::parse(code).ok()
}

/// Returns the time zone of the system.
pub(super) fn time_zone() -> Option<String> {
    jiff::tz::TimeZone::system().iana_name().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn country_of_the_locale_suggests_the_currency() {
        for (locale, expected) in
            [("de_AT.UTF-8", Some("EUR")), ("en_GB", Some("GBP")), ("de_CH@euro", Some("CHF"))]
        {
            assert_eq!(
                of_locale(locale).map(|currency| currency.to_string()).as_deref(),
                expected,
                "{locale}"
            );
        }
        for locale in ["C", "C.UTF-8", "POSIX", "en", "en_", "xx_XX"] {
            assert_eq!(of_locale(locale), None, "{locale}");
        }
    }
}
