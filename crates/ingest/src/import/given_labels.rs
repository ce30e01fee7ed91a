//! The own categories, tags and notes that files and rules give to transactions.

use passbook_matching::Step;
use passbook_matching::meaning::fixed_category;
use passbook_records::id;
use passbook_records::record::TAGS_MAX;
use tokio_postgres::Transaction;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::copy;
use super::stored::{Computed, Stored};
use crate::labels::Given;
use crate::load::{LoadError, from_database};

const CREATE: &str = include_str!("../../sql/import_create_labels.sql");
const NAME_CATEGORY: &str =
    "insert into pg_temp.named_categories values ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
const NAME_TAG: &str = "insert into pg_temp.named_tags select $1, $2, $3 \
    where not exists (select from pg_temp.named_tags where name = $1)";

/// Stores the labels of all transactions, after the transactions. `new` are the files that are imported now. Returns the number
/// of transactions whose given labels change.
pub(super) async fn store(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    stored: &Stored,
    computed: &Computed,
    new: &[Uuid],
) -> Result<u64, LoadError> {
    let any = transaction.query_one(include_str!("../../sql/import_labels_any.sql"), &[&user_id]).await?;
    if !stored.has_labels && !any.get::<_, bool>(0) && stored.rules.labelling().next().is_none() {
        return Ok(0);
    }
    transaction.batch_execute(CREATE).await?;
    copy_rows(transaction, stored, computed).await?;
    name_categories(transaction, user_id, stored, new).await?;
    let (rules, tags) = name_tags(transaction, user_id, stored, new).await?;
    transaction.batch_execute("analyze pg_temp.labelled_rows").await?;
    let tags_max = i64::try_from(TAGS_MAX).expect("a small number");
    let give = include_str!("../../sql/import_give_labels.sql");
    transaction.execute(give, &[&user_id, &rules, &tags, &tags_max]).await?;
    let given = Given::resolve(transaction, "pg_temp.given_labels").await?;
    let changed = given.count_changed("true").await?;
    given.store().await.map_err(|error| from_database(error, "labels"))?;
    Ok(changed)
}

/// Copies the transactions with their lines and rules. The fee of a line has no labels.
async fn copy_rows(
    transaction: &Transaction<'_>,
    stored: &Stored,
    computed: &Computed,
) -> Result<(), tokio_postgres::Error> {
    let mut writer = copy::begin(transaction, "labelled_rows").await?;
    for (row, of_row) in computed.resolution.rows.iter().zip(&computed.transactions.all) {
        if !of_row.is_stored {
            continue;
        }
        let (place, position) = stored.place(row.line);
        let position = Some(position).filter(|_| row.step != Step::Fee);
        let rule = stored.meanings[row.line as usize].meaning.own_rule.filter(|_| row.step != Step::Fee);
        let rule = rule.map(i32::from);
        // The columns of `import_create_labels.sql`.
        let values: [&(dyn ToSql + Sync); 5] = [&row.id, &place.file_id, &place.statement, &position, &rule];
        writer.as_mut().write(&values).await?;
    }
    writer.as_mut().finish().await?;
    Ok(())
}

/// Stores the own categories that lines and rules name.
async fn name_categories(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    stored: &Stored,
    new: &[Uuid],
) -> Result<(), LoadError> {
    let statement = transaction.prepare(NAME_CATEGORY).await?;
    let names = include_str!("../../sql/import_label_names.sql");
    let rows = transaction.query(names, &[&user_id, &new]).await?;
    let of_lines = rows.iter().map(|row| {
        let (category, cents): (&str, i64) = (row.get(2), row.get(3));
        let category = fixed_category(&stored.rules, category, cents);
        (None, row.get::<_, Option<&str>>(0), row.get::<_, &str>(1), category, cents, row.get(4))
    });
    let of_rules = stored.rules.labelling().filter_map(|(rule, action)| {
        let path = action.own_category.as_deref()?;
        let parts = path.split_once(": ").map(|(parent, name)| (Some(parent.trim()), name.trim()));
        let (parent, name) = parts.unwrap_or((None, path.trim()));
        let category = action.category.unwrap_or_else(|| fixed_category(&stored.rules, path, 0));
        Some((Some(i32::from(rule)), parent, name, category, 0, true))
    });
    for (rule, parent, name, category, cents, is_new) in of_lines.chain(of_rules) {
        let parent_id = parent.map(|parent| id::own_category(user_id, None, parent));
        let parent_category = parent.map(|parent| fixed_category(&stored.rules, parent, cents).as_str());
        let own_category_id = id::own_category(user_id, parent, name);
        let values: [&(dyn ToSql + Sync); 9] = [
            &user_id,
            &rule,
            &parent,
            &name,
            &parent_id,
            &own_category_id,
            &parent_category,
            &category.as_str(),
            &is_new,
        ];
        transaction.execute(&statement, &values).await?;
    }
    let store = include_str!("../../sql/import_store_own_categories.sql");
    transaction.batch_execute(store).await.map_err(|error| from_database(error, "own categories"))
}

/// Collects the tags that lines and rules name. Returns the tags of the rules, each with the number of its rule.
async fn name_tags(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    stored: &Stored,
    new: &[Uuid],
) -> Result<(Vec<i32>, Vec<String>), LoadError> {
    let pairs = stored.rules.labelling().flat_map(|(rule, action)| {
        action.tags.iter().map(move |tag| (i32::from(rule), tag.trim().to_owned()))
    });
    let (rules, tags): (Vec<i32>, Vec<String>) = pairs.unzip();
    let names = include_str!("../../sql/import_tag_names.sql");
    let rows = transaction.query(names, &[&user_id, &new]).await?;
    let of_lines = rows.iter().map(|row| (row.get::<_, &str>(0), row.get(1)));
    let statement = transaction.prepare(NAME_TAG).await?;
    for (name, is_new) in tags.iter().map(|tag| (tag.as_str(), true)).chain(of_lines) {
        transaction.execute(&statement, &[&name, &id::tag(user_id, name), &is_new]).await?;
    }
    Ok((rules, tags))
}
