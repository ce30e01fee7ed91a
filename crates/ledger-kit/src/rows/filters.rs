//! The filters of lists and totals.

use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use passbook_domain::fold::fold;
use passbook_domain::label::GroupLabel;
use passbook_domain::ports::CountedQuery;
use passbook_domain::range::ResolvedDays;
use passbook_domain::transaction::{MerchantQuery, Transaction, TransactionQuery, TransactionType};
use uuid::Uuid;

use super::merchants::payee;

/// Returns true if the posted row `row`, which links to `pending`, is the same payment.
pub(super) fn replaces(row: &Transaction, pending: &Transaction) -> bool {
    pending.pending
        && !row.pending
        && row.r#type == pending.r#type
        && row.account_id == pending.account_id
        && row.r#type != TransactionType::InternalTransfer
        && row.category != Category::Income(IncomeCategory::Refund)
}

/// Returns true if a query lists the row.
pub(super) fn lists(
    query: &TransactionQuery,
    days: ResolvedDays,
    row: &Transaction,
    own: &[GroupLabel],
) -> bool {
    days.contains(row.date)
        && query.types.contains(&row.r#type)
        && query.categories.as_deref().is_none_or(|wanted| wanted.contains(&row.category))
        && matches(row, query.accounts.as_deref(), query.merchant.as_ref(), query.merchants.as_deref())
        && has_labels(row, query.own_categories.as_deref(), query.tags.as_deref(), own)
        && query.amount_min.is_none_or(|least| least.get() <= row.amount_cents)
        && query.amount_max.is_none_or(|most| row.amount_cents <= most.get())
        && query.pending.is_none_or(|pending| row.pending == pending)
}

/// Returns true if a total includes the row.
pub(super) fn counts(
    query: &CountedQuery,
    days: ResolvedDays,
    row: &Transaction,
    excluded: &[ExpenseCategory],
    own: &[GroupLabel],
) -> bool {
    days.contains(row.date) && (query.include_pending || !row.pending) && selects(query, row, excluded, own)
}

/// Returns true if the filters of a total, other than its range and that of pending rows, select the row.
pub(super) fn selects(
    query: &CountedQuery,
    row: &Transaction,
    excluded: &[ExpenseCategory],
    own: &[GroupLabel],
) -> bool {
    row.r#type != TransactionType::InternalTransfer
        && counts_category(query, row.category, excluded)
        && matches(row, query.accounts.as_deref(), query.merchant.as_ref(), query.merchants.as_deref())
        && has_labels(row, query.own_categories.as_deref(), query.tags.as_deref(), own)
}

/// Returns true if a total includes rows of the category. A named category is included although it is excluded.
pub(super) fn counts_category(
    query: &CountedQuery,
    category: Category,
    excluded: &[ExpenseCategory],
) -> bool {
    match (&query.categories, category) {
        (Some(wanted), _) => wanted.contains(&category),
        (None, Category::Expense(category)) => query.include_excluded || !excluded.contains(&category),
        (None, Category::Income(_)) => true,
    }
}

/// Returns true if a row matches the filters by own category, which include the categories that the named ones contain,
/// and by tag.
fn has_labels(
    row: &Transaction,
    own_categories: Option<&[Uuid]>,
    tags: Option<&[Uuid]>,
    own: &[GroupLabel],
) -> bool {
    own_categories.is_none_or(|wanted| {
        row.own_category.as_ref().is_some_and(|label| {
            let parent = own.iter().find(|own| own.label.id == label.id).and_then(|own| own.parent_id);
            wanted.contains(&label.id) || parent.is_some_and(|parent| wanted.contains(&parent))
        })
    }) && tags.is_none_or(|wanted| row.tags.iter().any(|tag| wanted.contains(&tag.id)))
}

/// Returns true if a row matches the filters by account, by text and by merchant. The text is found in title, merchant name or note,
/// whatever its case and accents. A text of combining marks alone is found nowhere.
fn matches(
    row: &Transaction,
    accounts: Option<&[Uuid]>,
    merchant: Option<&MerchantQuery>,
    merchants: Option<&[String]>,
) -> bool {
    let text = merchant.map(|merchant| fold(merchant.as_str()));
    accounts.is_none_or(|wanted| row.account_id.is_some_and(|account| wanted.contains(&account)))
        && merchants.is_none_or(|wanted| payee(row).0.is_some_and(|key| wanted.contains(&key)))
        && text.is_none_or(|text| {
            let is_found = |field: &str| !text.is_empty() && fold(field).contains(&text);
            let others = [row.merchant_name.as_deref(), row.note.as_deref()];
            is_found(&row.title) || others.into_iter().flatten().any(is_found)
        })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use passbook_domain::{Currency, Money};

    use super::*;

    #[test]
    fn refund_and_transfer_replace_no_pending_row() {
        let row = |kind, category| {
            let amount = Money::new(10, Currency::EUR);
            Transaction::new(Uuid::nil(), date(2026, 3, 25), kind, category, amount, "Row")
        };
        for (kind, category, replaced) in [
            (TransactionType::Income, Category::Income(IncomeCategory::Gift), true),
            (TransactionType::Income, Category::Income(IncomeCategory::Refund), false),
            (TransactionType::InternalTransfer, Category::Income(IncomeCategory::TransferIn), false),
        ] {
            let mut pending = row(kind, Category::Income(IncomeCategory::Gift));
            pending.pending = true;
            assert_eq!(replaces(&row(kind, category), &pending), replaced, "{category:?}");
        }
    }
}
