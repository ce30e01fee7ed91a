//! Own categories, tags and notes: those that sources give to transactions, and those that a person sets by hand.

use passbook_domain::category::Category;
use passbook_input::Fault;
use passbook_records::id;
use passbook_records::record::{NAME_CHARS_MAX, NOTE_CHARS_MAX, TAGS_MAX};
use serde::Serialize;
use tokio_postgres::types::ToSql;
use tokio_postgres::{GenericClient, Transaction};
use uuid::Uuid;

use crate::count;
use crate::load::{LoadError, from_database};

/// The labels that a source gives to the rows of a temporary table, with the columns `user_id`, `transaction_id`,
/// `own_category_id`, `note`, `tags` (names) and `tag_ids` (the identifiers that [`id::tag`] derives from the names).
///
/// Labels that the person set by hand stay.
pub(crate) struct Given<'a> {
    transaction: &'a Transaction<'a>,
    rows: &'static str,
    /// True if the source gives a label, or these people have labels.
    pub(crate) is_needed: bool,
}

impl<'a> Given<'a> {
    /// Adds the tags that are not stored, and replaces the column `tag_ids` by the identifiers of the stored tags.
    pub(crate) async fn resolve(
        transaction: &'a Transaction<'a>,
        rows: &'static str,
    ) -> Result<Given<'a>, tokio_postgres::Error> {
        let statement = include_str!("../sql/labels_any.sql").replace("pg_temp.given_rows", rows);
        let is_needed = transaction.query_one(&statement, &[]).await?.try_get(0)?;
        let given = Given { transaction, rows, is_needed };
        given.execute(include_str!("../sql/labels_resolve.sql")).await?;
        Ok(given)
    }

    /// Returns the number of rows whose labels change, among those that fulfil a condition on `staged`.
    pub(crate) async fn count_changed(&self, condition: &str) -> Result<u64, tokio_postgres::Error> {
        if !self.is_needed {
            return Ok(0);
        }
        let statement =
            include_str!("../sql/labels_count_changed.sql").replace("pg_temp.given_rows", self.rows);
        let counted = self.transaction.query_one(&format!("{statement} and {condition}"), &[]).await?;
        Ok(count(&counted, 0))
    }

    /// Stores the labels.
    pub(crate) async fn store(&self) -> Result<(), tokio_postgres::Error> {
        self.execute(include_str!("../sql/labels_store.sql")).await
    }

    async fn execute(&self, statements: &str) -> Result<(), tokio_postgres::Error> {
        if !self.is_needed {
            return Ok(());
        }
        self.transaction.batch_execute(&statements.replace("pg_temp.given_rows", self.rows)).await
    }
}

/// Moves what the person set by hand between the transactions of `pg_temp.label_moves`.
pub(crate) const MOVE: &str = include_str!("../sql/move_labels.sql");

/// A label of one transaction as the person states it. It wins over the sources, and outlives every import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByHand<T> {
    /// The label.
    Set(T),
    /// No label, whatever a source gives.
    Without,
    /// The labels that the source gives: takes the former statement back.
    AsGiven,
}

impl<T> ByHand<T> {
    /// Returns true for a statement, and the label that it states.
    fn columns(self) -> (bool, Option<T>) {
        match self {
            ByHand::Set(label) => (true, Some(label)),
            ByHand::Without => (true, None),
            ByHand::AsGiven => (false, None),
        }
    }
}

from_row! {
    /// An own category in a list.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct OwnCategory {
        /// The identifier, which a new name does not change.
        pub own_category_id: Uuid,
        /// The name.
        pub name: String,
        /// The fixed category for which it stands.
        pub category: String,
        /// The own category that contains it.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub parent_id: Option<Uuid>,
        /// The name of that category.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub parent: Option<String>,
        /// Number of its transactions, without those of categories that it contains.
        pub transactions: i64,
    }
}

from_row! {
    /// A tag in a list.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct Tag {
        /// The identifier, which a new name does not change.
        pub tag_id: Uuid,
        /// The name.
        pub name: String,
        /// Number of its transactions.
        pub transactions: i64,
    }
}

/// Returns the own categories of a person, each after the category that contains it.
pub async fn own_categories(
    client: &impl GenericClient,
    user_id: Uuid,
) -> Result<Vec<OwnCategory>, LoadError> {
    crate::select(client, include_str!("../sql/own_categories.sql"), &[&user_id]).await
}

/// Returns the tags of a person, by name.
pub async fn tags(client: &impl GenericClient, user_id: Uuid) -> Result<Vec<Tag>, LoadError> {
    crate::select(client, include_str!("../sql/tags.sql"), &[&user_id]).await
}

