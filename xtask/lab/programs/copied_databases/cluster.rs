//! A PostgreSQL cluster for one copy of the database.

use std::path::Path;

use passbook_demo::USER_ID;
use passbook_embedded::{Embedded, SUPERUSER};
use tests::app::{TODAY, create_token};
use tokio_postgres::{Client, NoTls};

/// Name of the database in every cluster.
pub(super) const DATABASE: &str = "passbook";

/// A PostgreSQL cluster with the programs of one version.
pub(super) struct Cluster {
    pub(super) server: Embedded,
}

impl Cluster {
    pub(super) async fn start(folder: &Path, programs: &Path) -> Cluster {
        let config = passbook_embedded::EmbeddedConfig {
            data_dir: folder.to_owned(),
            postgres_bin: Some(programs.to_owned()),
            search_path: None,
            download: false,
            durable: false,
        };
        Cluster { server: Embedded::start(config).await.expect("the cluster starts") }
    }

    pub(super) async fn connect(&self, role: &str, database: &str) -> Client {
        let address = self.server.address();
        let (client, connection) =
            address.connect(role, database).connect(NoTls).await.expect("the role may log in");
        tokio::spawn(connection);
        client
    }

    /// Returns the URL of a database for the superuser.
    pub(super) fn url(&self, database: &str) -> String {
        let address = self.server.address();
        let folder = address.socket_dir.to_string_lossy().replace('/', "%2F");
        format!("postgresql://{SUPERUSER}@{folder}:{}/{database}", address.port)
    }

    /// Returns the major version of the server.
    pub(super) async fn version(&self) -> String {
        let client = self.connect(SUPERUSER, "postgres").await;
        let row = client.query_one("show server_version", &[]).await.expect("the version is shown");
        row.get::<_, String>(0).split(['.', ' ']).next().expect("a number").to_owned()
    }
}

/// Fills the cluster with the demo household of [`TODAY`]. Returns a token of the household.
pub(super) async fn fill(cluster: &Cluster) -> String {
    passbook_embedded::ensure_database(cluster.server.address(), DATABASE)
        .await
        .expect("the database is created");
    let mut superuser = cluster.connect(SUPERUSER, DATABASE).await;
    passbook_schema::migrate(&mut superuser).await.expect("the database is migrated");
    passbook_schema::allow_local_logins(&superuser).await.expect("the roles may log in");
    let mut writer = cluster.connect(passbook_schema::WRITER, DATABASE).await;
    passbook_demo::install(&mut writer, TODAY).await.expect("the household is stored");
    create_token(&writer, USER_ID).await.0
}
