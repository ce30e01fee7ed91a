//! The last line of a file. Without a line end behind it, the line may be cut.

use ::csv::StringRecord;
use passbook_domain::Currency;
use passbook_input::Fault;

use super::records::Body;

/// Returns the fault of a last line without a line end, unless the line is whole. `header_end` is the position after
/// the header line, and `count` the number of its cells.
///
/// A row is whole if its last cell is quoted, is an amount with two decimals or a currency, or is the last cell of another row
/// too.
pub(super) fn cut(text: &str, header_end: usize, count: Option<usize>, body: &Body<'_>) -> Option<Fault> {
    if text.ends_with('\n') {
        return None;
    }
    let fault = |line| {
        let rule = "must have a line end behind it, because its last cell may be cut: download the file again, or \
                    add the line end";
        Some(Fault::new(format!("line {line}"), rule))
    };
    if header_end == text.len() {
        return fault(body.line);
    }
    let (mut last, mut last_line, mut is_quoted) = (StringRecord::new(), 0, false);
    body.for_each_record(|record, line, raw| {
        last.clone_from(record);
        (last_line, is_quoted) = (line, body.profile.quotes && raw.ends_with('"'));
    });
    let count = count.unwrap_or(last.len());
    if is_quoted || last.len() > count || last.is_empty() {
        return None;
    }
    let cell = |record: &StringRecord| record.get(count - 1).unwrap_or_default().trim().to_owned();
    let last_cell = cell(&last);
    let (mut is_repeated, mut ends_with_digit) = (false, true);
    body.for_each_record(|record, line, _| {
        let cell = cell(record);
        is_repeated |= line != last_line && cell == last_cell;
        // A sign or a currency behind the amount may be cut.
        ends_with_digit &= cell.is_empty() || cell.ends_with(|c: char| c.is_ascii_digit());
    });
    let decimals = last_cell.rsplit_once(body.profile.number_style().decimal).map(|(_, decimals)| decimals);
    let is_amount = decimals.is_some_and(|d| d.len() == 2 && d.bytes().all(|byte| byte.is_ascii_digit()));
    let is_currency = Currency::parse(&last_cell).is_ok();
    let is_whole = last.len() == count && (is_repeated || is_currency || is_amount && ends_with_digit);
    if is_whole { None } else { fault(last_line) }
}
