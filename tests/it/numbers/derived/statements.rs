//! Random statements of writers, on two users with three accounts each and a pool of transactions.

use std::fmt::Write as _;

use proptest::prelude::*;

/// Number of different transactions of a user.
const POOL: u8 = 24;
const CURRENCIES: [&str; 4] = ["EUR", "USD", "JPY", "CHF"];
/// Type and category of a row.
const KINDS: [(&str, &str); 9] = [
    ("EXPENSE", "RENT"),
    ("EXPENSE", "GROCERIES"),
    ("EXPENSE", "GROCERIES"),
    ("EXPENSE", "VACATION"),
    ("INCOME", "SALARY"),
    ("INCOME", "REFUND"),
    ("INCOME", "REFUND"),
    ("INTERNAL_TRANSFER", "TRANSFER_OUT"),
    ("INTERNAL_TRANSFER", "TRANSFER_IN"),
];
const MERCHANTS: [&str; 5] = ["null", "'Café'", "'CAFÉ '", "'Zoo'", "'Market'"];

/// A transaction to store.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    number: u8,
    account: u8,
    days_ago: u16,
    kind: usize,
    cents: u32,
    currency: usize,
    merchant: usize,
    pending: bool,
    link: Option<u8>,
}

/// A statement, or a few statements, of a writer.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    /// Inserts rows, or replaces the stored rows with the same identifiers.
    Store(u8, Vec<Row>),
    /// Like `Store`, with `merge` as `passbook-admin load` does.
    Merge(u8, Vec<Row>),
    /// Stores a pending row and, linked to it, the posted row of the other number. One of them may be stored already.
    Post(u8, Row, u8),
    /// Changes columns of the rows from one number to another.
    Change(u8, u8, u8, usize),
    /// Links a row to another one.
    Link(u8, u8, u8),
    Delete(u8, u8, u8),
    /// Changes the labels of the rows from one number to another, whether these are stored or not.
    Label(u8, u8, u8, usize),
    StoreRates(usize, u16, u16, u16),
    DeleteRates(usize, u16, u16),
    Currency(u8, usize),
    MonthStart(u8, i16),
    Exclusions(u8, bool),
    /// Deletes an account with its rows, and opens it again without rows.
    DeleteAccount(u8, u8),
    /// Deletes a user with all rows, and creates the user again.
    DeleteUser(u8),
}

/// Changes of labels, of the rows `given` with the columns `user_id` and `id`: what sources give and what the person says. And
/// changes of the names of a user.
const LABELS: [&str; 13] = [
    "insert into passbook.transaction_labels (user_id, transaction_id, given_own_category_id, given_note) \
       select user_id, id, own, 'Café' from given \
       on conflict (user_id, transaction_id) do update set given_own_category_id = excluded.given_own_category_id",
    "insert into passbook.transaction_labels (user_id, transaction_id, is_own_category_by_hand, is_note_by_hand, note) \
       select user_id, id, true, true, 'Zoo' from given on conflict (user_id, transaction_id) do update \
       set is_own_category_by_hand = true, own_category_id = null, is_note_by_hand = true, note = 'Zoo'",
    "update passbook.transaction_labels as l set is_own_category_by_hand = not is_own_category_by_hand, own_category_id = \
       case when not is_own_category_by_hand then own end from given where l.user_id = given.user_id and transaction_id = id",
    "insert into passbook.transaction_tags (user_id, transaction_id, tag_id, is_given) select user_id, id, tag, true from given \
       on conflict (user_id, transaction_id, tag_id) do update set is_given = true",
    "insert into passbook.transaction_tags (user_id, transaction_id, tag_id, is_given, by_hand) \
       select user_id, id, tag, false, false from given \
       on conflict (user_id, transaction_id, tag_id) do update set by_hand = excluded.by_hand",
    "delete from passbook.transaction_tags as g using given where g.user_id = given.user_id and transaction_id = id",
    "delete from passbook.transaction_labels as l using given where l.user_id = given.user_id and transaction_id = id",
    "delete from passbook.own_categories as own using given where own.user_id = given.user_id and parent_id is not null",
    "update passbook.own_categories as own set name = reverse(name) from given where parent_id is not null \
       and own.user_id = given.user_id",
    "update passbook.tags set name = reverse(name) from given where tags.user_id = given.user_id and tag_id = tag",
    "update passbook.accounts set name = reverse(name), balance_cents = 1 from given where accounts.user_id = given.user_id",
    "update passbook.bank_connections as b set name = reverse(name) from given where b.user_id = given.user_id",
    // A tag of one user becomes that of the other.
    "insert into passbook.tags (user_id, tag_id, name) select user_id, gen_random_uuid(), 'Neu' from given limit 1; \
       update passbook.tags set user_id = (select users.user_id from passbook.users order by user_id desc limit 1) \
       where name = 'Neu'; delete from passbook.tags where name = 'Neu'",
];