/// Stores a new own category, and returns its identifier.
///
/// # Errors
/// [`LoadError::Faults`]: a bad name, the name of another own category with the same parent, or a parent that has a parent.
pub async fn create_own_category(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    name: &str,
    category: Category,
    parent_id: Option<Uuid>,
) -> Result<Uuid, LoadError> {
    let name = checked("name", name, NAME_CHARS_MAX)?;
    let query = "select name::text from passbook.own_categories where user_id = $1 and own_category_id = $2";
    let parent = transaction.query_opt(query, &[&user_id, &parent_id]).await?;
    let parent_name = parent.as_ref().map(|parent| parent.get::<_, &str>(0));
    // A category that had this name before keeps the identifier that is derived from it.
    let statement = "insert into passbook.own_categories (user_id, own_category_id, name, category, parent_id)
        values ($1, case when exists (select from passbook.own_categories where user_id = $1 and own_category_id = $2)
          then gen_random_uuid() else $2 end, $3::text, $4, $5) returning own_category_id";
    let id = id::own_category(user_id, parent_name, name);
    let row = transaction
        .query_one(statement, &[&user_id, &id, &name, &category.as_str(), &parent_id])
        .await
        .map_err(label_fault)?;
    Ok(row.get(0))
}

/// The changes of an own category; `None` keeps the value.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnCategoryChange<'a> {
    /// The new name. Sources still lead to the category by its first name.
    pub name: Option<&'a str>,
    /// The new fixed category. It changes no transaction.
    pub category: Option<Category>,
    /// The new parent; `Some(None)` for none.
    pub parent_id: Option<Option<Uuid>>,
}

/// Changes an own category. Returns false if the person has no such category.
///
/// # Errors
/// The same as those of [`create_own_category`].
pub async fn change_own_category(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    own_category_id: Uuid,
    change: OwnCategoryChange<'_>,
) -> Result<bool, LoadError> {
    let name = change.name.map(|name| checked("name", name, NAME_CHARS_MAX)).transpose()?;
    let category = change.category.map(Category::as_str);
    let statement = "update passbook.own_categories
        set name = coalesce($3::text, name), category = coalesce($4, category),
          parent_id = case when $5 then $6 else parent_id end
        where user_id = $1 and own_category_id = $2";
    let (moves, parent) = (change.parent_id.is_some(), change.parent_id.flatten());
    let parameters: [&(dyn ToSql + Sync); 6] =
        [&user_id, &own_category_id, &name, &category, &moves, &parent];
    Ok(transaction.execute(statement, &parameters).await.map_err(label_fault)? > 0)
}

/// Deletes an own category. Its transactions then have none. Returns false if the person has no such category.
///
/// # Errors
/// [`LoadError::Faults`] if it contains other own categories.
pub async fn delete_own_category(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    own_category_id: Uuid,
) -> Result<bool, LoadError> {
    let statement = "delete from passbook.own_categories where user_id = $1 and own_category_id = $2";
    Ok(transaction.execute(statement, &[&user_id, &own_category_id]).await.map_err(label_fault)? > 0)
}

/// Returns the tag with a name, which is stored if it is not yet.
///
/// # Errors
/// [`LoadError::Faults`] for a bad name.
pub async fn create_tag(transaction: &Transaction<'_>, user_id: Uuid, name: &str) -> Result<Uuid, LoadError> {
    let name = checked("name", name, NAME_CHARS_MAX)?;
    let statement = include_str!("../sql/create_tag.sql");
    let row = transaction.query_one(statement, &[&user_id, &id::tag(user_id, name), &name]).await?;
    Ok(row.get(0))
}

/// Gives a tag another name. Returns false if the person has no such tag.
///
/// # Errors
/// [`LoadError::Faults`]: a bad name, or the name of another tag.
pub async fn rename_tag(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    tag_id: Uuid,
    name: &str,
) -> Result<bool, LoadError> {
    let name = checked("name", name, NAME_CHARS_MAX)?;
    let statement = "update passbook.tags set name = $3::text where user_id = $1 and tag_id = $2";
    Ok(transaction.execute(statement, &[&user_id, &tag_id, &name]).await.map_err(label_fault)? > 0)
}

/// Deletes a tag, also from all transactions. Returns false if the person has no such tag.
pub async fn delete_tag(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    tag_id: Uuid,
) -> Result<bool, LoadError> {
    let statement = "delete from passbook.tags where user_id = $1 and tag_id = $2";
    Ok(transaction.execute(statement, &[&user_id, &tag_id]).await? > 0)
}

