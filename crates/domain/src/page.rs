//! Keyset pagination: a cursor names the last row of a page, not an offset, so that new rows do not shift later pages.

use jiff::civil::Date;
use uuid::Uuid;

use crate::error::Invalid;
use crate::range::parse_date;

/// A keyset cursor: date and identifier of the last row of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Cursor {
    /// Date of the last row of the page.
    #[schemars(with = "String", extend("format" = "date"))]
    pub date: Date,
    /// Identifier of the last row of the page.
    pub id: Uuid,
}

impl Cursor {
    /// Parses a cursor from the text of its two members.
    ///
    /// # Errors
    ///
    /// `date` is not a calendar day, or `id` is not a hyphenated UUID.
    pub fn parse(date: &str, id: &str) -> Result<Cursor, Invalid> {
        let rule = || Invalid::new("must be exactly the nextCursor of an earlier answer: {\"date\",\"id\"}");
        let date = parse_date(date).map_err(|_| rule())?;
        let id = parse_uuid(id).map_err(|_| rule())?;
        Ok(Cursor { date, id })
    }
}

/// Parses a UUID in its hyphenated form. Other forms of a UUID are errors.
pub fn parse_uuid(text: &str) -> Result<Uuid, Invalid> {
    let rule = || Invalid::new("must be a UUID such as 8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d");
    if text.len() != 36 {
        return Err(rule());
    }
    Uuid::try_parse(text).map_err(|_| rule())
}

/// The end of a page, and the cursor of the next page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pagination {
    /// True when another page exists.
    pub has_more: bool,
    /// Pass it back as `cursor` for the next page; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Cursor")]
    #[schemars(extend("x-tool-description" = "Pass back as cursor for the next page."))]
    pub next_cursor: Option<Cursor>,
}
