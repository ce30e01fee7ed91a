//! Implements the port `TokenDirectory` for the store: finds the owner of a personal access token by the token's hash.

use std::time::Instant;

use passbook_domain::ports::{BoxFuture, ReadError, TokenDirectory, TokenHash, TokenOwner};
use tokio_postgres::types::Type;

use crate::error::Error;
use crate::query::FIND_PERSONAL_ACCESS_TOKEN as FIND;
use crate::query_times::{self, End};
use crate::row::Rows;
use crate::store::Store;

impl TokenDirectory for Store {
    fn find(&self, hash: TokenHash) -> BoxFuture<'_, Result<Option<TokenOwner>, ReadError>> {
        Box::pin(async move { Ok(self.find_owner(hash).await?) })
    }
}

impl Store {
    /// Searches once more, on a new connection, if PostgreSQL had ended the connection or changed the schema.
    async fn find_owner(&self, hash: TokenHash) -> Result<Option<TokenOwner>, Error> {
        let found = match self.search(&hash).await {
            Err(error) if error.is_lost() || error.is_outdated_plan() => {
                self.close_idle();
                self.search(&hash).await
            }
            found => found,
        };
        found.inspect_err(|error| self.doubt_check(error))
    }

    async fn search(&self, hash: &TokenHash) -> Result<Option<TokenOwner>, Error> {
        let guard = self.lease().await?;
        let connection = guard.connection();
        let hash: &[u8] = hash.as_bytes();
        let sent = Instant::now();
        let ended = query_times::timed(async {
            match &self.parameter_types {
                Some(_) => connection.query_typed(FIND.sql, &[(&hash, Type::BYTEA)]).await,
                None => {
                    let statement = connection.prepare_cached(FIND.sql).await?;
                    connection.query(&statement, &[&hash]).await
                }
            }
        })
        .await;
        // The statement has ended, successfully or not.
        guard.finish(ended.1.is_ok());
        query_times::report(sent, std::iter::once(End::new(FIND.name, &ended)));
        let rows = Rows::new(&FIND, ended.1.map_err(Error::query(FIND.name))?);
        rows.first()
            .map(|row| Ok(TokenOwner { token: row.get("token_id")?, user: row.get("user_id")? }))
            .transpose()
    }
}
