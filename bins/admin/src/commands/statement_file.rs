//! A file of a bank or an app: its bytes, its statements and its entries.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use passbook_domain::Currency;
use passbook_ingest::import::Entries;
use passbook_ingest::load::LoadError;
use passbook_input::Fault;
use passbook_matching::running_balance::RunningBalance;
use passbook_statements::csv::{Profile, builtin_profiles};
use passbook_statements::{
    Choice, DateOrder, ENCODING_GUESSED, Entry, FILE_BYTES_MAX, ReadOptions, Statement, TextEncoding,
    Unreadable, read_each,
};
use sha2::{Digest as _, Sha256};

use super::input;
use super::latest_day::LatestDay;
use crate::error::CommandError;

/// The choices that a file may leave open.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ReadingFlags {
    /// Profile of CSV files: a name, also of an own profile, or a file (TOML)
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) profile: Option<String>,
    /// Order of day and month, for files that leave it open
    #[arg(long, value_name = "ORDER", value_parser = date_order())]
    pub(crate) date_order: Option<DateOrder>,
    /// Encoding of files that state none, such as windows-1250, macintosh or cp850
    #[arg(long, value_name = "ENCODING", value_parser = encoding)]
    pub(crate) encoding: Option<TextEncoding>,
    /// Time (UTC) of a list of changes that states none, such as 2026-01-31T10:00
    #[arg(long, value_name = "TIME", value_parser = as_of)]
    pub(crate) as_of: Option<DateTime>,
}

/// Maximum number of files of one command.
const FILES_MAX: usize = 10_000;
/// Number of entries that are handed over at a time.
const BATCH_ENTRIES: usize = 500;
/// Number of batches that may wait.
const BATCHES_MAX: usize = 4;

/// A file that was read completely.
#[derive(Debug)]
pub(super) struct StatementFile {
    pub(super) path: PathBuf,
    /// The choices with which it was read.
    pub(super) options: ReadOptions,
    pub(super) digest: [u8; 32],
    /// The statements, without entries.
    pub(super) statements: Vec<Statement>,
    /// Number of entries.
    pub(super) entries: u64,
    /// The first entries of the file, each with the index of its statement.
    pub(super) first: Vec<(usize, Entry)>,
    /// Sum of the entries of each statement, in hundredths.
    pub(super) totals: Vec<i128>,
}

impl StatementFile {
    /// Returns a file that is not read.
    pub(super) fn unread(path: &Path, options: &ReadOptions) -> Result<StatementFile, CommandError> {
        let (path, options, digest) = (path.to_owned(), options.clone(), digest(&bytes(path)?));
        let (statements, first, totals) = (Vec::new(), Vec::new(), Vec::new());
        Ok(StatementFile { path, options, digest, statements, entries: 0, first, totals })
    }

    /// Returns the currency of a statement: that of its account, of a balance, or of its first entry.
    pub(super) fn currency(&self, index: usize) -> Option<Currency> {
        let statement = &self.statements[index];
        let balance = statement.balances.iter().find_map(|balance| balance.currency);
        let first = self.first.iter().find(|(owner, _)| *owner == index);
        statement.account.currency.or(balance).or(first.and_then(|(_, entry)| entry.currency))
    }
}

/// Returns the options of the readers.
///
/// # Errors
/// A profile that does not exist or has faults.
pub(super) fn read_options(reading: &ReadingFlags, own: &[Profile]) -> Result<ReadOptions, CommandError> {
    let profile = reading.profile.as_deref().map(|name| profile(name, own)).transpose()?;
    Ok(ReadOptions {
        profile,
        own_profiles: own.into(),
        date_order: reading.date_order,
        as_of: reading.as_of,
        encoding: reading.encoding,
    })
}

fn profile(name: &str, own: &[Profile]) -> Result<Profile, CommandError> {
    let known = || own.iter().chain(builtin_profiles());
    if let Some(known) = known().find(|profile| profile.name == name) {
        return Ok(known.clone());
    }
    if !Path::new(name).exists() {
        let names: Vec<&str> = known().map(|profile| profile.name.as_str()).collect();
        let rule = format!("must be a file or one of the profiles {}", names.join(", "));
        return Err(CommandError::input(Fault::new("--profile", rule).received(name)));
    }
    Profile::parse(&text(Path::new(name))?, name).map_err(CommandError::input)
}

