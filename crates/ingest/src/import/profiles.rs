//! The profiles of a person for CSV files of banks that Passbook does not know. Their text is not read here.

use passbook_input::Fault;
use tokio_postgres::{GenericClient, Transaction};
use uuid::Uuid;

use crate::load::LoadError;

/// Maximum number of profiles of a person.
const PROFILES_MAX: i64 = 200;
/// Maximum length of a name, in bytes.
const NAME_BYTES_MAX: usize = 200;
/// Maximum size of a profile, in bytes.
const PROFILE_BYTES_MAX: usize = 64 * 1024;

from_row! {
    /// A stored profile.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct OwnProfile {
        /// The name, unique for a person.
        pub name: String,
        /// The profile (TOML).
        pub profile: String,
        /// Number of the imported files that were read with a profile of this name.
        pub files: i64,
    }
}

/// A profile to store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewProfile {
    /// The name.
    pub name: String,
    /// The profile (TOML).
    pub text: String,
}

/// Returns the profiles of a person, by name.
pub async fn own_profiles(client: &impl GenericClient, user_id: Uuid) -> Result<Vec<OwnProfile>, LoadError> {
    let statement = "select name, profile, (select count(*) from passbook.import_files as files \
                     where files.user_id = profiles.user_id and files.profile = profiles.name) as files \
                     from passbook.csv_profiles as profiles where user_id = $1 order by name collate \"C\"";
    crate::select(client, statement, &[&user_id]).await
}

/// Stores a profile. Returns false if the person has one of this name.
///
/// # Errors
/// [`LoadError::Faults`]: the profile is too large, or the person has too many.
pub async fn create_profile(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    new: &NewProfile,
) -> Result<bool, LoadError> {
    let fault = |rule: String| Err(LoadError::Faults(vec![Fault::new("profile", rule).received(&new.name)]));
    if new.text.len() > PROFILE_BYTES_MAX {
        return fault(format!("must be at most {PROFILE_BYTES_MAX} bytes"));
    }
    if new.name.len() > NAME_BYTES_MAX {
        return fault(format!("must have a name of at most {NAME_BYTES_MAX} bytes"));
    }
    let statement = "insert into passbook.csv_profiles (user_id, name, profile) values ($1, $2, $3) on conflict do nothing";
    let stored = transaction.execute(statement, &[&user_id, &new.name, &new.text]).await?;
    let statement = "select count(*) from passbook.csv_profiles where user_id = $1";
    let count: i64 = transaction.query_one(statement, &[&user_id]).await?.try_get(0)?;
    if count > PROFILES_MAX {
        return fault(format!("must be one of at most {PROFILES_MAX} profiles of a user"));
    }
    Ok(stored == 1)
}

/// Deletes a profile. Returns false if the person has none of this name. Imported files stay as they were read.
pub async fn delete_profile(
    client: &impl GenericClient,
    user_id: Uuid,
    name: &str,
) -> Result<bool, LoadError> {
    let statement = "delete from passbook.csv_profiles where user_id = $1 and name = $2";
    Ok(client.execute(statement, &[&user_id, &name]).await? == 1)
}
