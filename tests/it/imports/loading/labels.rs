//! Own categories, tags and notes: what a person sets by hand wins over loads, and outlives them.

use passbook_domain::category::{Category, ExpenseCategory};
use passbook_ingest::labels::{self, ByHand, OwnCategoryChange};
use passbook_ingest::load::LoadError;
use passbook_records::id::derive;
use serde_json::{Value, json};
use tests::database::{Database, one};
use tokio_postgres::Client;
use uuid::Uuid;

use super::{counts_of, example, loaded};

/// Own category, tags and note of each row of the example that has any, as `Household > Breakfast, work, …`.
const LABELS: &str = "select string_agg(concat_ws(', ', parent.name || ' > ' || own.name, tags.names, t.note), '; ' \
       order by t.transaction_id) \
     from passbook.transactions as t \
     left join passbook.own_categories as own on own.own_category_id = t.own_category_id \
     left join passbook.own_categories as parent on parent.own_category_id = own.parent_id \
     cross join lateral ( \
       select string_agg(name, ', ' order by name) as names from passbook.tags where tag_id = any (t.tag_ids)) as tags \
     where coalesce(own.name, tags.names, t.note) is not null";

async fn labels_of_rows(client: &Client) -> String {
    one(client, &format!("select coalesce(({LABELS}), '')")).await
}

fn faults<T: std::fmt::Debug>(result: Result<T, LoadError>) -> String {
    match result {
        Err(LoadError::Faults(faults)) => faults.iter().map(ToString::to_string).collect(),
        other => panic!("{other:?}"),
    }
}

/// The example without the row with labels and its refund, which it deletes if `deletes`.
fn without_row(deletes: bool) -> Value {
    let mut bundle = example();
    let rows = bundle["transactions"].as_array_mut().expect("a list");
    rows.retain(|row| row["id"] == "t-3");
    if deletes {
        let user = bundle["users"][0]["id"].clone();
        let key = |id: &str| json!({ "user": user, "id": id });
        bundle["deleted"] = json!({ "transactions": [key("t-1"), key("t-2")] });
    }
    bundle
}

#[tokio::test]
async fn labels_set_by_hand_win_over_loads_and_outlive_the_row() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    loaded(&mut client, &example()).await;
    let given = "Household > Breakfast, Lyon 2026, work, With Grace, before the train";
    assert_eq!(labels_of_rows(&client).await, given);
    let user: Uuid = example()["users"][0]["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
    let row = derive(user, "transaction", "t-2");
    let work = labels::tags(&client, user).await.expect("the tags")[1].tag_id;

    let change = client.transaction().await.expect("a transaction");
    let food = Category::Expense(ExpenseCategory::Groceries);
    let own = labels::own_categories(&change, user).await.expect("the own categories");
    let parent = own.iter().find(|own| own.name == "Household").expect("the parent").own_category_id;
    let lunch = labels::create_own_category(&change, user, " Lunch ", food, Some(parent)).await;
    let lunch = lunch.expect("a new own category");
    assert!(labels::set_own_category(&change, user, row, ByHand::Set(lunch)).await.expect("set"));
    assert!(labels::set_note(&change, user, row, ByHand::Without).await.expect("removed"));
    assert!(labels::set_tag(&change, user, row, work, false).await.expect("removed"));
    let trip = labels::create_tag(&change, user, "trip").await.expect("a tag");
    assert_eq!(labels::create_tag(&change, user, " TRIP ").await.expect("the same tag"), trip);
    assert!(labels::set_tag(&change, user, row, trip, true).await.expect("added"));
    assert!(!labels::set_tag(&change, user, user, trip, true).await.expect("no such transaction"));
    change.commit().await.expect("the changes are stored");

    let by_hand = "Household > Lunch, Lyon 2026, trip";
    for (bundle, expected) in
        [(example(), by_hand), (without_row(true), ""), (without_row(false), ""), (example(), by_hand)]
    {
        loaded(&mut client, &bundle).await;
        assert_eq!(labels_of_rows(&client).await, expected);
    }
    let mut changed = example();
    changed["transactions"].as_array_mut().expect("a list").iter_mut().for_each(|row| {
        if row["id"] == "t-2" {
            (row["note"], row["tags"]) = (json!("Other"), json!(["Lyon 2026"]));
        }
    });
    let summary = loaded(&mut client, &changed).await;
    assert_eq!(counts_of(&summary, "transactions").1, 1, "a row with other labels is a changed row");
    assert_eq!(labels_of_rows(&client).await, by_hand);

    let change = client.transaction().await.expect("a transaction");
    labels::set_own_category(&change, user, row, ByHand::AsGiven).await.expect("taken back");
    labels::set_note(&change, user, row, ByHand::AsGiven).await.expect("taken back");
    assert!(labels::delete_tag(&change, user, trip).await.expect("deleted"));
    change.commit().await.expect("the changes are stored");
    assert_eq!(labels_of_rows(&client).await, "Household > Breakfast, Lyon 2026, Other");
}

