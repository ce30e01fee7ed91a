//! The operation `transactions`: the list of transactions, with filters, sort orders and pages.

use passbook_domain::category::Category;
use passbook_domain::page::{Cursor, Pagination};
use passbook_domain::range::{DateRange, Planned};
use passbook_domain::scope::Scope;
use passbook_domain::tally::{CurrencyTotal, Overflow, Tally, Unconverted};
use passbook_domain::transaction::{
    AmountBound, MerchantQuery, PageSize, TransactionPage, TransactionQuery, TransactionSort, TransactionType,
};

use crate::category_filter::category_filter;
use crate::context::Context;
use crate::error::Error;
use crate::form::{Form, PageSizes};
use crate::names::nearest_merchants;
use crate::operation::{Operation, Spec, Tool};
use crate::parameter::CountedType;
use crate::range_parameters::{account_filter, date_range, label_filters, merchant_filter};

/// The list of transactions.
#[derive(Debug)]
pub struct Transactions;

/// Number of rows on a page. A tool returns at most 100: a row has about 400 bytes, and a tool result contains each row
/// twice.
const PAGE_SIZES: PageSizes<200> = PageSizes {
    default: PageSize::constant::<50>(),
    tool_default: PageSize::constant::<25>(),
    tool_max: PageSize::constant::<100>(),
};

/// Returns a query without filters: income and expenses, newest first, 50 rows. A host changes the fields that it needs.
pub fn everything() -> TransactionQuery {
    TransactionQuery::new(DateRange::EVERYTHING, PAGE_SIZES.default)
}

impl Operation for Transactions {
    const SPEC: Spec = Spec {
        id: "transactions",
        path: "/v1/transactions",
        tool: Some(Tool {
            name: "search_transactions",
            title: "Search transactions",
            description: "Single transactions of the user, filtered by date, category, type, account, amount or text. For totals, get_spending_summary and others are better. Newest first, 25 on a page; internal transfers only if their category is named or with showInternalTransfers. amount_cents is a magnitude in the row's own currency; type gives the direction.",
        }),
        scope: Some(Scope::TransactionsRead),
        summary: "Search transactions",
        description: "The user's transactions, page by page. A row must match every filter; items of a list are alternatives. Amounts are magnitudes in hundredths of the row's own currency; type gives the direction. Internal transfers are listed only with showInternalTransfers or if categories names their category. converted is the amount in the preferred currency as totals count it. Pass pagination.nextCursor back as cursor, with everything else unchanged, for the next page.",
    };
    type Params = TransactionQuery;
    type Output = TransactionPage;
    type ToolOutput = TransactionPage;

    fn read(form: &mut Form<'_>) -> TransactionQuery {
        let days = date_range(form);
        let categories = category_filter(
            form,
            "Such as PUBLIC_TRANSPORT. TRANSFER_IN, TRANSFER_OUT and CREDIT_CARD_PAYMENT list their internal transfers too.",
        );
        let types: Option<Vec<CountedType>> = form.list("types", "Types to list; both if missing.");
        let accounts = account_filter(form);
        let amount_min: Option<AmountBound> = form
            .optional("minAmountCents", "Smallest magnitude, inclusive, in cents of the row's own currency.");
        let amount_max: Option<AmountBound> =
            form.optional("maxAmountCents", "Largest magnitude, inclusive; not below minAmountCents.");
        if let (Some(min), Some(max)) = (amount_min, amount_max)
            && min > max
        {
            form.reject(
                "minAmountCents",
                &passbook_domain::Invalid::new("must not be more than maxAmountCents"),
            );
        }
        let merchant: Option<MerchantQuery> =
            form.optional("merchantQuery", "Only rows with this text in merchant name, title or note.");
        let merchants = merchant_filter(form);
        let (own_categories, tags) = label_filters(form);
        let transfers = form.or_default(
            "showInternalTransfers",
            "If true, transfers between the user's own accounts are listed too, in addition to types.",
            false,
        );
        let pending =
            form.optional("pending", "Only pending (true) or posted (false) ones; both if missing.");
        let sort = form.or_default(
            "sort",
            "Amounts are compared in the preferred currency; rows that cannot be converted come last.",
            TransactionSort::DateDescending,
        );
        let page_size = form.page_size("pageSize", "Rows on a page.", PAGE_SIZES);
        let mut query = TransactionQuery::new(days, page_size);
        query.types = listed_types(types, transfers || names_transfers(categories.named.as_deref()));
        query.categories = categories.selected;
        query.accounts = accounts;
        query.amount_min = amount_min;
        query.amount_max = amount_max;
        query.merchant = merchant;
        query.own_categories = own_categories;
        query.tags = tags;
        query.merchants = merchants;
        query.pending = pending;
        query.sort = sort;
        query.after = form.optional::<Cursor>(
            "cursor",
            "The nextCursor of the previous page, exactly as received, with the same sort.",
        );
        query
    }

