//! How long the history of a portfolio takes, beside its SQL alone, both in one run: `cargo test --package
//! passbook-tests --bench history`. The ledger has 12 accounts in three currencies, each with a balance for every day, for two years and for ten.

use std::time::{Duration, Instant};

use domain::Currency;
use domain::bank::BankStatus;
use domain::portfolio::AccountType;
use formats::record::Record;
use tests::app::{App, TODAY};
use tests::assets::Assets;
use tests::household::Household;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

const ACCOUNTS: usize = 12;
/// Answers measured, of which the median counts.
const ROUNDS: usize = 31;
/// Query, and what it is to the session and to the questions.
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
            let (mut answers, mut questions) = (Vec::new(), Vec::new());
            let reader = Reader::connect(&app, user, from, time_range, interval).await;
            // In turns, so that whatever else the machine does is shared.
            for _ in 0..ROUNDS {
                let started = Instant::now();
                app.get(&target, &token).await.ok();
                answers.push(started.elapsed());
                questions.push(reader.ask().await);
            }
            let (answer, sql) = (median(answers), median(questions));
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

/// A person with balances for every day, and rates for every day.
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
        "insert into passbook.balance_snapshots (user_id, account_id, as_of, balance_cents) \
         select user_id, account_id, day::date, (100000 + extract(doy from day) * 37)::bigint \
         from passbook.accounts cross join {days}; \
         insert into passbook.exchange_rates (currency, as_of, units_per_base) \
         select code, day::date, 1 + extract(doy from day) / 4000 \
         from {days} cross join unnest(array['USD', 'CHF']) as code"
    ))
    .await;
    let superuser = app.database.connect("postgres").await;
    superuser.batch_execute("analyze").await.expect("a superuser may");
    user
}

/// Asks the two questions by themselves, prepared, in a session that is open already.
struct Reader {
    client: tokio_postgres::Client,
    questions: Vec<(tokio_postgres::Statement, usize)>,
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
        client.batch_execute(&open).await.expect("a session opens");
        let mut questions = Vec::new();
        for (name, parameters) in [("portfolio_history_span", 2), ("portfolio_history", 3)] {
            let question = store::QUESTIONS.iter().find(|question| question.name == name).expect("listed");
            questions.push((client.prepare(question.sql).await.expect("it prepares"), parameters));
        }
        Reader { client, questions, user, interval: interval.to_owned() }
    }

    async fn ask(&self) -> Duration {
        let parameters: [&(dyn ToSql + Sync); 3] = [&self.user, &self.interval, &1_200_i32];
        let started = Instant::now();
        for (question, count) in &self.questions {
            self.client.query(question, &parameters[..*count]).await.expect("it answers");
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