#[tokio::test]
async fn labels_set_by_hand_go_from_a_pending_row_to_its_posted_one() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let mut bundle = example();
    bundle["transactions"][1]["pending"] = json!(true);
    loaded(&mut client, &bundle).await;
    let given = labels_of_rows(&client).await;
    let user: Uuid = example()["users"][0]["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
    let row = derive(user, "transaction", "t-2");
    let change = client.transaction().await.expect("a transaction");
    assert!(labels::set_note(&change, user, row, ByHand::Set("mine")).await.expect("set"));
    let trip = labels::create_tag(&change, user, "trip").await.expect("a tag");
    assert!(labels::set_tag(&change, user, row, trip, true).await.expect("added"));
    change.commit().await.expect("the changes are stored");

    let mut posted = bundle["transactions"][1].clone();
    for member in ["own_category", "tags", "note"] {
        posted.as_object_mut().expect("an object").remove(member);
    }
    (posted["id"], posted["pending"]) = (json!("t-4"), json!(false));
    posted["linked_transaction"] = json!("t-2");
    bundle["transactions"].as_array_mut().expect("a list").push(posted);
    for changed in [true, false] {
        let summary = loaded(&mut client, &bundle).await;
        assert_eq!(counts_of(&summary, "transactions").0 == 1, changed);
        let labels = labels_of_rows(&client).await;
        assert!(labels.split("; ").any(|one| one == "trip, mine"), "{labels}");
        assert!(labels.split("; ").any(|one| one == given), "{labels}");
    }
}

#[tokio::test]
async fn new_name_changes_no_row_and_outlives_loads() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    loaded(&mut client, &example()).await;
    let user: Uuid = example()["users"][0]["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
    let version = format!("select data_version from passbook.users where user_id = '{user}'");
    let before: i64 = one(&client, &version).await;
    let own = labels::own_categories(&client, user).await.expect("the own categories");
    let (parent, breakfast) = (&own[0], &own[1]);
    assert_eq!((breakfast.parent_id, breakfast.transactions), (Some(parent.own_category_id), 1));
    let work = labels::tags(&client, user).await.expect("the tags")[1].tag_id;

    let change = client.transaction().await.expect("a transaction");
    let name = OwnCategoryChange { name: Some("Mornings"), ..OwnCategoryChange::default() };
    let renamed = labels::change_own_category(&change, user, breakfast.own_category_id, name).await;
    assert!(renamed.expect("renamed"));
    assert!(labels::rename_tag(&change, user, work, "office").await.expect("renamed"));
    change.commit().await.expect("the changes are stored");
    assert_eq!(one::<i64>(&client, &version).await, before);
    loaded(&mut client, &example()).await;
    let renamed = "Household > Mornings, Lyon 2026, office, With Grace, before the train";
    assert_eq!(labels_of_rows(&client).await, renamed);

    let change = client.transaction().await.expect("a transaction");
    assert!(faults(labels::rename_tag(&change, user, work, " ").await).starts_with("name: must be text"));
    let groceries = Category::Expense(ExpenseCategory::Groceries);
    let third_level =
        labels::create_own_category(&change, user, "Third", groceries, Some(breakfast.own_category_id)).await;
    assert!(faults(third_level).starts_with("parent: must be an own category without a parent"));
    change.rollback().await.expect("nothing is stored");
    let change = client.transaction().await.expect("a transaction");
    let same = labels::create_own_category(&change, user, "HOUSEHOLD", groceries, None).await;
    assert!(faults(same).starts_with("name: must not be the name of another own category"));
    change.rollback().await.expect("nothing is stored");
    let change = client.transaction().await.expect("a transaction");
    let filled = labels::delete_own_category(&change, user, parent.own_category_id).await;
    assert!(faults(filled).starts_with("parent: "), "it contains another one");
    change.rollback().await.expect("nothing is stored");
    let change = client.transaction().await.expect("a transaction");
    let row = derive(user, "transaction", "t-2");
    let long = "x".repeat(501);
    assert!(
        faults(labels::set_note(&change, user, row, ByHand::Set(&long)).await).starts_with("note: must be")
    );
    for number in 0..18 {
        let tag = labels::create_tag(&change, user, &format!("tag {number}")).await.expect("a tag");
        labels::set_tag(&change, user, row, tag, true).await.expect("added");
    }
    let tag = labels::create_tag(&change, user, "one too many").await.expect("a tag");
    let rule = faults(labels::set_tag(&change, user, row, tag, true).await);
    assert_eq!(rule, "tag: must not be added to a transaction that has 20 tags");
    assert!(labels::delete_own_category(&change, user, breakfast.own_category_id).await.expect("deleted"));
    change.commit().await.expect("the changes are stored");
    assert!(!labels_of_rows(&client).await.contains("Mornings"));
    let mut changed = example();
    changed["transactions"][1]["tags"] = (0..20).map(|number| format!("given {number}")).collect();
    loaded(&mut client, &changed).await;
    let found = labels_of_rows(&client).await;
    assert!((0..18).all(|number| found.contains(&format!("tag {number}, "))), "set by hand: {found}");
    assert_eq!(found.matches("given ").count(), 2, "20 tags count: {found}");
}
