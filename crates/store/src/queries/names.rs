//! Queries the names of accounts, banks, own categories, tags and merchants.

use passbook_domain::access::Access;
use passbook_domain::names::{Name, NameKind, Names};
use passbook_domain::ports::{ReadError, Reading};
use passbook_domain::range::{DateRange, Days};

use crate::error::Error;
use crate::query::NAMES;
use crate::row::Rows;
use crate::store::Store;

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    kinds: &[NameKind],
    merchants: &[String],
) -> Result<Reading<Names>, ReadError> {
    let user = access.credential().user().as_uuid();
    let words: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    let parameters: &[_] = &[&user as _, &words as _, &merchants as _];
    let days = Days::Range(DateRange::EVERYTHING);
    let read = |rows: Vec<Rows>| Ok(names(&rows[0])?);
    let (mut reading, facts) = store.read_with_facts(access, &days, &[(NAMES, parameters)], read).await?;
    let is_readable = |kind: NameKind| kind.scopes().iter().any(|scope| access.holds(&facts.granted, *scope));
    reading.data.readable = kinds.iter().copied().filter(|kind| is_readable(*kind)).collect();
    reading.data.names.retain(|name| is_readable(name.kind));
    Ok(reading)
}

fn names(rows: &Rows) -> Result<Names, Error> {
    let names = rows.map(|row| {
        Ok(Name {
            kind: row.parsed("kind", NameKind::parse)?,
            id: row.get("id")?,
            name: row.get("name")?,
            detail: row.get("detail")?,
            ids: row.get("ids")?,
            given: row.get("given")?,
        })
    })?;
    Ok(Names { readable: Vec::new(), names })
}
