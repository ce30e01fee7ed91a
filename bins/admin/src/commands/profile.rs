//! `profile`: drafts profiles for CSV files of banks that Passbook does not know, and stores them with the user.

mod own;

use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use passbook_input::Fault;
use passbook_statements::csv::{Alternative, Decisions, Draft, DraftOptions, Line, Profile};
use passbook_statements::{ReadOptions, TextEncoding};

use super::dialogue::Dialogue;
use super::memory::Memory;
use super::user::{self, Edit, Owner, UserList};
use super::{preview, statement_file};
use crate::database::Database;
use crate::error::CommandError;
use crate::listing;
use crate::output;
use crate::settings::DatabaseLocation;
use own::OwnProfileFile;

pub(super) const EXAMPLES: &str = "\
Examples:
  passbook-admin profile draft export.csv --bank 'New bank' --decide date_order=dmy > new-bank.toml
  passbook-admin profile create new-bank.toml
  passbook-admin profile list
  passbook-admin profile show new-bank
  passbook-admin profile delete new-bank";

const DRAFT_EXAMPLES: &str = "\
Examples:
  passbook-admin profile draft export.csv --bank 'New bank' --decide date_order=dmy > new-bank.toml";

/// Number of rows that a dialogue shows.
const ROWS: usize = 3;

#[derive(Debug, Subcommand)]
pub(crate) enum ProfileCommand {
    /// Write a profile for a CSV file: guesses with their evidence, and choices to decide (exit code 65 until none is open)
    #[command(after_help = DRAFT_EXAMPLES)]
    Draft(NewProfile),
    /// Store a profile: `import` and `preview` use it for files with its header line, before those that come with Passbook
    #[command(alias = "add", allow_missing_positional = true)]
    Create(OwnProfileFile),
    /// List the stored profiles
    List(UserList),
    /// Print a stored profile
    Show {
        /// Name of the profile
        name: String,
        #[command(flatten)]
        owner: Owner,
    },
    /// Delete a stored profile. Imported files stay as they were read
    Delete {
        /// Name of the profile
        name: String,
        #[command(flatten)]
        edit: Edit,
    },
}

/// The file that a profile is drafted for.
#[derive(Clone, Debug, Args)]
pub(crate) struct NewProfile {
    /// CSV file of a bank or an app
    file: PathBuf,
    /// Name of the bank, which new accounts get [default: the words at the start of the file's name]
    #[arg(long)]
    bank: Option<String>,
    /// Decide an open choice, such as `date_order=dmy`
    #[arg(long, value_name = "KEY=VALUE")]
    decide: Vec<String>,
    /// Encoding of the file, if the bytes leave it open
    #[arg(long, value_name = "ENCODING", value_parser = statement_file::encoding)]
    encoding: Option<TextEncoding>,
    /// File to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file of --output
    #[arg(long, requires = "output")]
    force: bool,
}

/// Runs a command on profiles. A draft needs no database.
pub(super) async fn run(location: DatabaseLocation, command: ProfileCommand) -> Result<(), CommandError> {
    if let ProfileCommand::Draft(wanted) = &command {
        return write_draft(wanted);
    }
    let mut database = Database::for_data(location).await?;
    let client = &mut database.client;
    let done = match command {
        ProfileCommand::Draft(_) => Ok(()),
        ProfileCommand::Create(wanted) => own::create(client, &wanted).await,
        ProfileCommand::List(wanted) => own::list(client, &wanted).await,
        ProfileCommand::Show { name, owner } => own::show(client, &name, &owner).await,
        ProfileCommand::Delete { name, edit } => own::delete(client, &name, &edit).await,
    };
    database.close(done).await
}

fn write_draft(wanted: &NewProfile) -> Result<(), CommandError> {
    let (mut decisions, mut unused) = (Decisions::new(), wanted.decide.clone());
    let bank = wanted.bank.clone().unwrap_or_else(|| statement_file::bank(&wanted.file));
    let draft = loop {
        let draft = draft(&wanted.file, &bank, wanted.encoding, &decisions)?;
        let decided = |line: &&Line| unused.iter().position(|text| key_and_value(text).0 == line.path);
        let Some((line, at)) = draft.open().find_map(|line| Some((line, decided(&line)?))) else {
            break draft;
        };
        let text = unused.remove(at);
        let value = alternative(line, key_and_value(&text).1).map_err(|rule| {
            CommandError::input(Fault::new(format!("--decide {}", line.path), rule).received(&text))
        })?;
        decisions.insert(line.path.to_owned(), value.value.clone());
    };
    if let Some(text) = unused.first() {
        let rule = "must be the key of a choice that the draft leaves open";
        return Err(CommandError::input(Fault::new("--decide", rule).received(text)));
    }
    write(&draft, wanted)?;
    let place = wanted.output.as_deref().unwrap_or(Path::new("profile")).display();
    let open = draft.open().map(|line| {
        Fault::new(format!("{place}: {}", line.path), format!("must be decided: {}", meanings(line)))
    });
    let open: Vec<Fault> = open.collect();
    if !open.is_empty() {
        return Err(CommandError::Input(open));
    }
    let options = ReadOptions {
        profile: Some(draft.profile().map_err(CommandError::input)?),
        encoding: wanted.encoding,
        ..ReadOptions::default()
    };
    let file = statement_file::read(&wanted.file, &options, ROWS)?;
    output::note(&format!(
        "the profile reads {} rows of the file; store it with `passbook-admin profile create {}`, or give it to import with \
         --profile",
        file.entries,
        output::argument(&wanted.output.as_deref().unwrap_or(Path::new("FILE")).to_string_lossy())
    ));
    Ok(())
}

