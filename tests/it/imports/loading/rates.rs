//! Exchange rates: the file of the European Central Bank, and the single base currency of all stored rates.

use passbook_ingest::load::{LoadError, Options, load};
use serde_json::{Value, json};
use tests::database::Database;

use super::{content, counts};

const FILE: &str = "Date,USD,JPY,CYP,\n2026-04-13,1.0841,168.25,N/A,\n2026-04-10,1.0832,168.01,N/A,\n";

fn bundle(base: &str, rates: Value) -> Value {
    json!({ "format": "passbook-bundle", "version": 1, "rate_base": base, "exchange_rates": rates })
}

#[tokio::test]
async fn ecb_file_loads_and_second_load_changes_nothing() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let first = load(&mut client, passbook_records::ecb_rates::read(FILE.as_bytes()), Options::default())
        .await
        .expect("the file has no faults");
    assert_eq!(counts(&first), (4, 0, 1));
    let second = load(&mut client, passbook_records::ecb_rates::read(FILE.as_bytes()), Options::default())
        .await
        .expect("the file has no faults");
    assert_eq!(counts(&second), (0, 0, 5));
    let reader = database.connect("postgres").await;
    let rate = "select rate::text from passbook.exchange_rates where currency = 'JPY' order by date";
    let rates: Vec<String> =
        reader.query(rate, &[]).await.expect("rows").iter().map(|row| row.get(0)).collect();
    assert_eq!(rates, ["168.01", "168.25"]);
}

#[tokio::test]
async fn faulty_line_in_the_rates_file_stores_nothing() {
    let database = Database::fresh().await;
    let mut client = database.connect("passbook_writer").await;
    let before = content(&database).await;
    let text = FILE.replace("1.0832", "1,0832").replace("168.25", "x");
    let faults =
        load(&mut client, passbook_records::ecb_rates::read(std::io::Cursor::new(text)), Options::default())
            .await;
    let Err(LoadError::Faults(faults)) = faults else { panic!("expected faults, found {faults:?}") };
    let places: Vec<&str> = faults.iter().map(|fault| fault.place.as_str()).collect();
    assert_eq!(places, ["line 2, column JPY", "line 3"]);
    assert_eq!(content(&database).await, before);
}

#[tokio::test]
async fn concurrent_loads_cannot_store_rates_of_two_bases() {
    let database = Database::fresh().await;
    let mut one = database.connect("passbook_writer").await;
    let mut two = database.connect("passbook_writer").await;
    let rates =
        |currency: &str| json!([{ "currency": currency, "as_of": "2026-11-20", "units_per_base": "1.1" }]);
    let (in_euro, in_dollar) = (bundle("EUR", rates("JPY")), bundle("USD", rates("JPY")));
    let (euro, dollar) =
        tokio::join!(super::load_bundle(&mut one, &in_euro), super::load_bundle(&mut two, &in_dollar));
    assert!(euro.is_ok() != dollar.is_ok(), "exactly one load must succeed: {euro:?}, {dollar:?}");
    let refused = euro.and(dollar).expect_err("one load fails");
    let LoadError::Faults(faults) = refused else { panic!("expected a fault, found {refused:?}") };
    assert_eq!(faults[0].place, "rate_base");
}