/// States the own category of a transaction by hand. Returns false if the person has no such transaction.
pub async fn set_own_category(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    transaction_id: Uuid,
    own_category: ByHand<Uuid>,
) -> Result<bool, LoadError> {
    let (by_hand, id) = own_category.columns();
    let statement = "insert into passbook.transaction_labels
          (user_id, transaction_id, is_own_category_by_hand, own_category_id)
        select t.user_id, t.transaction_id, $3, $4 from passbook.transactions as t
        where t.user_id = $1 and t.transaction_id = $2
        on conflict (user_id, transaction_id) do update
        set is_own_category_by_hand = excluded.is_own_category_by_hand, own_category_id = excluded.own_category_id";
    let stored = transaction.execute(statement, &[&user_id, &transaction_id, &by_hand, &id]).await;
    Ok(stored.map_err(label_fault)? > 0)
}

/// States the note of a transaction by hand. Returns false if the person has no such transaction.
///
/// # Errors
/// [`LoadError::Faults`] for a blank or too long note.
pub async fn set_note(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    transaction_id: Uuid,
    note: ByHand<&str>,
) -> Result<bool, LoadError> {
    let (by_hand, note) = note.columns();
    let note = note.map(|note| checked("note", note, NOTE_CHARS_MAX)).transpose()?;
    let statement = "insert into passbook.transaction_labels (user_id, transaction_id, is_note_by_hand, note)
        select t.user_id, t.transaction_id, $3, $4::text from passbook.transactions as t
        where t.user_id = $1 and t.transaction_id = $2
        on conflict (user_id, transaction_id) do update
        set is_note_by_hand = excluded.is_note_by_hand, note = excluded.note";
    let stored = transaction.execute(statement, &[&user_id, &transaction_id, &by_hand, &note]).await;
    Ok(stored.map_err(label_fault)? > 0)
}

/// Adds a tag to a transaction by hand, or removes it. Returns false if the person has no such transaction.
///
/// # Errors
/// [`LoadError::Faults`] if the transaction would have more than [`TAGS_MAX`] tags.
pub async fn set_tag(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    transaction_id: Uuid,
    tag_id: Uuid,
    is_added: bool,
) -> Result<bool, LoadError> {
    let query = "select cardinality(array_remove(tag_ids, $3)) from passbook.transactions
        where user_id = $1 and transaction_id = $2 for no key update";
    let Some(row) = transaction.query_opt(query, &[&user_id, &transaction_id, &tag_id]).await? else {
        return Ok(false);
    };
    let others = row.get::<_, Option<i32>>(0).unwrap_or(0);
    if is_added && usize::try_from(others).is_ok_and(|others| others >= TAGS_MAX) {
        let rule = format!("must not be added to a transaction that has {TAGS_MAX} tags");
        return Err(LoadError::Faults(vec![Fault::new("tag", rule)]));
    }
    let statement =
        "insert into passbook.transaction_tags (user_id, transaction_id, tag_id, is_given, by_hand)
        values ($1, $2, $3, false, $4)
        on conflict (user_id, transaction_id, tag_id) do update set by_hand = excluded.by_hand";
    let parameters: [&(dyn ToSql + Sync); 4] = [&user_id, &transaction_id, &tag_id, &is_added];
    transaction.execute(statement, &parameters).await.map_err(label_fault)?;
    Ok(true)
}

/// Returns the text without spaces around it.
fn checked<'a>(field: &str, text: &'a str, chars_max: usize) -> Result<&'a str, LoadError> {
    let trimmed = text.trim();
    let is_good =
        !trimmed.is_empty() && trimmed.chars().count() <= chars_max && !trimmed.chars().any(char::is_control);
    if is_good {
        return Ok(trimmed);
    }
    let rule =
        format!("must be text of 1 to {chars_max} characters, not blank and without control characters");
    Err(LoadError::Faults(vec![Fault::new(field, rule).received(format!("{text:?}"))]))
}

/// Converts the error of a broken constraint of own categories or tags.
fn label_fault(error: tokio_postgres::Error) -> LoadError {
    let (field, rule) = match error.as_db_error().and_then(|error| error.constraint()) {
        Some("own_categories_user_id_parent_id_search_name_key") => {
            ("name", "must not be the name of another own category with the same parent")
        }
        Some("tags_user_id_search_name_key") => ("name", "must not be the name of another tag"),
        Some("own_categories_user_id_parent_id_parent_has_parent_fkey") => (
            "parent",
            "must be an own category without a parent, and a category that contains others has none",
        ),
        _ => return from_database(error, "labels"),
    };
    LoadError::Faults(vec![Fault::new(field, rule)])
}
