//! The operation `transactions`: the list of transactions, with filters, sort orders and pages.

use passbook_domain::category::Category;
use passbook_domain::page::{Cursor, Pagination};
use passbook_domain::range::{DateRange, Planned};
use passbook_domain::scope::Scope;
use passbook_domain::tally::{CurrencyTotal, Overflow, Tally, Unconverted};
use passbook_domain::transaction::{
    AmountBound, MerchantQuery, PageSize, TransactionPage, TransactionQuery, TransactionSort, TransactionType,
};
use uuid::Uuid;

use crate::context::Context;
use crate::error::Error;
use crate::form::{Form, PageSizes};
use crate::operation::{Operation, Spec, Tool};
use crate::parameter::CountedType;
use crate::range_parameters::date_range;

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
            description: "Single transactions of the user, filtered by date, category, type, account, amount or text. For totals, get_cashflow_summary, get_spending_by_category and get_top_merchants are better. Newest first, 25 on a page; internal transfers only if their category is named or with showInternalTransfers. amount_cents is a magnitude in the row's own currency; type gives the direction.",
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
        let categories: Option<Vec<Category>> = form.list("categories", "Categories to list. TRANSFER_IN, TRANSFER_OUT and CREDIT_CARD_PAYMENT list their internal transfers too.");
        let types: Option<Vec<CountedType>> = form.list("types", "Types to list; both if missing.");
        let accounts: Option<Vec<Uuid>> = form.list(
            "accountIds",
            "Accounts to list: account_id of a transaction. An unknown identifier matches no row.",
        );
        let amount_min: Option<AmountBound> = form
            .optional("minAmountCents", "Smallest magnitude, inclusive, in cents of the row's own currency.");
        let amount_max: Option<AmountBound> = form.optional(
            "maxAmountCents",
            "Largest magnitude, inclusive, in cents of the row's own currency; not below minAmountCents.",
        );
        if let (Some(min), Some(max)) = (amount_min, amount_max)
            && min > max
        {
            form.reject(
                "minAmountCents",
                &passbook_domain::Invalid::new("must not be more than maxAmountCents"),
            );
        }
        let merchant: Option<MerchantQuery> = form.optional(
            "merchantQuery",
            "Text to find in merchant name or title. Case and accents are ignored; there are no wildcards.",
        );
        let transfers = form.or_default(
            "showInternalTransfers",
            "If true, transfers between the user's own accounts are listed too, in addition to types.",
            false,
        );
        let pending = form
            .optional("pending", "Only pending (true) or only posted (false) transactions; both if missing.");
        let sort = form.or_default(
            "sort",
            "Sort order. Amounts are compared in the preferred currency; rows that cannot be converted come last.",
            TransactionSort::DateDescending,
        );
        let page_size = form.page_size("pageSize", "Rows on a page.", PAGE_SIZES);
        let mut query = TransactionQuery::new(days, page_size);
        query.types = listed_types(types, transfers || names_transfers(categories.as_deref()));
        query.categories = categories;
        query.accounts = accounts;
        query.amount_min = amount_min;
        query.amount_max = amount_max;
        query.merchant = merchant;
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
        Ok(TransactionPage {
            transactions,
            pagination: Pagination { has_more, next_cursor },
            planned: Planned::new(read.planned),
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
