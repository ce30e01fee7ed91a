//! The twins fill every table of personal data, and every free text in it has their mark: a table or a column that is
//! added later is found here until they do.

use tests::app::App;
use tests::tenant_pair::Tenant;
use tokio_postgres::Client;

/// Columns whose texts are words of a closed list, or made by the database, and so have no place for a mark.
const WITHOUT_MARK: [&str; 12] = [
    "category",
    "currency",
    "direction",
    "kind",
    "last_four",
    "preferred_currency",
    "side",
    "status",
    "time_zone",
    "type",
    // Of a twin's own client, which the table names by its identifier.
    "client_id",
    // Derived from a text that has the mark.
    "merchant_key",
];

/// Every table of personal data, and the column that says whose a row is.
const TABLES: &str = "select c.relname::text, a.attname::text from pg_class as c \
     join pg_attribute as a on a.attrelid = c.oid and a.attname in ('user_id', 'owner_user_id') \
     where c.relnamespace = 'passbook'::regnamespace and c.relkind in ('r', 'p') order by 1";

/// The columns of a table that hold text which somebody wrote.
const TEXTS: &str = "select a.attname::text from pg_attribute as a \
     where a.attrelid = ('passbook.' || $1)::regclass and a.atttypid = 'text'::regtype and a.attgenerated = '' \
     and not a.attisdropped";

async fn count(superuser: &Client, query: &str) -> i64 {
    let row = superuser.query_one(query, &[]).await;
    row.unwrap_or_else(|error| panic!("{query}: {error:?}")).get(0)
}

#[tokio::test]
async fn every_personal_table_has_marked_rows_of_both_twins() {
    let app = App::start().await;
    let tenants = Tenant::pair();
    for tenant in &tenants {
        app.load(tenant.records()).await;
    }
    let superuser = app.database.connect("postgres").await;
    let tables = superuser.query(TABLES, &[]).await.expect("the catalogue answers");
    assert!(tables.len() > 15, "the tables are found");
    for row in &tables {
        let (table, owner): (&str, &str) = (row.get(0), row.get(1));
        let texts = superuser.query(TEXTS, &[&table]).await.expect("the catalogue answers");
        let mut counts = Vec::new();
        for tenant in &tenants {
            let own = format!(
                "select count(*) from passbook.{table} where {owner} = '{}'",
                tenant.household.user.user_id
            );
            let rows = count(&superuser, &own).await;
            assert!(rows > 0, "{table} has no row of {}", tenant.word);
            counts.push(rows);
            for column in texts.iter().map(|row| row.get::<_, &str>(0)) {
                let marked = format!("{own} and lower({column}) like '%{}%'", tenant.word);
                let has = count(&superuser, &marked).await > 0;
                assert!(
                    has || WITHOUT_MARK.contains(&column),
                    "{table}.{column} has no mark of {}",
                    tenant.word
                );
            }
        }
        assert_eq!(counts[0], counts[1], "{table}: the tenants have the same rows");
    }
}
