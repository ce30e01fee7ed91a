//! A database per test: a copy of a migrated template, in a PostgreSQL cluster that lives as long as the test run.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use passbook_embedded::{Address, Embedded};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_postgres::config::Host;
use tokio_postgres::{Client, NoTls};

use crate::postgres_programs;

/// The cluster of this test run, with a template database named by the SHA-256 of the schema.
static CLUSTER: LazyLock<Cluster> = LazyLock::new(Cluster::start);
static DATABASES: AtomicUsize = AtomicUsize::new(0);

/// The environment variable of a test run whose transactions are partitioned, which is a step of `cargo xtask ci`.
const PARTITIONED: &str = "PASSBOOK_TEST_PARTITIONED";
/// Number of unused databases, of 10 MB each, from which on they are removed.
const UNUSED_MAX: usize = 60;
/// Maximum number of times that a database is vacuumed.
const VACUUMS_MAX: usize = 20;
const END_AUTOVACUUM: &str = "select pg_terminate_backend(pid, 5000) from pg_stat_activity \
    where datname = current_database() and backend_type = 'autovacuum worker'";
const ALL_VISIBLE: &str = "select bool_and(relallvisible >= relpages) from pg_class \
    where relnamespace = 'passbook'::regnamespace and relkind = 'r'";

const TABLES: &str = "select c.relname::text, exists (select from pg_attribute as a \
    where a.attrelid = c.oid and a.attname = 'user_id' and not a.attisdropped) from pg_class as c \
    where c.relnamespace = 'passbook'::regnamespace and c.relkind in ('r', 'p') order by 1";

/// The databases of the parameter that have sessions.
const USED: &str = "select distinct datname::text from pg_stat_activity where datname = any($1)";

struct Cluster {
    address: Address,
    /// A session of the superuser in the database `postgres`.
    superuser: Client,
    template: String,
    /// Names of databases that no test uses any more.
    unused: UnboundedSender<String>,
}

/// A database for one test. It is removed after the last clone is dropped and the last connection is closed.
#[derive(Clone, Debug)]
pub struct Database {
    address: Address,
    name: String,
    _removal: Arc<Removal>,
}

/// Removes a database when the value is dropped.
#[derive(Debug)]
struct Removal(String);

impl Drop for Removal {
    fn drop(&mut self) {
        // At the end of the test run the cluster may have ended already.
        let _ = CLUSTER.unused.send(self.0.clone());
    }
}

impl Database {
    /// Creates a migrated, empty database.
    pub async fn fresh() -> Database {
        let database = Database::named("test");
        let create =
            format!("create database {} template {} strategy file_copy", database.name, CLUSTER.template);
        execute(&CLUSTER.superuser, &create).await;
        // The rights on a database are not copied.
        let rights = format!(
            "revoke temporary on database {0} from public; grant temporary on database {0} to passbook_writer",
            database.name
        );
        execute(&CLUSTER.superuser, &rights).await;
        database
    }

    /// Creates a database without any schema.
    pub async fn bare() -> Database {
        let database = Database::named("bare");
        execute(&CLUSTER.superuser, &format!("create database {}", database.name)).await;
        database
    }

    fn named(kind: &str) -> Database {
        let name = format!("{kind}_{}", DATABASES.fetch_add(1, Ordering::Relaxed));
        Database { address: CLUSTER.address.clone(), _removal: Arc::new(Removal(name.clone())), name }
    }

    /// Returns connection settings for a role: `passbook_reader`, `passbook_writer`, or the superuser `postgres`.
    pub fn configuration(&self, role: &str) -> tokio_postgres::Config {
        self.address.connect(role, &self.name)
    }

    /// Connects to the database as a role.
    pub async fn connect(&self, role: &str) -> Client {
        connect(&self.configuration(role)).await
    }

    /// Makes the statistics current, and all rows visible to index-only scans. A worker of autovacuum that reads the
    /// database at the same time would keep rows from becoming visible, so it is ended.
    pub async fn vacuum(&self) {
        let superuser = self.connect("postgres").await;
        // Only rows whose commit is on disk become visible.
        superuser.batch_execute("checkpoint").await.expect("the commits are on disk");
        for _ in 0..VACUUMS_MAX {
            superuser.batch_execute(END_AUTOVACUUM).await.expect("no worker reads the database");
            superuser.batch_execute("vacuum analyze").await.expect("the statistics are current");
            if superuser.query_one(ALL_VISIBLE, &[]).await.expect("the pages are counted").get(0) {
                return;
            }
        }
        panic!("after {VACUUMS_MAX} times, rows are still not visible to index-only scans");
    }

    /// Returns the connection URL for a role, for programs that take a URL.
    pub fn url(&self, role: &str) -> String {
        url(&self.configuration(role))
    }

