//! Finds the header line and the profile of a file.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::super::{Choice, Unreadable, text};
use super::builtin::builtin_profiles;
use super::labels::split;
use super::profile::Profile;

/// Number of lines at the start of a file among which the header line is searched.
const HEADER_LINES_MAX: usize = 40;
/// Last cell of a header line after which further columns may follow.
const FURTHER: &str = "…";
/// Maximum length of a header line, in bytes.
const HEADER_BYTES_MAX: usize = 4096;

/// The header line of a file.
#[derive(Debug)]
pub(super) struct Header<'a> {
    pub(super) profile: &'a Profile,
    /// Separator of the cells.
    pub(super) delimiter: u8,
    /// The cells as written, without white space at the ends.
    pub(super) cells: Vec<String>,
    /// Number of the header line, counted from 1. Without a header line, the number of lines that are left out.
    pub(super) line: u64,
    /// Byte position of the header line.
    pub(super) start: usize,
    /// Byte position after the header line.
    pub(super) end: usize,
}

impl<'a> Header<'a> {
    /// Finds the header line of a profile. Without a profile, all profiles of [`builtin_profiles`] are tried. `None` if no
    /// line fits.
    ///
    /// # Errors
    /// A choice if a line fits several profiles.
    pub(super) fn find(text: &str, profile: Option<&'a Profile>) -> Result<Option<Header<'a>>, Unreadable> {
        match profile {
            Some(profile) if profile.headers.is_empty() => Ok(Some(without_header_line(text, profile))),
            Some(profile) => Header::of(text, std::slice::from_ref(profile)),
            None => Header::find_in(text, builtin_index()),
        }
    }

    /// Finds the header line of one of the profiles. `None` if no line fits.
    ///
    /// # Errors
    /// A choice if a line fits several profiles.
    pub(super) fn of(text: &str, profiles: &'a [Profile]) -> Result<Option<Header<'a>>, Unreadable> {
        Header::find_in(text, &Index::of(profiles))
    }

    fn find_in(text: &str, index: &Index<'a>) -> Result<Option<Header<'a>>, Unreadable> {
        let mut start = 0;
        for (number, line) in text.split_inclusive('\n').take(HEADER_LINES_MAX).enumerate() {
            let end = start + line.len();
            for delimiter in [b',', b';', b'\t', b'|'] {
                let Some(cells) = cells(line, delimiter) else { continue };
                let line = number as u64 + 1;
                match index.profiles(delimiter, &cells)[..] {
                    [] => {}
                    [profile] => return Ok(Some(Header { profile, delimiter, cells, line, start, end })),
                    ref profiles => {
                        let names = profiles.iter().map(|profile| profile.name.clone()).collect();
                        return Err(Unreadable::Choice(Choice::Profile { names, line }));
                    }
                }
            }
            start = end;
        }
        Ok(None)
    }
}

fn without_header_line<'a>(text: &str, profile: &'a Profile) -> Header<'a> {
    let end = text.split_inclusive('\n').take(profile.skip_lines).map(str::len).sum();
    Header {
        profile,
        delimiter: profile.first_delimiter(),
        cells: Vec::new(),
        line: profile.skip_lines as u64,
        start: end,
        end,
    }
}

/// The profiles by separator and folded header line.
#[derive(Debug, Default)]
struct Index<'a> {
    complete: HashMap<(u8, String), Vec<&'a Profile>>,
    /// Header lines after which further columns may follow: the separator, the folded cells and the profile.
    open: Vec<(u8, Vec<String>, &'a Profile)>,
}

impl<'a> Index<'a> {
    fn of(profiles: &'a [Profile]) -> Index<'a> {
        let mut index = Index::default();
        for profile in profiles {
            for header in &profile.headers {
                let mut cells = cells(header, profile.first_delimiter()).unwrap_or_default();
                let is_open = cells.last().is_some_and(|cell| cell == FURTHER);
                cells.truncate(cells.len() - usize::from(is_open));
                for delimiter in profile.delimiters() {
                    if is_open {
                        let folded = cells.iter().map(|cell| cell.to_lowercase()).collect();
                        index.open.push((delimiter, folded, profile));
                    } else {
                        index.complete.entry((delimiter, key(&cells))).or_default().push(profile);
                    }
                }
            }
        }
        index
    }

    /// Returns the profiles with this header line, each once. A complete header line wins over an open one.
    fn profiles(&self, delimiter: u8, cells: &[String]) -> Vec<&'a Profile> {
        let complete = self.complete.get(&(delimiter, key(cells)));
        let mut found: Vec<&Profile> = complete.cloned().unwrap_or_default();
        if found.is_empty() {
            let starts = |start: &[String]| {
                start.len() <= cells.len()
                    && start.iter().zip(cells).all(|(known, cell)| *known == cell.to_lowercase())
            };
            let open = self.open.iter().filter(|(with, start, _)| *with == delimiter && starts(start));
            found.extend(open.map(|(_, _, profile)| *profile));
        }
        found.dedup_by_key(|profile| profile.name.as_str());
        found
    }
}

fn builtin_index() -> &'static Index<'static> {
    static INDEX: OnceLock<Index<'static>> = OnceLock::new();
    INDEX.get_or_init(|| Index::of(builtin_profiles()))
}

/// Splits a line into cells, and removes empty cells at its end. `None` if the line is too long or has fewer than two
/// cells.
pub(super) fn cells(line: &str, delimiter: u8) -> Option<Vec<String>> {
    if line.len() > HEADER_BYTES_MAX {
        return None;
    }
    let mut cells = split(line, delimiter);
    while cells.last().is_some_and(String::is_empty) {
        cells.pop();
    }
    (cells.len() > 1).then_some(cells)
}

/// Returns the text of a header cell without byte order mark, white space and quotation marks at the ends.
pub(super) fn cleaned(cell: &str) -> String {
    text::folded(cell.trim_start_matches('\u{feff}').trim().trim_matches(['"', '\'']))
}

/// Returns the header line in the form in which header lines are compared.
fn key(cells: &[String]) -> String {
    cells.iter().map(|cell| cell.to_lowercase()).collect::<Vec<_>>().join("\u{1f}")
}