/// Changes of columns, each allowed for every row that the condition after it selects.
const CHANGES: [&str; 9] = [
    "amount_cents = amount_cents + 7",
    "date = date - 40",
    "pending = not pending",
    "currency = 'USD'",
    "merchant_name = 'Zoo'",
    "title = title || '.'",
    "linked_transaction_id = null",
    "account_id = (select min(account_id::text)::uuid from passbook.accounts where accounts.user_id = t.user_id)",
    "category = case category when 'RENT' then 'GROCERIES' when 'GROCERIES' then 'VACATION' when 'REFUND' then 'SALARY' \
       when 'SALARY' then 'REFUND' else category end",
];

pub(super) fn statement() -> impl Strategy<Value = Statement> {
    let user = 0_u8..2;
    let span = || (0_u8..POOL, 1_u8..8);
    prop_oneof![
        3 => (user.clone(), prop::collection::vec(row(), 1..10)).prop_map(|(user, rows)| Statement::Store(user, rows)),
        3 => (user.clone(), prop::collection::vec(row(), 1..10)).prop_map(|(user, rows)| Statement::Merge(user, rows)),
        3 => (user.clone(), row(), 0_u8..POOL).prop_map(|(user, row, posted)| Statement::Post(user, row, posted)),
        5 => (user.clone(), span(), 0..CHANGES.len())
            .prop_map(|(user, (from, length), change)| Statement::Change(user, from, from + length, change)),
        4 => (user.clone(), 0_u8..POOL, 0_u8..POOL).prop_map(|(user, from, to)| Statement::Link(user, from, to)),
        3 => (user.clone(), span()).prop_map(|(user, (from, length))| Statement::Delete(user, from, from + length)),
        4 => (user.clone(), span(), 0..LABELS.len())
            .prop_map(|(user, (from, length), label)| Statement::Label(user, from, from + length, label)),
        3 => (1..CURRENCIES.len(), 0_u16..700, 1_u16..90, 1_u16..2000)
            .prop_map(|(currency, from, length, units)| Statement::StoreRates(currency, from, length, units)),
        2 => (1..CURRENCIES.len(), 0_u16..700, 1_u16..90)
            .prop_map(|(currency, from, length)| Statement::DeleteRates(currency, from, length)),
        2 => (user.clone(), 0..CURRENCIES.len()).prop_map(|(user, currency)| Statement::Currency(user, currency)),
        2 => (user.clone(), 0..29_i16).prop_map(|(user, start)| Statement::MonthStart(user, start)),
        1 => (user.clone(), any::<bool>()).prop_map(|(user, excluded)| Statement::Exclusions(user, excluded)),
        1 => (user.clone(), 0_u8..3).prop_map(|(user, account)| Statement::DeleteAccount(user, account)),
        1 => user.prop_map(Statement::DeleteUser),
    ]
}

/// Returns statements that each change one column, or one kind of label, of all rows of a user.
pub(super) fn single_changes() -> impl Iterator<Item = Statement> {
    let columns = (0..CHANGES.len()).map(|change| Statement::Change(0, 0, POOL, change));
    columns.chain((0..LABELS.len()).map(|label| Statement::Label(0, 0, POOL, label)))
}

fn row() -> impl Strategy<Value = Row> {
    (
        (0_u8..POOL, 0_u8..3, 0_u16..700, 0..KINDS.len(), 0_u32..3_000_000),
        (0..CURRENCIES.len(), 0..MERCHANTS.len(), any::<bool>(), prop::option::weighted(0.4, 0_u8..POOL)),
    )
        .prop_map(|((number, account, days_ago, kind, cents), (currency, merchant, pending, link))| {
            Row {
                number,
                account,
                days_ago,
                kind,
                cents,
                currency,
                merchant,
                pending,
                link: link.filter(|link| *link != number),
            }
        })
}

/// Returns the identifier of a user.
pub(super) fn user(user: u8) -> String {
    format!("0000000{user}-0000-4000-8000-000000000000")
}

fn account(user: u8, account: u8) -> String {
    format!("0000000{user}-0000-4000-8000-00000000a00{account}")
}

fn transaction(user: u8, number: u8) -> String {
    format!("0000000{user}-0000-4000-8000-00000000b0{number:02}")
}

fn day(days_ago: u16) -> String {
    format!("date '2026-11-21' - {days_ago}")
}

/// Returns the statements that store the two users with banks and accounts.
pub(super) fn set_up() -> String {
    [0, 1].map(create_user).concat()
}

