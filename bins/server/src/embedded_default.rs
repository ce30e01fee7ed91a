//! The embedded database of a server without a database URL: started as a child process and migrated. With `--demo`,
//! a folder of its own is filled with the demo household.

use passbook_auth::personal_access_token::PlainToken;
use passbook_domain::scope::Scope;
use passbook_embedded::{Address, Embedded};
use passbook_ingest::tokens::NewToken;
use tokio_postgres::{Client, NoTls};

use crate::database::Database;
use crate::error::ServerError;
use crate::settings::Settings;

/// The name of the database in the embedded PostgreSQL.
const DATABASE: &str = "passbook";
/// A database that every cluster has.
const MAINTENANCE_DATABASE: &str = "postgres";
/// The lifetime of the demo user's token, in days.
const DEMO_TOKEN_DAYS: u16 = 1;

/// Starts and prepares the embedded database.
pub(crate) async fn open(settings: &Settings) -> Result<Database, ServerError> {
    let data_dir = if settings.demo {
        passbook_embedded::make_passable(&settings.data_dir).map_err(ServerError::database)?;
        settings.data_dir.join("demo")
    } else {
        settings.data_dir.clone()
    };
    let config = passbook_embedded::EmbeddedConfig {
        data_dir: data_dir.clone(),
        postgres_bin: settings.postgres_bin.clone(),
        search_path: settings.search_path.clone(),
        download: settings.download,
        durable: true,
    };
    let embedded = Embedded::start(config).await.map_err(embedded_error)?;
    let address = embedded.address().clone();
    migrate(&address, settings.demo).await?;
    let demo_token = if settings.demo { Some(install_demo(&address, settings).await?) } else { None };
    let reader = address.connect(passbook_schema::READER, DATABASE).into();
    Ok(Database { reader, data_dir: Some(data_dir), demo_token, embedded: Some(embedded) })
}

/// Creates the database, or brings it up to date. The database of the demo, which has nothing but generated rows, is created
/// anew if another development version created it.
async fn migrate(address: &Address, is_demo: bool) -> Result<(), ServerError> {
    passbook_embedded::ensure_database(address, DATABASE).await.map_err(ServerError::database)?;
    let mut client = connect(address, DATABASE, passbook_embedded::SUPERUSER).await?;
    let mut migrated = passbook_schema::migrate(&mut client).await;
    if is_demo && matches!(migrated, Err(passbook_schema::Error::Edited { .. })) {
        drop(client);
        let maintenance = connect(address, MAINTENANCE_DATABASE, passbook_embedded::SUPERUSER).await?;
        let drop_database = format!("drop database {DATABASE} with (force)");
        maintenance.batch_execute(&drop_database).await.map_err(ServerError::database)?;
        passbook_embedded::ensure_database(address, DATABASE).await.map_err(ServerError::database)?;
        client = connect(address, DATABASE, passbook_embedded::SUPERUSER).await?;
        migrated = passbook_schema::migrate(&mut client).await;
    }
    migrated.map_err(schema_error)?;
    passbook_schema::allow_local_logins(&client).await.map_err(schema_error)
}

/// Adds the settings that fix the error. A folder that a setting names is a problem of that setting.
fn embedded_error(error: passbook_embedded::Error) -> ServerError {
    use passbook_embedded::Error;
    use passbook_settings::remedies;
    let remedy = match &error {
        Error::NotUsable { .. } => {
            let message = format!("{error}\n{}", remedies::POSTGRES_BIN_UNUSABLE);
            return ServerError::configuration("PASSBOOK_POSTGRES_BIN", message);
        }
        Error::NotReachable { .. } => {
            let message = format!("{error}\n{}", remedies::DATA_DIR_UNREACHABLE);
            return ServerError::configuration("PASSBOOK_DATA_DIR", message);
        }
        Error::NotFound { .. } => remedies::POSTGRES_BIN,
        Error::DownloadRefused { .. } => remedies::NO_DOWNLOAD,
        Error::InUse { .. } => remedies::DATA_DIR_IN_USE,
        Error::OtherMajor { .. } => remedies::OTHER_MAJOR,
        _ => return ServerError::database(error),
    };
    ServerError::Database(format!("{}\n{remedy}", passbook_auth::error_chain(&error)).into())
}

/// A schema that this program cannot serve is a problem of the configuration, because another program version fixes it.
fn schema_error(error: passbook_schema::Error) -> ServerError {
    match error {
        passbook_schema::Error::Ahead { .. } | passbook_schema::Error::Edited { .. } => {
            ServerError::configuration("schema", error.to_string())
        }
        passbook_schema::Error::Database { .. } | passbook_schema::Error::Migration { .. } => {
            ServerError::database(error)
        }
    }
}

/// Replaces the household of an earlier day by that of today, and returns a new token of the demo user.
async fn install_demo(address: &Address, settings: &Settings) -> Result<String, ServerError> {
    let mut client = connect(address, DATABASE, passbook_schema::WRITER).await?;
    let today = match settings.today {
        Some(today) => today,
        None => passbook_demo::today(&client).await.map_err(ServerError::database)?,
    };
    passbook_demo::install(&mut client, today).await.map_err(ServerError::internal)?;
    let token = PlainToken::generate(&settings.token_prefix);
    let new = NewToken {
        user_id: passbook_demo::USER_ID,
        name: "demo",
        scopes: Scope::ALL,
        rest: true,
        mcp: true,
        expires_in_days: DEMO_TOKEN_DAYS,
    };
    passbook_ingest::tokens::create(&client, &new, &token).await.map_err(ServerError::internal)?;
    Ok(token.reveal().to_owned())
}

async fn connect(address: &Address, database: &str, role: &str) -> Result<Client, ServerError> {
    let config = address.connect(role, database);
    let (client, connection) = config.connect(NoTls).await.map_err(ServerError::database)?;
    tokio::spawn(connection);
    Ok(client)
}