/// Reads a text file.
pub(super) fn text(path: &Path) -> Result<String, CommandError> {
    let text = std::io::read_to_string(input::open(path)?);
    text.map_err(|error| input::unreadable(path, error))
}

/// Returns the name of a file without its folder.
pub(super) fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The name of a bank that nothing names.
const BANK: &str = "My bank";

/// Returns the words at the start of the name of a file, as the name of its bank: files of two banks have different names.
pub(super) fn bank(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    let words = stem.split(|character: char| !character.is_alphanumeric());
    let is_word = |word: &&str| word.chars().all(char::is_alphabetic);
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).take_while(is_word).collect();
    if words.is_empty() { BANK.to_owned() } else { words.join(" ") }
}

/// Returns the files that the arguments name: files as they are, and the files of folders by name. Hidden files, links and
/// folders in folders are left out.
pub(super) fn files(arguments: &[PathBuf]) -> Result<Vec<PathBuf>, CommandError> {
    let mut found = Vec::new();
    for argument in arguments {
        if argument.is_dir() {
            found.extend(files_of(argument)?);
        } else {
            found.push(argument.clone());
        }
    }
    if found.is_empty() {
        return Err(CommandError::configuration("the folders contain no files; name files to import"));
    }
    if found.len() > FILES_MAX {
        let problem = format!("{} files were named; name at most {FILES_MAX}", found.len());
        return Err(CommandError::configuration(problem));
    }
    Ok(found)
}

fn files_of(folder: &Path) -> Result<Vec<PathBuf>, CommandError> {
    let failed = |error| input::unreadable(folder, error);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if !is_hidden && entry.file_type().map_err(failed)?.is_file() {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}

/// Reads the bytes of a file, at most one more than a file may have.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, CommandError> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    let limit = FILE_BYTES_MAX as u64 + 1;
    let read = input::open(path)?.take(limit).read_to_end(&mut bytes);
    read.map_err(|error| input::unreadable(path, error))?;
    Ok(bytes)
}

fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// Reads a file completely, without keeping more than `first_max` entries of each statement.
///
/// # Errors
/// Every fault of the file, and the choices that it leaves to the person.
pub(super) fn read(
    path: &Path,
    options: &ReadOptions,
    first_max: usize,
) -> Result<StatementFile, CommandError> {
    try_read(path, &bytes(path)?, options, first_max).map_err(|unreadable| explain(path, unreadable))
}

/// Reads the bytes of a file as [`read`].
///
/// # Errors
/// The faults of the file, or the choice that it leaves to the person.
pub(super) fn try_read(
    path: &Path,
    bytes: &[u8],
    options: &ReadOptions,
    first_max: usize,
) -> Result<StatementFile, Unreadable> {
    let (mut entries, mut first) = (0, Vec::new());
    let mut sums: Vec<(RunningBalance, i128, usize, LatestDay)> = Vec::new();
    let mut statements = read_each(bytes, options, &mut |statement, entry| {
        entries += 1;
        if sums.len() <= statement {
            sums.resize(statement + 1, Default::default());
        }
        let (running, total, count, latest) = &mut sums[statement];
        running.add(&entry);
        latest.add(&entry);
        *total += i128::from(entry.effect());
        if *count < first_max {
            *count += 1;
            first.push((statement, entry));
        }
    })?;
    sums.resize(statements.len(), Default::default());
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    for (statement, (running, _, _, latest)) in statements.iter_mut().zip(&sums) {
        running.complete(statement);
        statement.notices.extend(latest.notice(statement.to, today));
        for notice in &mut statement.notices {
            if notice.starts_with(ENCODING_GUESSED) {
                notice.push_str("; name the encoding with --encoding");
            }
        }
    }
    let totals = sums.into_iter().map(|(_, total, ..)| total).collect();
    let (path, options, digest) = (path.to_owned(), options.clone(), digest(bytes));
    Ok(StatementFile { path, options, digest, statements, entries, first, totals })
}