    async fn run(context: &Context<'_>, params: TransactionQuery) -> Result<TransactionPage, Error> {
        let read = context.ledger().transactions(context.access(), &params).await?.data;
        let mut transactions = read.rows;
        let page_size = usize::try_from(params.page_size.get()).expect("a page size is small");
        let has_more = transactions.len() > page_size;
        transactions.truncate(page_size);
        let last = transactions.last().filter(|_| has_more);
        let next_cursor = last.map(|last| Cursor { date: last.date, id: last.id });
        let is_empty = transactions.is_empty() && params.after.is_none();
        let nearest_merchants =
            nearest_merchants(context, context.ledger(), params.merchant.as_ref(), is_empty).await?;
        Ok(TransactionPage {
            transactions,
            pagination: Pagination { has_more, next_cursor },
            planned: Planned::new(read.planned),
            resolved: context.resolved(),
            nearest_merchants,
            unconverted: unconverted(&read.unconverted)?,
        })
    }
}

/// Returns the amounts without an exchange rate, in the order of types and then of currencies.
fn unconverted(totals: &[(TransactionType, CurrencyTotal)]) -> Result<Vec<Unconverted>, Overflow> {
    let mut unconverted = Vec::new();
    for listed in [TransactionType::Expense, TransactionType::Income, TransactionType::InternalTransfer] {
        let totals = totals.iter().filter(|(r#type, _)| *r#type == listed).map(|(_, total)| total);
        unconverted.extend(Tally::from_totals(totals)?.unconverted_of_type(listed));
    }
    Ok(unconverted)
}

/// Returns true if the filter names a category of internal transfers. Such a filter lists the transfers of the category.
fn names_transfers(categories: Option<&[Category]>) -> bool {
    categories.is_some_and(|named| named.iter().any(|category| category.is_transfer()))
}

fn listed_types(types: Option<Vec<CountedType>>, transfers: bool) -> Vec<TransactionType> {
    let mut listed: Vec<TransactionType> = match types {
        Some(types) => types.into_iter().map(|counted| counted.0).collect(),
        None => vec![TransactionType::Income, TransactionType::Expense],
    };
    if transfers {
        listed.push(TransactionType::InternalTransfer);
    }
    listed
}

#[cfg(test)]
mod tests {
    use passbook_domain::{Currency, Money};

    use super::*;

    #[test]
    fn amounts_without_a_rate_are_of_every_type() {
        let types = [TransactionType::Expense, TransactionType::Income, TransactionType::InternalTransfer];
        let total = CurrencyTotal::new(Money::new(100, Currency::EUR), 1, None);
        let found = unconverted(&types.map(|listed| (listed, total))).expect("the amounts are small");
        let found = found.iter().map(|found| found.transaction_type);
        assert_eq!(found.collect::<Vec<_>>(), types.map(Some));
    }
}
