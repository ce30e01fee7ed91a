//! The tenant pair fills every table of personal data, and every free-text column has the tenant's mark. A table or
//! column that is added later fails here until the fixture fills it.

use tests::app::App;
use tests::tenant_pair::Tenant;
use tokio_postgres::Client;

/// Text columns without a mark: their values are from a closed list or made by the database.
const WITHOUT_MARK: [&str; 17] = [
    "category",
    "category_kind",
    "currency",
    "kind",
    "last_four",
    "measure",
    "original_currency",
    "preferred_currency",
    "side",
    "status",
    "time_zone",
    "type",
    "unconverted_currency",
    // The identifier of a tenant's own client, which contains the mark in the table of clients.
    "client_id",
    // Derived from a text that has the mark.
    "merchant_key",
    "refunded_category",
    // The span of a total: day, month, year or all.
    "period",
];

/// Every table of personal data, with the column that names the owner of a row.
const TABLES: &str = "select c.relname::text, a.attname::text from pg_class as c \
     join pg_attribute as a on a.attrelid = c.oid and a.attname = 'user_id' \
     where c.relnamespace = 'passbook'::regnamespace and c.relkind in ('r', 'p') order by 1";

/// The text columns of a table that are not generated.
const TEXTS: &str = "select a.attname::text from pg_attribute as a \
     where a.attrelid = ('passbook.' || $1)::regclass and a.atttypid = 'text'::regtype and a.attgenerated = '' \
     and not a.attisdropped";

async fn count(superuser: &Client, query: &str) -> i64 {
    let row = superuser.query_one(query, &[]).await;
    row.unwrap_or_else(|error| panic!("{query}: {error:?}")).get(0)
}

#[tokio::test]
async fn fixture_fills_every_personal_table_for_both_tenants() {
    let app = App::start().await;
    let tenants = Tenant::pair();
    for tenant in &tenants {
        app.load(tenant.records()).await;
        app.write(&tenant.import_rows()).await;
    }
    let superuser = app.database.connect("postgres").await;
    let tables = superuser.query(TABLES, &[]).await.expect("the tables are read");
    assert!(tables.len() > 15, "the query must find all tables");
    for row in &tables {
        let (table, owner): (&str, &str) = (row.get(0), row.get(1));
        let texts = superuser.query(TEXTS, &[&table]).await.expect("the columns are read");
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