/// Returns the error for a file that cannot be read, with the flags that make its choices.
pub(super) fn explain(path: &Path, unreadable: Unreadable) -> CommandError {
    let name = path.display();
    let mut faults = match unreadable {
        Unreadable::Faults(faults) => faults.into_list(),
        Unreadable::Choice(choice) => {
            let mut fault = choice.as_fault();
            fault.rule.push_str(match choice {
                Choice::DateOrder { .. } => "; name the order with --date-order",
                Choice::Profile { .. } => "; name the profile with --profile",
                Choice::AsOf => "; state when it was downloaded with --as-of",
                Choice::UnknownProfile => {
                    "; `passbook-admin profile draft FILE` writes one, and `profile create` stores it"
                }
            });
            vec![fault]
        }
    };
    faults.iter_mut().for_each(|fault| fault.place = format!("{name}: {}", fault.place));
    CommandError::Input(faults)
}

/// Returns true for a CSV file that no profile fits.
pub(super) fn is_unknown_csv(path: &Path, options: &ReadOptions) -> bool {
    let read = bytes(path).map(|bytes| read_each(&bytes, options, &mut |_, _| {}).err());
    matches!(read, Ok(Some(Unreadable::Choice(Choice::UnknownProfile))))
}

/// Entries with the indexes of their statements, or the reason why the file cannot be imported.
type Batch = Result<Vec<(usize, Entry)>, LoadError>;

/// Returns the entries of a file that was read before. The file is read a second time, when the first entry is taken, so
/// that the entries of several large files are never in memory together.
pub(super) fn entries(file: &StatementFile) -> Entries {
    let (path, options, expected, mut left) =
        (file.path.clone(), file.options.clone(), file.digest, file.entries);
    let mut reader: Option<Receiver<Batch>> = None;
    Box::new(std::iter::from_fn(move || {
        let receiver = reader.get_or_insert_with(|| start(path.clone(), options.clone(), expected));
        match receiver.recv() {
            Ok(batch) => {
                left = left.saturating_sub(batch.as_ref().map_or(0, |batch| batch.len() as u64));
                Some(batch)
            }
            // The thread ended before the last entry: without an error, a part of the file would be stored.
            Err(_) if left > 0 => {
                Some(Err(faulty(&path, "must be readable a second time, to its last entry")))
            }
            Err(_) => None,
        }
    }))
}

fn faulty(path: &Path, rule: &str) -> LoadError {
    LoadError::Faults(vec![Fault::new(path.display().to_string(), rule)])
}

fn start(path: PathBuf, options: ReadOptions, expected: [u8; 32]) -> Receiver<Batch> {
    let (sender, receiver) = sync_channel(BATCHES_MAX);
    std::thread::spawn(move || {
        let changed = || Err(faulty(&path, "must not change while it is imported"));
        let Some(bytes) = bytes(&path).ok().filter(|bytes| digest(bytes) == expected) else {
            drop(sender.send(changed()));
            return;
        };
        let mut batch = Vec::with_capacity(BATCH_ENTRIES);
        // If the import has failed, nobody receives the batches: the rest of the file is read in vain.
        let read = read_each(&bytes, &options, &mut |statement, entry| {
            batch.push((statement, entry));
            if batch.len() == BATCH_ENTRIES {
                drop(sender.send(Ok(std::mem::take(&mut batch))));
            }
        });
        drop(sender.send(if read.is_ok() { Ok(batch) } else { changed() }));
    });
    receiver
}

/// Parses the order of day and month.
fn date_order() -> impl TypedValueParser<Value = DateOrder> {
    PossibleValuesParser::new(DateOrder::ALL.iter().map(|order| order.as_str()))
        .map(|text| DateOrder::parse(&text).expect("the possible values are those of the type"))
}

pub(super) fn encoding(name: &str) -> Result<TextEncoding, String> {
    let rule = "must be an encoding, such as windows-1250, iso-8859-2, shift_jis or cp850";
    TextEncoding::parse(name).ok_or_else(|| rule.to_owned())
}

/// Parses a day, a day with a time (UTC), or a timestamp.
fn as_of(text: &str) -> Result<DateTime, String> {
    let timestamp = || text.parse::<Timestamp>().map(|time| time.to_zoned(TimeZone::UTC).datetime());
    let rule = "must be a day or a time (UTC), such as 2026-01-31 or 2026-01-31T10:00";
    text.parse().or_else(|_| timestamp()).map_err(|_invalid| rule.to_owned())
}
