//! Benchmark of the portfolio history, compared with its SQL alone: `cargo test --package passbook-tests --bench
//! history`. The ledgers have 12 accounts in three currencies with a balance for every day of two and of ten years.

use std::time::{Duration, Instant};

use passbook_domain::Currency;
use passbook_domain::bank::BankStatus;
use passbook_domain::portfolio::AccountType;
use passbook_records::record::Record;
use tests::app::{App, TODAY};
use tests::assets::Assets;
use tests::database::execute;
use tests::household::Household;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

const ACCOUNTS: usize = 12;
/// Number of measurements. The median is printed.
const ROUNDS: usize = 31;
/// Query string, name, time range of the session, and interval of the SQL query.
const QUERIES: [(&str, &str, Option<&str>, &str); 4] = [
    ("", "a year, weeks", None, "auto"),
    ("?timeRange=3m", "3 months, days", Some("3m"), "auto"),
    ("?timeRange=all&interval=month", "all, months", Some("all"), "month"),
    ("?dateFrom=2023-08-10&interval=day", "1,200 days", None, "day"),
];

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stdout, reason = "the figures are the output")]
async fn main() {
    println!("{:>8}  {:16} {:>10} {:>10} {:>6}", "ledger", "range", "answer", "SQL alone", "ratio");
    for years in [2, 10] {
        let app = App::start().await;
        let user = ledger(&app, years).await;
        let token = app.token(user).await;
        for (query, name, time_range, interval) in QUERIES {
            if years < 4 && name == "1,200 days" {
                continue;
            }
            let from = query.strip_prefix("?dateFrom=").map(|query| &query[..10]);
            let target = format!("/v1/portfolio/history{query}");
            let (mut responses, mut queries) = (Vec::new(), Vec::new());
            let reader = Reader::connect(&app, user, from, time_range, interval).await;
            // Measure alternately, so that other load on the machine affects both.
            for _ in 0..ROUNDS {
                let started = Instant::now();
                app.get(&target, &token).await.ok();
                responses.push(started.elapsed());
                queries.push(reader.run().await);
            }
            let (answer, sql) = (median(responses), median(queries));
            let ratio = answer.as_secs_f64() / sql.as_secs_f64();
            println!(
                "{years:>2} years  {name:16} {:>7.1} ms {:>7.1} ms {ratio:>6.2}",
                milliseconds(answer),
                milliseconds(sql)
            );
        }
        app.stop().await;
    }
}

/// Adds a person with a balance and a rate for every day.
async fn ledger(app: &App, years: i32) -> Uuid {
    let household = Household::new();
    let user = household.user.user_id;
    let mut assets = Assets::new(user);
    let bank = assets.bank("Seaside Bank", BankStatus::Connected);
    for at in 0..ACCOUNTS {
        let currency = ["EUR", "USD", "CHF"][at % 3];
        assets.account(bank, &format!("Account {at}"), AccountType::Depository, 123_456, currency);
    }
    let person = household.records().into_iter().take(1);
    app.load(person.chain([Record::RateBase(Currency::EUR)]).chain(assets.records)).await;
    let days =
        format!("generate_series(date '{TODAY}' - interval '{years} years', date '{TODAY}', '1 day') as day");
    app.write(&format!(
        "insert into passbook.balance_snapshots (user_id, account_id, date, balance_cents) \
         select user_id, account_id, day::date, (100000 + extract(doy from day) * 37)::bigint \
         from passbook.accounts cross join {days}; \
         insert into passbook.exchange_rates (currency, date, rate) \
         select code, day::date, 1 + extract(doy from day) / 4000 \
         from {days} cross join unnest(array['USD', 'CHF']) as code"
    ))
    .await;
    execute(&app.database.connect("postgres").await, "analyze").await;
    user
}

/// Runs the two queries of the history alone, prepared and in an open session.
struct Reader {
    client: tokio_postgres::Client,
    queries: Vec<(tokio_postgres::Statement, usize)>,
    user: Uuid,
    interval: String,
}

impl Reader {
    async fn connect(
        app: &App,
        user: Uuid,
        from: Option<&str>,
        time_range: Option<&str>,
        interval: &str,
    ) -> Reader {
        let client = app.database.connect("passbook_reader").await;
        let quoted = |text: Option<&str>| text.map_or("null".to_owned(), |text| format!("'{text}'"));
        let time_range = quoted(time_range.or(from.is_none().then_some("1y")));
        let open = format!(
            "begin isolation level repeatable read, read only; select from passbook_read.open_session(\
             '{user}', 'x', 'x', {}, null, {time_range}, null, null, '{TODAY}')",
            quoted(from)
        );
        execute(&client, &open).await;
        let mut queries = Vec::new();
        let read = [
            ("portfolio_history_span", 2),
            ("portfolio_history_days", 3),
            ("balance_facts", 1),
            ("portfolio_history_wallets", 3),
        ];
        for (name, parameters) in read {
            let statement = client.prepare(tests::plans::sql(name)).await.expect("the query is prepared");
            queries.push((statement, parameters));
        }
        Reader { client, queries, user, interval: interval.to_owned() }
    }

    async fn run(&self) -> Duration {
        let parameters: [&(dyn ToSql + Sync); 3] = [&self.user, &self.interval, &1_200_i32];
        let started = Instant::now();
        for (query, count) in &self.queries {
            self.client.query(query, &parameters[..*count]).await.expect("the query runs");
        }
        started.elapsed()
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