fn create_user(of: u8) -> String {
    let (id, bank) = (user(of), format!("0000000{of}-0000-4000-8000-00000000c000"));
    let accounts: String = (0..3).map(|number| create_account(of, number)).collect();
    format!(
        "insert into passbook.users (user_id, email) values ('{id}', 'user{of}@example.org'); \
         insert into passbook.bank_connections (user_id, bank_id, name) values ('{id}', '{bank}', 'Bank'); {accounts} \
         insert into passbook.own_categories (user_id, own_category_id, name, category, parent_id) \
           values ('{id}', '{id}', 'Haus', 'RENT', null), ('{id}', '{bank}', 'Garten', 'RENT', '{id}'); \
         insert into passbook.tags (user_id, tag_id, name) values ('{id}', '{id}', 'Urlaub');"
    )
}

fn create_account(of: u8, number: u8) -> String {
    format!(
        "insert into passbook.accounts \
         (user_id, account_id, bank_id, name, type, subtype, currency, balance_cents, balance_updated_at) \
         values ('{}', '{}', '0000000{of}-0000-4000-8000-00000000c000', 'Account', 'depository', 'checking', 'EUR', 0, \
         now()); ",
        user(of),
        account(of, number)
    )
}

/// Returns statements that store a row of the first user, and then an upsert that changes it to the posted row of a pending
/// row which the same statement inserts.
pub(super) fn upsert_of_a_posted_row() -> String {
    let row = Row { number: 1, days_ago: 9, kind: 1, cents: 700, merchant: 1, ..Row::default() };
    let post = Statement::Post(0, Row { number: 2, ..row.clone() }, 1);
    format!("{}; {}", store(0, &[row]), post.sql())
}

/// Returns statements that store rates and rows of each kind for both users, with a replaced pending row and a refund.
pub(super) fn example_rows() -> String {
    let rates = Statement::StoreRates(1, 0, 600, 110).sql();
    format!("{rates}; {}; {}", stored_rows(0).sql(), stored_rows(1).sql())
}

/// Returns the statement that stores rows of each kind for a user.
pub(super) fn stored_rows(of: u8) -> Statement {
    let row = |number: u8| Row {
        number,
        account: number % 3,
        days_ago: u16::from(number) * 31,
        kind: usize::from(number) % KINDS.len(),
        cents: 1_000 + u32::from(number),
        currency: usize::from(number % 3),
        merchant: usize::from(number) % MERCHANTS.len(),
        pending: number == 9,
        link: None,
    };
    let mut rows: Vec<Row> = (0..16).map(row).collect();
    rows.push(Row { number: 16, pending: false, link: Some(9), ..rows[9].clone() });
    rows.push(Row { number: 17, kind: 5, pending: false, link: Some(9), ..rows[9].clone() });
    Statement::Store(of, rows)
}

impl Statement {
    /// Returns the SQL text.
    pub(super) fn sql(&self) -> String {
        match self {
            Statement::Store(of, rows) => store(*of, rows),
            Statement::Merge(of, rows) => merge(*of, rows),
            Statement::Post(of, row, posted) => {
                let link = Some(row.number).filter(|number| number != posted);
                let posted = Row { number: *posted, pending: false, link, ..row.clone() };
                store(*of, &[Row { pending: true, link: None, ..row.clone() }, posted])
            }
            Statement::Change(of, from, to, change) => {
                let (id, change) = (user(*of), CHANGES[*change]);
                format!(
                    "update passbook.transactions as t set {change} where user_id = '{id}' and type <> 'INTERNAL_TRANSFER' \
                     and {}",
                    numbers(*from, *to)
                )
            }
            Statement::Link(of, from, to) if from != to => format!(
                "update passbook.transactions as t set linked_transaction_id = other.transaction_id \
                 from passbook.transactions as other where t.user_id = '{0}' and t.transaction_id = '{1}' \
                 and other.user_id = '{0}' and other.transaction_id = '{2}'",
                user(*of),
                transaction(*of, *from),
                transaction(*of, *to)
            ),
            Statement::Link(..) => "select 1".to_owned(),
            Statement::Delete(of, from, to) => format!(
                "delete from passbook.transactions where user_id = '{}' and {}",
                user(*of),
                numbers(*from, *to)
            ),
            Statement::Label(of, from, to, label) => {
                let ids = (*from..*to).map(|number| format!("('{}'::uuid)", transaction(*of, number)));
                let (rows, label) = (ids.collect::<Vec<_>>().join(", "), LABELS[*label]);
                format!(
                    "with given as (select own.user_id, id, own.own_category_id as own, tags.tag_id as tag \
                       from (values {rows}) as rows (id) join passbook.own_categories as own on own.name = 'Haus' \
                       join passbook.tags using (user_id) where own.user_id = '{}') {label}",
                    user(*of)
                )
            }
            Statement::StoreRates(currency, from, length, units) => format!(
                "insert into passbook.exchange_rates select '{}', {} - day, ({units} + day) / 100.0 \
                 from generate_series(0, {length}, 3) as day \
                 on conflict (currency, date) do update set rate = excluded.rate",
                CURRENCIES[*currency],
                day(*from)
            ),
            Statement::DeleteRates(currency, from, length) => format!(
                "delete from passbook.exchange_rates where currency = '{}' and date between {} and {}",
                CURRENCIES[*currency],
                day(from + length),
                day(*from)
            ),
            Statement::Currency(of, currency) => format!(
                "update passbook.users set preferred_currency = '{}' where user_id = '{}'",
                CURRENCIES[*currency],
                user(*of)
            ),
            Statement::MonthStart(of, start) => {
                format!("update passbook.users set month_start = {start} where user_id = '{}'", user(*of))
            }
            Statement::Exclusions(of, true) => format!(
                "insert into passbook.excluded_categories (user_id, category) values ('{}', 'VACATION') \
                 on conflict do nothing",
                user(*of)
            ),
            Statement::Exclusions(of, false) => {
                format!("delete from passbook.excluded_categories where user_id = '{}'", user(*of))
            }
            Statement::DeleteAccount(of, number) => format!(
                "delete from passbook.accounts where account_id = '{}'; {}",
                account(*of, *number),
                create_account(*of, *number)
            ),
            Statement::DeleteUser(of) => {
                format!("delete from passbook.users where user_id = '{}'; {}", user(*of), create_user(*of))
            }
        }
    }
}