fn draft(
    path: &Path,
    bank: &str,
    encoding: Option<TextEncoding>,
    decisions: &Decisions,
) -> Result<Draft, CommandError> {
    let bytes = statement_file::bytes(path)?;
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let options = DraftOptions { bank, today, encoding, decisions };
    let draft = passbook_statements::csv::draft(&bytes, &options);
    draft.map_err(|mut fault| {
        fault.place = format!("{}: {}", path.display(), fault.place);
        CommandError::input(fault)
    })
}

fn write(draft: &Draft, wanted: &NewProfile) -> Result<(), CommandError> {
    let toml = draft.to_toml();
    let Some(path) = &wanted.output else { return output::lines(toml.lines()) };
    let opened = if wanted.force { File::create(path) } else { File::create_new(path) };
    let written = opened.and_then(|mut file| file.write_all(toml.as_bytes()));
    written.map_err(|error| {
        let problem = match error.kind() {
            ErrorKind::AlreadyExists => "exists: name another file, or replace it with --force".to_owned(),
            _ => format!("cannot be written: {error}"),
        };
        CommandError::configuration(format!("--output {} {problem}", path.display()))
    })
}

/// Splits `date_order=dmy`.
fn key_and_value(text: &str) -> (&str, &str) {
    text.split_once('=').unwrap_or((text, ""))
}

/// Returns the alternative of a line that a text names: by its value, with or without quotation marks, or by its number.
fn alternative<'a>(line: &'a Line, text: &str) -> Result<&'a Alternative, String> {
    let is = |at: usize, one: &Alternative| {
        text == one.value || text == one.value.trim_matches('"') || text == (at + 1).to_string()
    };
    let found = line.alternatives.iter().enumerate().find(|(at, one)| is(*at, one));
    found.map(|(_, one)| one).ok_or_else(|| format!("must be one of: {}", meanings(line)))
}

/// Returns the alternatives of a choice with their meanings.
fn meanings(line: &Line) -> String {
    let alternatives = line.alternatives.iter().zip(1..);
    let texts = alternatives.map(|(one, number)| format!("[{number}] {}: {}", one.value, one.meaning));
    output::printable(&texts.collect::<Vec<_>>().join(", "))
}

/// Drafts the profile of an unknown CSV file in a dialogue, which shows three rows as the profile reads them. `None` if the
/// file has no rows, if no answer to a prompt was right, or if the person says that the rows are wrong. The import of the file
/// stores the profile.
pub(super) fn by_dialogue(
    path: &Path,
    options: &ReadOptions,
    memory: &mut Memory,
    dialogue: Dialogue,
) -> Result<Option<Profile>, CommandError> {
    let (name, mut decisions) = (path.display(), Decisions::new());
    let bank = statement_file::bank(path);
    if draft(path, &bank, options.encoding, &decisions).is_err() {
        return Ok(None);
    }
    output::note(&output::printable(&format!("{name} has the form of an unknown bank")));
    let text = |text: &str| Ok(text.to_owned());
    let bank: String = dialogue.value("Name of the bank", "--profile", Some(&bank), text)?;
    let (profile, text, file) = loop {
        let draft = draft(path, &bank, options.encoding, &decisions)?;
        let Some(line) = draft.open().next() else {
            let mut profile = draft.profile().map_err(CommandError::input)?;
            profile.name = memory.free_name(&profile.name);
            let text = own::named(&draft.to_toml(), &profile.name);
            let with_profile = ReadOptions { profile: Some(profile.clone()), ..options.clone() };
            let file = statement_file::read(path, &with_profile, ROWS)?;
            if file.statements.is_empty() || file.currency(0).is_some() {
                break (profile, text, file);
            }
            let Some(currency) =
                dialogue.answer("Currency of the amounts", "--profile", None, user::currency)?
            else {
                return Ok(None);
            };
            decisions.insert("currency".to_owned(), format!("\"{currency}\""));
            continue;
        };
        let prompt = format!("{} of {name}: {}. {}", line.path, line.evidence, meanings(line));
        let value = dialogue.answer(&output::printable(&prompt), "--profile", None, |text| {
            alternative(line, text).map(|one| one.value.clone())
        });
        let Some(value) = value? else { return Ok(None) };
        decisions.insert(line.path.to_owned(), value);
    };
    let sum = file.totals.iter().sum::<i128>();
    let rows = file.first.iter().map(|(_, entry)| preview::row(entry));
    output::table(preview::HEADING, rows).iter().for_each(|line| output::note(line));
    let total = listing::amount(sum);
    let answers = |text: &str| match text {
        "y" => Ok(true),
        "n" => Ok(false),
        _ => Err("must be y or n".to_owned()),
    };
    let prompt = format!("{} rows with the sum {total}, these first. Right, y or n", file.entries);
    let is_right = dialogue.answer(&prompt, "--profile", Some("y"), answers)?.unwrap_or(false);
    if is_right {
        memory.add(&profile, text, path);
    }
    Ok(is_right.then_some(profile))
}
