//! Reads CSV exports of banks and apps by profiles.
//!
//! A [`Profile`] names the columns of one export. Detection compares the first lines of a file with the header lines of
//! all profiles. `docs/importing.md` explains how to write a profile.

mod builtin;
mod columns;
mod dates;
mod draft;
mod header;
mod labels;
mod money;
mod profile;
mod records;
mod row;
mod sides;
mod without_header;

pub use builtin::builtin_profiles;
pub use draft::{Alternative, Decisions, Draft, DraftOptions, Line, draft};
pub use profile::Profile;
pub(super) use without_header::profile_without_header;

use passbook_input::Fault;

use super::collector::Collector;
use super::unreadable::ReadOptions;
use super::{Choice, TEXT_BYTES_MAX, Unreadable};
use columns::Columns;
use header::Header;
use records::{Body, Counted};
use row::RowReader;

/// Returns the first of a person's own profiles of which the text has the header line.
///
/// # Errors
/// A choice if a line fits several profiles.
pub(super) fn own_profile<'a>(text: &str, own: &'a [Profile]) -> Result<Option<&'a Profile>, Unreadable> {
    Ok(Header::of(text, own)?.map(|header| header.profile))
}

/// Reads a CSV file.
pub(super) fn read(
    text: &str,
    options: &ReadOptions,
    mut collector: Collector<'_>,
) -> Result<Vec<super::Statement>, Unreadable> {
    let Some(header) = Header::find(text, options.profile.as_ref())? else {
        return Err(match &options.profile {
            None if draft::has_rows(text) => Unreadable::Choice(Choice::UnknownProfile),
            None => Fault::new("file", "must be a statement in one of the supported formats").into(),
            Some(profile) => {
                let rule =
                    format!("must have a header line of the profile {} in its first lines", profile.name);
                Fault::new("file", rule).into()
            }
        });
    };
    let profile = header.profile;
    let columns = Columns::find(profile, &header.cells)
        .map_err(|rule| Fault::new(format!("line {}", header.line), rule))?;
    let mut body =
        Body { text: &text[header.end..], profile, delimiter: header.delimiter, line: header.line };
    let mut footer = ("", 0);
    if let Some((start, line)) = labels::footer(&body, &columns)? {
        footer = (&body.text[start..], line);
        body.text = &body.text[..start];
    }
    let text = &text[..text.len() - footer.0.len()];
    let counted = Counted::of(body.text, body.delimiter, profile);
    if let Some(line) = counted.unterminated {
        let rule = "must end the quoted cell that begins here: the file is truncated";
        return Err(Fault::new(format!("line {}", header.line + line), rule).into());
    }
    if let Some(fault) = records::cut(text, header.end, columns.count, &body) {
        return Err(fault.into());
    }
    let format = dates::choose(&columns, &body, options.date_order)?;
    let exchanges = money::Exchanges::find(&columns, &body);
    let mut rows = RowReader::new(profile, &columns, format, exchanges);
    rows.start(&mut collector, labels::read(profile, header.delimiter, &text[..header.start], footer)?);
    body.for_each_record(|record, line, raw| {
        if let Some(cell) = record.iter().position(|cell| cell.len() > TEXT_BYTES_MAX) {
            let rule = format!("must be at most {TEXT_BYTES_MAX} bytes");
            collector.faulty_record([Fault::new(format!("line {line}, column {}", cell + 1), rule)]);
        } else {
            rows.read(record, line, raw, &mut collector);
        }
    });
    if counted.records == 0 {
        rows.finish(&mut collector);
    }
    let footer_rows = Counted::of(footer.0, header.delimiter, profile).records;
    rows.leave_out(footer_rows, &mut collector);
    collector.finish(counted.records + footer_rows, "rows")
}
