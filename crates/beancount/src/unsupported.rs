//! Recognises valid Beancount syntax that is not supported, and names the supported alternative.

use super::chunk::Chunk;
use super::text::outside_strings;

const LABEL: &str = "is not supported here: a lot with a label; leave the label out and tell lots apart by cost and \
    date, as in `{5.00 EUR, 2024-01-01}`";
const COMPOUND: &str = "is not supported here: a cost in two parts; write the cost of one unit with everything in \
    it, as in `{5.10 EUR}`, or that of all, as in `{{510.00 EUR}}`";
const SHORT_DATE: &str =
    "is not supported here: a date with a month or day of one digit; write it as in `2024-01-05`";
const TAGS: &str = "is not supported here: tags or links on a line of their own; write them at the end of the \
    transaction's first line";

const TAG_CHARACTERS: &str = "is not supported here: a tag with a slash or a point, or a link with a slash; write it with \
    letters, digits, `-` and `_`";

/// Returns the number of the first line with unsupported syntax, counted from 1, and a rule that names the supported
/// alternative.
pub(super) fn find(chunk: &Chunk) -> Option<(u32, &'static str)> {
    let mut inside = false;
    for (line, number) in chunk.lines.iter().zip(1_u32..) {
        let began_inside = inside;
        let (code, ends_inside) = outside_strings(line, inside);
        inside = ends_inside;
        let rule = if began_inside { None } else { rule(&code, number == 1) };
        if let Some(rule) = rule {
            return Some((number, rule));
        }
    }
    None
}

fn rule(code: &str, first: bool) -> Option<&'static str> {
    if first {
        if is_short_date(code.split_whitespace().next()?) {
            return Some(SHORT_DATE);
        }
        let unreadable = |word: &str| {
            word.starts_with(['#', '^']) && word.contains('/') || word.starts_with('#') && word.contains('.')
        };
        return code.split_whitespace().any(unreadable).then_some(TAG_CHARACTERS);
    }
    if code.split_whitespace().next().is_some()
        && code.split_whitespace().all(|word| word.starts_with(['#', '^']))
    {
        return Some(TAGS);
    }
    let (_, cost) = code.split_once('{')?;
    let cost = cost.split('}').find(|part| !part.is_empty()).unwrap_or_default().trim_start_matches('{');
    match cost {
        cost if cost.contains('"') => Some(LABEL),
        cost if cost.contains('#') => Some(COMPOUND),
        cost => cost.split([',', ' ']).any(is_short_date).then_some(SHORT_DATE),
    }
}

/// Returns true for `2024-1-5` and false for `2024-01-05`.
fn is_short_date(word: &str) -> bool {
    let parts: Vec<&str> = word.split(['-', '/']).collect();
    let digits = |part: &&str| part.chars().all(|digit| digit.is_ascii_digit());
    match parts[..] {
        [year, month, day] => {
            let short = month.len() == 1 || day.len() == 1;
            year.len() == 4 && short && [year, month, day].iter().all(digits)
        }
        _ => false,
    }
}
