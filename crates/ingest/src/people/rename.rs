//! Renaming of people.

use passbook_input::Fault;
use tokio_postgres::GenericClient;
use tokio_postgres::error::SqlState;
use uuid::Uuid;

use super::email::email_fault;
use crate::load::LoadError;

/// Changes the e-mail address of a person. The identifier does not change, nor do the identifiers that are derived from
/// it. Returns false if there is no such person.
///
/// # Errors
///
/// [`LoadError::Faults`] for an invalid address, and for the address of another person. After an error the transaction
/// cannot be continued.
pub async fn rename(client: &impl GenericClient, user_id: Uuid, email: &str) -> Result<bool, LoadError> {
    if let Some(fault) = email_fault(email) {
        return Err(LoadError::Faults(vec![fault]));
    }
    let statement = "update passbook.users set email = $2 where user_id = $1";
    match client.execute(statement, &[&user_id, &email]).await {
        Ok(renamed) => Ok(renamed == 1),
        Err(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => {
            let fault = Fault::new("email", "must not be the address of another user").received(email);
            Err(LoadError::Faults(vec![fault]))
        }
        Err(error) => Err(LoadError::Database(error)),
    }
}
