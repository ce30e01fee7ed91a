//! The transaction list: the one search, with every filter, order and cursor.

use domain::category::Category;
use domain::page::{Cursor, Pagination};
use domain::range::DateRange;
use domain::scope::Scope;
use domain::transaction::{
    AmountBound, MerchantQuery, PageSize, TransactionPage, TransactionQuery, TransactionSort, TransactionType,
};
use uuid::Uuid;

use crate::error::Error;
use crate::form::{Form, PageSizes};
use crate::operation::{Operation, Spec, Tool};
use crate::parameter::CountedType;
use crate::service::Context;
use crate::shared::date_range;

/// The operation.
#[derive(Debug)]
pub struct Transactions;

/// Rows on a page. As a tool at most 100: about 660 bytes each, which the answer holds twice.
const PAGE_SIZES: PageSizes<200> = PageSizes {
    default: PageSize::constant::<50>(),
    tool_default: PageSize::constant::<25>(),
    tool_max: PageSize::constant::<100>(),
};

/// What an embedder starts from: income and expenses, newest first, 50 rows.
pub fn everything() -> TransactionQuery {
    TransactionQuery {
        days: DateRange::EVERYTHING,
        types: vec![TransactionType::Income, TransactionType::Expense],
        categories: None,
        accounts: None,
        amount_min: None,
        amount_max: None,
        merchant: None,
        pending: None,
        sort: TransactionSort::DateDescending,
        after: None,
        page_size: PAGE_SIZES.default,
    }
}

impl Operation for Transactions {
    const SPEC: Spec = Spec {
        id: "transactions",
        path: "/v1/transactions",
        tool: Some(Tool {
            name: "search_transactions",
            title: "Search transactions",
            description: "The user's single transactions, found by date, category, type, account, amount or text. For sums the better tools are get_cashflow_summary, get_spending_by_category and get_top_merchants. Newest first, 25 a page; internal transfers only with showInternalTransfers. amount_cents is a magnitude in the row's own currency; type gives the direction.",
            wrapper: None,
        }),
        scope: Some(Scope::TransactionsRead),
        summary: "Search transactions",
        description: "The user's transactions, page by page. Filters narrow together; items of a list are alternatives. Amounts are magnitudes in hundredths of the row's own currency; type gives the direction. Internal transfers are listed only when asked for. Pass pagination.nextCursor back as cursor, with everything else unchanged, for the next page.",
    };
    type Params = TransactionQuery;
    type Output = TransactionPage;

    fn read(form: &mut Form<'_>) -> TransactionQuery {
        let days = date_range(form);
        let categories: Option<Vec<Category>> =
            form.list("categories", "Categories to list, as on the transaction.");
        let types: Option<Vec<CountedType>> = form.list("types", "Types to list; both when left out.");
        let accounts: Option<Vec<Uuid>> =
            form.list("accountIds", "Accounts to list, by identifier; an unknown one matches nothing.");
        let amount_min: Option<AmountBound> = form
            .optional("minAmountCents", "Smallest magnitude, inclusive, in cents of the row's own currency.");
        let amount_max: Option<AmountBound> = form.optional(
            "maxAmountCents",
            "Largest magnitude, inclusive, in cents of the row's own currency; not below minAmountCents.",
        );
        if let (Some(min), Some(max)) = (amount_min, amount_max)
            && min > max
        {
            form.refuse("minAmountCents", &domain::Invalid::new("must not be more than maxAmountCents"));
        }
        let merchant: Option<MerchantQuery> = form.optional(
            "merchantQuery",
            "Text to find in merchant name or title, without regard to case and accents, taken literally.",
        );
        let transfers = form.or_default(
            "showInternalTransfers",
            "Whether transfers between the user's own accounts are listed too, in addition to the listed types.",
            false,
        );
        TransactionQuery {
            days,
            types: listed_types(types, transfers),
            categories,
            accounts,
            amount_min,
            amount_max,
            merchant,
            pending: form.optional(
                "pending",
                "Only pending (true) or only posted (false) transactions; both when left out.",
            ),
            sort: form.or_default(
                "sort",
                "The order. Amounts are compared in the preferred currency; rows without a rate come last.",
                TransactionSort::DateDescending,
            ),
            page_size: form.page_size("pageSize", "Rows on a page.", PAGE_SIZES),
            after: form.optional::<Cursor>(
                "cursor",
                "The nextCursor of the page before, exactly as received, and in the same order of rows.",
            ),
        }
    }

    async fn run(context: &Context<'_>, params: TransactionQuery) -> Result<TransactionPage, Error> {
        let mut transactions = context.ledger().transactions(context.access(), &params).await?.data;
        let page_size = usize::try_from(params.page_size.get()).expect("a page size is small");
        let has_more = transactions.len() > page_size;
        transactions.truncate(page_size);
        let last = transactions.last().filter(|_| has_more);
        let next_cursor = last.map(|last| Cursor { date: last.date, id: last.id });
        Ok(TransactionPage { transactions, pagination: Pagination { has_more, next_cursor } })
    }
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
