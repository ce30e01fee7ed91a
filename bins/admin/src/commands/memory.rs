//! Decisions for new files that follow from a person's earlier files and answers: profiles, accounts, and the order of day and month.

use std::path::Path;

use passbook_ingest::import::{EarlierStatements, NewProfile, earlier_statements, is_alike, own_profiles};
use passbook_statements::csv::{Profile, builtin_profiles};
use passbook_statements::{Choice, DateOrder, ReadOptions, Statement, Unreadable};
use tokio_postgres::Client;
use uuid::Uuid;

use super::statement_file::{self, ReadingFlags, StatementFile};
use crate::error::CommandError;

/// The earlier files and own profiles of a person.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) earlier: Vec<EarlierStatements>,
    own: Vec<Profile>,
    /// The profiles that dialogues of this command drafted, each with the name of its first file.
    new: Vec<(NewProfile, String)>,
}

impl Memory {
    pub(super) async fn read(client: &Client, user_id: Uuid) -> Result<Memory, CommandError> {
        let parse = |(name, text): (String, String)| Profile::parse(&text, &format!("own profile {name}"));
        let stored = own_profiles(client, user_id).await?.into_iter().map(|one| (one.name, one.profile));
        let own = stored.map(parse).collect::<Result<_, _>>().map_err(CommandError::input)?;
        Ok(Memory { earlier: earlier_statements(client, user_id).await?, own, new: Vec::new() })
    }

    /// Returns the options of the readers.
    ///
    /// # Errors
    /// A profile that does not exist or has faults.
    pub(super) fn options(&self, reading: &ReadingFlags) -> Result<ReadOptions, CommandError> {
        statement_file::read_options(reading, &self.own)
    }

    /// Reads a file. What it leaves open is decided as for earlier files; a notice of the file says so.
    ///
    /// # Errors
    /// Every fault of the file, and the choices that are still open.
    pub(super) fn read_file(
        &self,
        path: &Path,
        options: &ReadOptions,
        first_max: usize,
    ) -> Result<StatementFile, CommandError> {
        let (bytes, mut options, mut notices) = (statement_file::bytes(path)?, options.clone(), Vec::new());
        let mut read = statement_file::try_read(path, &bytes, &options, first_max);
        if let (Err(Unreadable::Choice(Choice::UnknownProfile)), Some((profile, file))) =
            (&read, self.profile_without_header(path))
        {
            notices.push(format!("read with the profile {}, as {file}", profile.name));
            options.profile = Some(profile.clone());
            read = statement_file::try_read(path, &bytes, &options, first_max);
        }
        if let Err(Unreadable::Choice(Choice::DateOrder { profile, .. })) = &read
            && let Some((order, file)) = self.date_order(profile.as_deref())
        {
            notices.push(format!("days are read as {}, as in {file}", order.as_str()));
            options.date_order = Some(order);
            read = statement_file::try_read(path, &bytes, &options, first_max);
        }
        let mut file = read.map_err(|unreadable| statement_file::explain(path, unreadable))?;
        file.statements.iter_mut().take(1).for_each(|statement| statement.notices.append(&mut notices));
        Ok(file)
    }

    /// Returns the profile without a header line with which a file of a similar name was read, and that file.
    pub(super) fn profile_without_header(&self, path: &Path) -> Option<(&Profile, &str)> {
        let name = statement_file::name(path);
        let find = |wanted: &str| {
            let mut known = self.own.iter().chain(builtin_profiles());
            known.find(|profile| profile.name == wanted && profile.headers.is_empty())
        };
        let earlier = self.earlier.iter().filter_map(|one| Some((one.profile.as_deref()?, &one.file[..])));
        let new = self.new.iter().map(|(new, file)| (&new.name[..], &file[..]));
        let mut alike = earlier.chain(new).filter(|(_, file)| is_alike(file, &name)).collect::<Vec<_>>();
        alike.reverse();
        alike.into_iter().find_map(|(profile, file)| Some((find(profile)?, file)))
    }

    /// Returns the order of day and month that was chosen for an earlier file of the profile, and that file.
    fn date_order(&self, profile: Option<&str>) -> Option<(DateOrder, &str)> {
        let same = |one: &&EarlierStatements| {
            one.profile.as_deref() == profile && (profile.is_some() || one.format == "qif")
        };
        let order = |one: &EarlierStatements| DateOrder::parse(one.date_order.as_deref()?);
        self.earlier.iter().rev().filter(same).find_map(|one| Some((order(one)?, &one.file[..])))
    }

    /// Returns a name for a new profile: the wanted one, with a number if a profile has it.
    pub(super) fn free_name(&self, wanted: &str) -> String {
        let is_free = |name: &String| self.own.iter().chain(builtin_profiles()).all(|one| one.name != *name);
        let numbered = (2..).map(|number| format!("{wanted}-{number}"));
        std::iter::once(wanted.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
    }

    /// Uses a new profile for this command. It is stored with the files that it reads.
    pub(super) fn add(&mut self, profile: &Profile, text: String, path: &Path) {
        self.new.push((NewProfile { name: profile.name.clone(), text }, statement_file::name(path)));
        self.own.push(profile.clone());
    }

    /// Returns the new profile with which a file was read.
    pub(super) fn new_profile(&self, statements: &[Statement]) -> Option<NewProfile> {
        let name = statements.first()?.profile.as_ref()?;
        self.new.iter().map(|(new, _)| new).find(|new| new.name == *name).cloned()
    }
}
