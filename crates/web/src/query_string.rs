//! Query strings (`application/x-www-form-urlencoded`, WHATWG URL section 5.1) as the parameters of an operation.

use passbook_operations::ParameterValue;

/// Returns the parameters of a query string in the order received, with repetitions. A value that cannot be decoded
/// becomes [`ParameterValue::Unreadable`], so that the form reports it together with all other faults.
pub fn parse(query: &str) -> Vec<(String, ParameterValue)> {
    query.split('&').filter(|pair| !pair.is_empty()).map(parameter).collect()
}

fn parameter(pair: &str) -> (String, ParameterValue) {
    let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
    // No parameter has a name that cannot be decoded. The form reports the name as received.
    let name = decode(name).unwrap_or_else(|| name.to_owned());
    let value = match decode(value) {
        Some(text) => ParameterValue::Text(text),
        None => ParameterValue::Unreadable("must be percent-encoded UTF-8".to_owned()),
    };
    (name, value)
}

/// Decodes `%XX`, and `+` as a space. Returns `None` for an incomplete escape or invalid UTF-8. The crates
/// `percent-encoding` and `form_urlencoded` pass such escapes through, so neither can be used here.
pub fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let (high, low) = (hex_digit(rest.next()?)?, hex_digit(rest.next()?)?);
                high * 16 + low
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &str) -> ParameterValue {
        ParameterValue::Text(value.to_owned())
    }

    #[test]
    fn pairs_are_decoded_in_order_with_repetitions() {
        let expected = [("a", text("1 2")), ("b", text("é&=")), ("a", text("")), ("flag", text(""))];
        let expected: Vec<_> = expected.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        assert_eq!(parse("a=1+2&b=%C3%A9%26%3D&&a=&flag"), expected);
        assert!(parse("").is_empty());
    }

    #[test]
    fn broken_escapes_and_invalid_utf8_are_unreadable() {
        for value in ["%", "%4", "%zz", "%ff", "%C3", "%+1"] {
            let parsed = parse(&format!("a={value}"));
            assert!(matches!(parsed[0].1, ParameterValue::Unreadable(_)), "{value}");
        }
        assert_eq!(parse("%zz=1")[0].0, "%zz");
    }
}
