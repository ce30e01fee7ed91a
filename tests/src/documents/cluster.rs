//! A PostgreSQL cluster for documents that create roles and databases.

use passbook_embedded::{Address, Embedded};
use tokio_postgres::Client;

use super::Block;
use crate::database::connect;
use crate::postgres_programs;
use crate::temporary::Folder;

/// A PostgreSQL cluster without Passbook roles or databases.
#[derive(Debug)]
pub struct Cluster {
    /// The folder in which the commands of a document run.
    pub folder: Folder,
    embedded: Embedded,
}

impl Cluster {
    /// Starts a cluster.
    pub async fn start() -> Cluster {
        let folder = Folder::create();
        let config = postgres_programs::config(folder.path().join("cluster"));
        let embedded = Embedded::start(config).await.expect("PostgreSQL starts");
        Cluster { folder, embedded }
    }

    /// Returns the address of the server.
    pub fn address(&self) -> &Address {
        self.embedded.address()
    }

    /// Connects as a role.
    pub async fn connect(&self, role: &str, database: &str) -> Client {
        connect(&self.address().connect(role, database)).await
    }

    /// Runs the statements of a block one by one, as psql does.
    pub async fn run(&self, block: &Block<'_>, role: &str, database: &str) {
        let client = self.connect(role, database).await;
        for statement in block.text.split_inclusive(";\n") {
            let ran = client.batch_execute(statement).await;
            ran.unwrap_or_else(|error| panic!("{}: {statement}: {error:?}", block.place()));
        }
    }

    /// The commands of a block with the address of this cluster in place of the documented address.
    pub fn here(&self, block: &Block<'_>) -> String {
        let folder = self.address().socket_dir.to_string_lossy().replace('/', "%2F");
        assert!(block.text.contains("@127.0.0.1/passbook'"), "{}", block.place());
        block.text.replace("@127.0.0.1/", &format!("@{folder}:{}/", self.address().port))
    }

    /// Runs commands; the last of them starts the server.
    pub fn serve(&self, script: &str) {
        let output = self.folder.serve(script, &["passbook-server"], |line| line.starts_with("page "));
        assert_eq!(output.len(), 4, "{output:?}");
    }
}