fn numbers(from: u8, to: u8) -> String {
    format!("right(transaction_id::text, 2)::integer between {from} and {to}")
}

/// The columns that a statement updates, without the key.
const VALUES: [&str; 8] =
    ["account_id", "date", "type", "category", "amount_cents", "currency", "pending", "merchant_name"];

/// Returns the statement that stores rows with `insert … on conflict`.
fn store(of: u8, rows: &[Row]) -> String {
    let assignments: String = VALUES.map(|column| format!("{column} = excluded.{column}, ")).concat();
    format!(
        "insert into passbook.transactions (user_id, transaction_id, title, linked_transaction_id, {values}) \
         {given} on conflict (user_id, transaction_id) do update set {assignments} \
           linked_transaction_id = excluded.linked_transaction_id",
        values = VALUES.join(", "),
        given = given(of, rows),
    )
}

/// Returns the statement that stores rows with `merge`.
fn merge(of: u8, rows: &[Row]) -> String {
    let assignments: String = VALUES.map(|column| format!("{column} = staged.{column}, ")).concat();
    let inserted: String = VALUES.map(|column| format!(", staged.{column}")).concat();
    format!(
        "merge into passbook.transactions as stored using ({given}) as staged \
         on stored.user_id = staged.user_id and stored.transaction_id = staged.transaction_id \
         when matched then update set {assignments} linked_transaction_id = staged.linked_transaction_id \
         when not matched then \
           insert (user_id, transaction_id, title, linked_transaction_id, {values}) \
           values (staged.user_id, staged.transaction_id, staged.title, staged.linked_transaction_id{inserted})",
        values = VALUES.join(", "),
        given = given(of, rows),
    )
}

/// Returns the query of the rows to store: the key, the title, the link, and the columns [`VALUES`]. A link to a row that is
/// neither stored nor given is left out.
fn given(of: u8, rows: &[Row]) -> String {
    let mut values = String::new();
    for (position, row) in rows.iter().enumerate() {
        // One statement must not store a row twice.
        if rows[..position].iter().any(|earlier| earlier.number == row.number) {
            continue;
        }
        let (kind, category) = KINDS[row.kind];
        let separator = if values.is_empty() { "" } else { ", " };
        let link = row.link.map_or("null".to_owned(), |link| format!("'{}'", transaction(of, link)));
        write!(
            values,
            "{separator}('{}', '{}', {}, '{kind}', '{category}', {}, '{}', 'row {}', {}, {}, {link})",
            transaction(of, row.number),
            account(of, row.account),
            day(row.days_ago),
            row.cents,
            CURRENCIES[row.currency],
            row.number,
            row.pending,
            MERCHANTS[row.merchant],
        )
        .expect("writing to a string cannot fail");
    }
    format!(
        "with given (id, account, day, type, category, cents, currency, title, pending, merchant, link) as \
           (values {values}) \
         select '{id}'::uuid as user_id, given.id::uuid as transaction_id, given.title, \
           (select other.id::uuid from (select id from given union select transaction_id::text \
            from passbook.transactions where user_id = '{id}') as other where other.id = link::text) \
             as linked_transaction_id, \
           account::uuid as account_id, day as date, given.type, given.category, cents as amount_cents, \
           given.currency, given.pending, merchant::text as merchant_name \
         from given order by given.id",
        id = user(of)
    )
}
