//! Tests of the parameters and rows of lists.

use passbook_domain::category::{Category, ExpenseCategory};
use passbook_domain::range::DateRange;
use passbook_domain::transaction::{AmountBound, MerchantQuery, PageSize};
use tokio_postgres::types::Type;

use super::*;
use crate::fixture::{Fixture, fault};
use crate::query::OPEN_SESSION;

/// The identifier of an account, an own category and a tag.
const NAMED: Uuid = Uuid::from_u128(8);

fn row() -> Fixture {
    Fixture::new()
        .with("transaction_id", &Type::UUID, Uuid::from_u128(7))
        .with("type", &Type::TEXT, "EXPENSE")
        .with("category", &Type::TEXT, "RENT")
        .with("amount_cents", &Type::INT8, 120_000_i64)
        .with("date", &Type::DATE, date(2026, 11, 1))
        .with("title", &Type::TEXT, "RENT NOVEMBER")
        .with("pending", &Type::BOOL, false)
        .with("currency", &Type::TEXT, "EUR")
        .with("provider_category", &Type::TEXT, None::<&str>)
        .with("merchant_name", &Type::TEXT, None::<&str>)
        .with("account_id", &Type::UUID, NAMED)
        .with("converted_cents", &Type::INT8, Some(120_000_i64))
        .with("linked_transaction_id", &Type::UUID, None::<Uuid>)
        .with("own_category_id", &Type::UUID, Some(NAMED))
        .with("tag_ids", &Type::UUID_ARRAY, Some(vec![NAMED]))
        .with("note", &Type::TEXT, None::<&str>)
}

fn read(row: Fixture) -> Result<Vec<Transaction>, Error> {
    let id = NAMED.to_string();
    let account = [Some("account"), Some(&id), Some("Checking"), Some("Bank")];
    let own_category = [Some("own category"), Some(&id), Some("Flat"), None];
    let names = [account, own_category, [Some("tag"), Some(&id), Some("Trip"), None]].concat();
    let session = Fixture::new().with("names", &Type::TEXT_ARRAY, names);
    let names = Names::new(Rows::new(&OPEN_SESSION, [session]).first().expect("one row"))?;
    Rows::new(&TRANSACTIONS_DATE_DESC, [row]).map(|row| transaction(row, &names, Currency::EUR))
}

#[test]
fn transaction_has_the_values_of_its_columns() {
    let read = read(row()).expect("a transaction");
    let rent = Category::Expense(ExpenseCategory::Rent);
    assert_eq!((read[0].id, read[0].category, read[0].amount_cents), (Uuid::from_u128(7), rent, 120_000));
    assert_eq!((read[0].merchant_name.as_deref(), read[0].linked_transaction_id), (None, None));
    let names = (read[0].account_name.as_deref(), read[0].bank_name.as_deref());
    assert_eq!(names, (Some("Checking"), Some("Bank")));
    assert_eq!(read[0].own_category.as_ref().map(|own| own.name.as_str()), Some("Flat"));
    assert_eq!(read[0].tags[0].name, "Trip");
}

#[test]
fn only_an_amount_in_another_currency_with_a_rate_is_converted() {
    let money = Money::new(120_000, Currency::EUR);
    let dollars = row().with("currency", &Type::TEXT, "USD");
    let without_rate = dollars.clone().with("converted_cents", &Type::INT8, None::<i64>);
    for (row, expected) in [(row(), None), (dollars, Some(money)), (without_rate, None)] {
        assert_eq!(read(row).expect("a transaction")[0].converted, expected);
    }
}

#[test]
fn null_in_each_required_column_names_query_and_column() {
    for (column, ty) in [
        ("transaction_id", Type::UUID),
        ("type", Type::TEXT),
        ("category", Type::TEXT),
        ("amount_cents", Type::INT8),
        ("date", Type::DATE),
        ("title", Type::TEXT),
        ("pending", Type::BOOL),
        ("currency", Type::TEXT),
    ] {
        let error = read(row().with(column, &ty, None::<&str>)).expect_err(column);
        let (place, cause) = fault(&error);
        assert_eq!(place, format!("transactions_date_desc.{column}"));
        assert!(cause.contains("NULL"), "{cause}");
    }
}

#[test]
fn unknown_type_or_category_names_query_and_column() {
    for column in ["type", "category"] {
        let error = read(row().with(column, &Type::TEXT, "NO_SUCH_WORD")).expect_err(column);
        assert_eq!(fault(&error).0, format!("transactions_date_desc.{column}"));
    }
}

#[test]
fn each_filter_selects_the_filtered_query() {
    let none = TransactionQuery::new(DateRange::EVERYTHING, PageSize::constant::<50>());
    assert!(!has_filters(&none));
    let set: [fn(&mut TransactionQuery); 9] = [
        |query| query.categories = Some(Vec::new()),
        |query| query.accounts = Some(Vec::new()),
        |query| query.amount_min = Some(AmountBound::constant::<1>()),
        |query| query.amount_max = Some(AmountBound::constant::<1>()),
        |query| query.merchant = Some(MerchantQuery::parse("a").expect("a text")),
        |query| query.pending = Some(false),
        |query| query.own_categories = Some(Vec::new()),
        |query| query.tags = Some(Vec::new()),
        |query| query.merchants = Some(Vec::new()),
    ];
    for set in set {
        let mut filtered = none.clone();
        set(&mut filtered);
        assert!(has_filters(&filtered), "{filtered:?}");
    }
}

#[test]
fn orders_by_amount_need_the_row_of_the_cursor() {
    for (sort, by_amount) in [
        (TransactionSort::DateDescending, false),
        (TransactionSort::DateAscending, false),
        (TransactionSort::AmountDescending, true),
        (TransactionSort::AmountAscending, true),
    ] {
        assert_eq!(page_queries(sort).1.is_none(), by_amount, "{sort}");
    }
}
