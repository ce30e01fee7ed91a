//! Opens connections, and records when the host rejects one because it is stopping.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use deadpool_postgres::{ConfigConnectImpl, Connect};
use tokio::task::JoinHandle;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Config, Error};

use crate::lifetime::Lifetime;
use crate::tls::Connector;

/// Maximum time for opening a connection, in seconds.
pub(crate) const CONNECT_SECONDS_MAX: u64 = 3;

/// Opens connections as the library does.
pub(crate) struct ObservedConnect {
    connect: ConfigConnectImpl<Connector>,
    lifetime: Arc<Lifetime>,
}

impl ObservedConnect {
    pub(crate) fn new(tls: Connector, lifetime: Arc<Lifetime>) -> ObservedConnect {
        ObservedConnect { connect: ConfigConnectImpl { tls }, lifetime }
    }
}

impl Connect for ObservedConnect {
    fn connect(
        &self,
        config: &Config,
    ) -> Pin<Box<dyn Future<Output = Result<(Client, JoinHandle<()>), Error>> + Send + '_>> {
        let connecting = self.connect.connect(config);
        Box::pin(async move {
            let connected = connecting.await;
            if let Err(error) = &connected
                && error.code() == Some(&SqlState::CANNOT_CONNECT_NOW)
            {
                self.lifetime.record_rejection(Instant::now());
            }
            connected
        })
    }
}