    /// Renames the database. If `away` is true, it becomes unavailable; otherwise it gets its name back. Every
    /// connection to the database is closed.
    pub async fn rename_away(&self, away: bool) {
        let (from, to) = if away {
            (self.name.clone(), format!("{}_away", self.name))
        } else {
            (format!("{}_away", self.name), self.name.clone())
        };
        let end = format!("select pg_terminate_backend(pid) from pg_stat_activity where datname = '{from}'");
        let lock = format!("alter database {from} allow_connections {}", if away { "false" } else { "true" });
        execute(&CLUSTER.superuser, &lock).await;
        execute(&CLUSTER.superuser, &end).await;
        execute(&CLUSTER.superuser, &format!("alter database {from} rename to {to}")).await;
    }
}

/// Returns connection settings as a URL.
pub fn url(config: &tokio_postgres::Config) -> String {
    let [Host::Unix(folder)] = config.get_hosts() else { panic!("tests connect through one Unix socket") };
    let (folder, port) = (folder.to_string_lossy().replace('/', "%2F"), config.get_ports()[0]);
    let (role, name) = (config.get_user().expect("a role"), config.get_dbname().expect("a database"));
    format!("postgresql://{role}@{folder}:{port}/{name}")
}

/// Runs statements, which must succeed.
pub async fn execute(client: &Client, statements: &str) {
    let ran = client.batch_execute(statements).await;
    ran.unwrap_or_else(|error| panic!("{statements}: {error:?}"));
}

/// Returns the first value of the only row that a query returns.
pub async fn one<T: tokio_postgres::types::FromSqlOwned>(client: &Client, query: &str) -> T {
    client.query_one(query, &[]).await.unwrap_or_else(|error| panic!("{query}: {error:?}")).get(0)
}

/// Returns the tables of the schema by name, and true for those of personal data, which have a column `user_id`.
pub async fn tables(superuser: &Client) -> Vec<(String, bool)> {
    let rows = superuser.query(TABLES, &[]).await.expect("the tables are read");
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

impl Cluster {
    /// Starts the cluster on a thread of its own: the Tokio runtime of a test ends with the test, but the cluster must
    /// not.
    fn start() -> Cluster {
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
            runtime.expect("a runtime").block_on(async move {
                let server = start_server().await;
                let address = server.address().clone();
                let template = prepare_template(&address).await;
                let superuser = connect(&address.connect(passbook_embedded::SUPERUSER, "postgres")).await;
                let (unused, names) = unbounded_channel();
                let remove = remove_unused(address.clone(), names);
                let cluster = Cluster { address, superuser, template, unused };
                sender.send(cluster).expect("a test waits for the cluster");
                // The supervisor process stops the server when this process ends.
                remove.await;
                drop(server);
            });
        });
        receiver.recv().expect("PostgreSQL for the tests starts; on failure its error is printed above")
    }
}

/// Removes the databases with the received names. One that still has connections is removed later.
async fn remove_unused(address: Address, mut names: UnboundedReceiver<String>) {
    let client = connect(&address.connect(passbook_embedded::SUPERUSER, "postgres")).await;
    let mut unused = Vec::new();
    while let Some(name) = names.recv().await {
        unused.push(name);
        if unused.len() < UNUSED_MAX {
            continue;
        }
        let used = client.query(USED, &[&unused]).await.expect("the sessions are listed");
        let used: Vec<String> = used.iter().map(|row| row.get(0)).collect();
        for name in unused.extract_if(.., |name| !used.contains(name)) {
            // A session may begin at this moment, for example that of a program which ends. The database then stays.
            let _ = client.batch_execute(&format!("drop database if exists {name}")).await;
        }
    }
}

async fn start_server() -> Embedded {
    let config = postgres_programs::config(crate::temporary::cluster());
    Embedded::start(config).await.expect("PostgreSQL for the tests starts")
}

async fn prepare_template(address: &Address) -> String {
    let template = format!("template_{}", &passbook_schema::latest_sha256()[..16]);
    passbook_embedded::ensure_database(address, &template).await.expect("the template database is made");
    let mut client = connect(&address.connect(passbook_embedded::SUPERUSER, &template)).await;
    if std::env::var_os(PARTITIONED).is_some() {
        create_partitioned(&client).await;
    } else {
        passbook_schema::migrate(&mut client).await.expect("the template is migrated");
    }
    passbook_schema::allow_local_logins(&client).await.expect("the roles may log in");
    template
}

/// Creates the schema with the transactions in four hash partitions, as an operator may store them.
async fn create_partitioned(client: &Client) {
    let schema = passbook_schema::MIGRATIONS[0].sql;
    let (before, table) = schema.split_once("create table passbook.transactions (").expect("the table");
    let (columns, after) = table.split_once("\n);\n").expect("the end of the table");
    let partitions: String = (0..4)
        .map(|number| {
            format!(
                "create table passbook.transactions_{number} partition of passbook.transactions \
                 for values with (modulus 4, remainder {number});\n"
            )
        })
        .collect();
    let statements = format!(
        "begin; {before} create table passbook.transactions ({columns}\n) partition by hash (user_id);\n\
         {partitions} {after}; commit"
    );
    client.batch_execute(&statements).await.expect("the schema is created");
}

/// Connects without TLS.
pub async fn connect(config: &tokio_postgres::Config) -> Client {
    let (client, connection) = config.connect(NoTls).await.expect("the server accepts connections");
    tokio::spawn(connection);
    client
}
