//! Queries expenses by own category, by tag or by account.

use passbook_domain::access::Access;
use passbook_domain::category::Category;
use passbook_domain::label::{GroupLabel, LabelKind};
use passbook_domain::ports::{CountedQuery, LabelTotals, ReadError, Reading};

use super::counted::{CountedParameters, TotalsQuery, borrowed};
use crate::error::Error;
use crate::query::{
    SPENDING_ACCOUNTS, SPENDING_ACCOUNTS_STORED, SPENDING_ACCOUNTS_UNFILTERED, SPENDING_OWN_CATEGORIES,
    SPENDING_OWN_CATEGORIES_STORED, SPENDING_OWN_CATEGORIES_UNFILTERED, SPENDING_TAGS, SPENDING_TAGS_STORED,
    SPENDING_TAGS_UNFILTERED,
};
use crate::row::Rows;
use crate::store::Store;

const ACCOUNTS: TotalsQuery = TotalsQuery {
    unfiltered: SPENDING_ACCOUNTS_UNFILTERED,
    stored: SPENDING_ACCOUNTS_STORED,
    matching: SPENDING_ACCOUNTS,
};
const OWN_CATEGORIES: TotalsQuery = TotalsQuery {
    unfiltered: SPENDING_OWN_CATEGORIES_UNFILTERED,
    stored: SPENDING_OWN_CATEGORIES_STORED,
    matching: SPENDING_OWN_CATEGORIES,
};
const TAGS: TotalsQuery = TotalsQuery {
    unfiltered: SPENDING_TAGS_UNFILTERED,
    stored: SPENDING_TAGS_STORED,
    matching: SPENDING_TAGS,
};

pub(crate) async fn execute(
    store: &Store,
    access: &Access<'_>,
    query: &CountedQuery,
    kind: LabelKind,
) -> Result<Reading<LabelTotals>, ReadError> {
    let counted = CountedParameters::new(access, query);
    let totals = match kind {
        LabelKind::OwnCategory => &OWN_CATEGORIES,
        LabelKind::Tag => &TAGS,
        LabelKind::Account => &ACCOUNTS,
    };
    let bound = [counted.bind(totals, &[])];
    store.read(access, &query.days, &borrowed(&bound), |rows| Ok(map(&rows[0])?)).await
}

/// Converts the rows of a group, and those of all expenses with a label, which name none.
fn map(rows: &Rows) -> Result<LabelTotals, Error> {
    let mut totals = LabelTotals::default();
    for row in rows.map(Ok)? {
        let Some(id) = row.get("label_id")? else {
            totals.labelled.push(row.sum()?);
            continue;
        };
        let name: String = row.get("name")?;
        let category = row.get::<Option<&str>>("category")?.map(Category::parse).transpose();
        let category = category.map_err(|source| row.inconsistent("category", source))?;
        let label = GroupLabel::new(id, name, category).with_parent(row.get("parent_id")?);
        totals.groups.push((label, row.sum()?));
    }
    Ok(totals)
}
