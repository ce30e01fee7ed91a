//! The database of whoever named none: started as a private child, brought up to date, and with `--demo` filled
//! with the demo household in a folder of its own.

use auth::personal_access_token::PlainToken;
use domain::scope::Scope;
use embedded::{Address, Embedded};
use ingest::tokens::NewToken;
use tokio_postgres::{Client, NoTls};

use crate::database::Database;
use crate::outcome::Stop;
use crate::settings::Settings;

/// The database inside the embedded server.
const DATABASE: &str = "passbook";
/// Days that the demo's token lives.
const DEMO_TOKEN_DAYS: u16 = 1;

/// Starts it, or says why not.
pub(crate) async fn open(settings: &Settings) -> Result<Database, Stop> {
    let data_dir = if settings.demo {
        embedded::make_passable(&settings.data_dir).map_err(|source| Stop::Database(Box::new(source)))?;
        settings.data_dir.join("demo")
    } else {
        settings.data_dir.clone()
    };
    let config = embedded::Config {
        data_dir,
        postgres_bin: settings.postgres_bin.clone(),
        search_path: settings.search_path.clone(),
        download: settings.download,
        durable: true,
    };
    let embedded = Embedded::start(config).await.map_err(embedded_stop)?;
    let address = embedded.address().clone();
    migrate(&address).await?;
    let demo_token = if settings.demo { Some(demo(&address, settings).await?) } else { None };
    Ok(Database { reader: address.connect(schema::READER, DATABASE), demo_token, embedded: Some(embedded) })
}

async fn migrate(address: &Address) -> Result<(), Stop> {
    let refused = |source: embedded::Error| Stop::Database(Box::new(source));
    embedded::ensure_database(address, DATABASE).await.map_err(refused)?;
    let mut client = connect(address, embedded::SUPERUSER).await?;
    schema::migrate(&mut client).await.map_err(schema_stop)?;
    schema::allow_local_logins(&client).await.map_err(schema_stop)
}

/// A folder that will not do is a matter of configuration; anything else is the database's.
fn embedded_stop(error: embedded::Error) -> Stop {
    let setting = match error {
        embedded::Error::NotUsable { .. } => "PASSBOOK_POSTGRES_BIN",
        embedded::Error::NotReachable { .. } => "PASSBOOK_DATA_DIR",
        _ => return Stop::Database(Box::new(error)),
    };
    crate::outcome::Problem::one(setting, &error.to_string())
}

/// A schema that will not do is a matter of configuration; anything else is the database's.
fn schema_stop(error: schema::Error) -> Stop {
    match error {
        schema::Error::Ahead { .. } | schema::Error::Edited { .. } => {
            crate::outcome::Problem::one("schema", &error.to_string())
        }
        schema::Error::Database { .. } | schema::Error::Migration { .. } => Stop::Database(Box::new(error)),
    }
}

/// Puts the household of today in place of yesterday's, and gives its user a token.
async fn demo(address: &Address, settings: &Settings) -> Result<String, Stop> {
    let mut client = connect(address, schema::WRITER).await?;
    let today = match settings.today {
        Some(today) => today,
        None => demo::today(&client).await.map_err(|source| Stop::Database(Box::new(source)))?,
    };
    demo::install(&mut client, today).await.map_err(|source| Stop::Internal(Box::new(source)))?;
    let token = PlainToken::generate(&settings.token_prefix);
    let new = NewToken {
        user_id: demo::USER_ID,
        name: "demo",
        scopes: Scope::ALL,
        rest: true,
        mcp: true,
        expires_in_days: DEMO_TOKEN_DAYS,
    };
    ingest::tokens::create(&client, &new, &token).await.map_err(|source| Stop::Internal(Box::new(source)))?;
    Ok(token.reveal().to_owned())
}

async fn connect(address: &Address, role: &str) -> Result<Client, Stop> {
    let config = address.connect(role, DATABASE);
    let (client, connection) =
        config.connect(NoTls).await.map_err(|source| Stop::Database(Box::new(source)))?;
    tokio::spawn(connection);
    Ok(client)
}
