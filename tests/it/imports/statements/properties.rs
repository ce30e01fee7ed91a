//! Properties of imports: the order of random files, and the format of a household, do not change rows and totals.

use jiff::civil::Date;
use passbook_ledger_kit::Random;
use serde_json::{Value, json};
use tests::admin::admin_with_input;

use super::{Booking, EMAIL, IBAN, Importer, camt, csv, mt940, ofx, qif, year};

/// Balance before the first booking.
const OPENING: i64 = 100_000;
const FILES: usize = 5;
/// Writes bookings that have this balance before them.
type Write = fn(&[Booking], i64) -> String;
const CSV: (&str, Write) = ("csv", |bookings, _| csv(bookings));
const OFX: (&str, Write) = ("ofx", ofx);
const CAMT: (&str, Write) = ("xml", camt);
const MT940: (&str, Write) = ("sta", mt940);
const QIF: (&str, Write) = ("qif", |bookings, _| qif(bookings));

/// A random household of 40 days, with equal bookings on one day.
fn household(random: &mut Random) -> Vec<Booking> {
    let mut bookings = Vec::new();
    for _ in 0..50 {
        let (month, day) = (1 + random.below(2), 1 + random.below(20));
        let cents = *random.pick(&[-500, -500, -750, -1_299, 2_500]);
        let small = |number: usize| i8::try_from(number).expect("a small number");
        let party: &str = ["REWE", "Kiosk", "Ada"][random.below(3)];
        bookings.push(Booking::new(small(month), small(day), cents, party));
    }
    bookings.sort_by_key(|booking| booking.day);
    bookings
}

/// Cuts random ranges of whole days. Each range has a balance before it, and the numbers of its bookings.
fn cuts(random: &mut Random, bookings: &[Booking]) -> Vec<(i64, std::ops::Range<usize>)> {
    let cut = |_| {
        let mut ends =
            [bookings[random.below(bookings.len())].day, bookings[random.below(bookings.len())].day];
        ends.sort_unstable();
        let first = bookings.partition_point(|booking| booking.day < ends[0]);
        let end = bookings.partition_point(|booking| booking.day <= ends[1]);
        let before: i64 = bookings[..first].iter().map(|booking| booking.cents).sum();
        (OPENING + before, first..end)
    };
    (0..FILES).map(cut).collect()
}

fn shuffle<T>(random: &mut Random, all: &mut [T]) {
    for last in (1..all.len()).rev() {
        all.swap(last, random.below(last + 1));
    }
}

/// The bookings that a set of cuts covers, as [`Importer::bookings`] shows day and amount.
fn truth(bookings: &[Booking], cuts: &[(i64, std::ops::Range<usize>)]) -> Vec<(Date, i64)> {
    let covered = (0..bookings.len()).filter(|number| cuts.iter().any(|(_, cut)| cut.contains(number)));
    covered.map(|number| (bookings[number].day, bookings[number].cents)).collect()
}

async fn days_and_amounts(importer: &Importer) -> Vec<(Date, i64)> {
    let rows = importer.bookings().await;
    let parse = |row: &String| {
        let words: Vec<&str> = row.split(' ').collect();
        (words[1].parse().expect("a day"), words[2].parse().expect("an amount"))
    };
    let mut rows: Vec<(Date, i64)> = rows.iter().map(parse).collect();
    rows.sort_unstable();
    rows
}

async fn check(seed: u64, formats: &[(&str, Write)]) {
    let mut random = Random::new(seed);
    let bookings = household(&mut random);
    let cuts = cuts(&mut random, &bookings);
    let importer = Importer::new().await;
    let mut files = Vec::new();
    for (number, (opening, cut)) in cuts.iter().enumerate() {
        let (extension, write) = *random.pick(formats);
        files.push(
            importer.folder.write(&format!("{number}.{extension}"), &write(&bookings[cut.clone()], *opening)),
        );
    }
    let flags = ["--account", IBAN, "--date-order", "dmy"];
    let import = |file: &String| drop(importer.import(std::slice::from_ref(file), &flags));
    let undo = |file: &String| drop(importer.json(&["import", "undo", file]));

    files.iter().for_each(import);
    let all = importer.rows().await;
    let mut expected = truth(&bookings, &cuts);
    expected.sort_unstable();
    assert_eq!(days_and_amounts(&importer).await, expected, "seed {seed}");
    import(random.pick(&files));
    assert_eq!(importer.rows().await, all, "seed {seed}: repetition");

    let gone = random.below(files.len());
    undo(&files[gone]);
    let without = importer.rows().await;
    let others = files.iter().enumerate().filter(|(number, _)| *number != gone);
    others.for_each(|(_, file)| undo(file));
    assert!(importer.rows().await.is_empty(), "seed {seed}");

    let mut order: Vec<usize> = (0..files.len()).filter(|number| *number != gone).collect();
    shuffle(&mut random, &mut order);
    order.iter().for_each(|number| import(&files[*number]));
    assert_eq!(importer.rows().await, without, "seed {seed}: undo of {gone}, order {order:?}");
    import(&files[gone]);
    assert_eq!(importer.rows().await, all, "seed {seed}: order {order:?}, {gone}");
}

/// A test for each seed, with the formats that its files may have.
macro_rules! properties {
    ($($name:ident: $seed:literal, $formats:expr;)*) => {
        $(
            #[tokio::test]
            async fn $name() {
                check($seed, &$formats).await;
            }
        )*
    };
}

properties! {
    csv_files_keep_the_properties: 1, [CSV];
    ofx_files_keep_the_properties: 2, [OFX];
    camt_files_keep_the_properties: 3, [CAMT];
    mt940_files_keep_the_properties: 4, [MT940];
    qif_files_keep_the_properties: 5, [QIF];
    files_of_mixed_formats_keep_the_properties: 6, [CSV, OFX, CAMT, MT940, QIF];
    other_files_of_mixed_formats_keep_the_properties: 7, [CSV, OFX, CAMT, MT940, QIF];
}

/// A bundle of the bookings with these numbers; with `deleted`, the bundle that deletes them.
fn bundle(bookings: &[Booking], numbers: &[usize], deleted: bool) -> String {
    let user = passbook_records::id::user(EMAIL).to_string();
    let row = |number: &usize| {
        let booking = &bookings[*number];
        let (kind, category) =
            if booking.cents < 0 { ("EXPENSE", "GROCERIES") } else { ("INCOME", "SALARY") };
        json!({
            "user": user, "id": format!("t{number}"), "account": IBAN, "date": booking.day, "type": kind,
            "category": category, "amount_cents": booking.cents.abs(), "currency": "EUR", "title": booking.party,
        })
    };
    let id = |number: &usize| json!({ "user": user, "id": format!("t{number}") });
    let head = |rows: Value| {
        let mut document = json!({ "format": "passbook-bundle", "version": 1 });
        document[if deleted { "deleted" } else { "transactions" }] = rows;
        document.to_string()
    };
    match deleted {
        false => head(numbers.iter().map(row).collect()),
        true => head(json!({ "transactions": numbers.iter().map(id).collect::<Vec<_>>() })),
    }
}

#[tokio::test]
async fn bundles_keep_the_properties() {
    let mut random = Random::new(8);
    let bookings = household(&mut random);
    let cuts = cuts(&mut random, &bookings);
    let importer = Importer::new().await;
    let load = |text: &str| {
        drop(admin_with_input(importer.database(), &["load", "-", "--user", EMAIL], text).done());
    };
    let numbers: Vec<Vec<usize>> = cuts.iter().map(|(_, cut)| cut.clone().collect()).collect();
    let files: Vec<String> = numbers.iter().map(|own| bundle(&bookings, own, false)).collect();
    files.iter().chain(&files[..2]).for_each(|text| load(text));
    let all = importer.rows().await;
    assert_eq!(days_and_amounts(&importer).await.len(), truth(&bookings, &cuts).len());
    // The rows of the first file that no other file has.
    let others = |number: &usize| numbers[1..].iter().any(|own| own.contains(number));
    let own: Vec<usize> = numbers[0].iter().copied().filter(|number| !others(number)).collect();
    load(&bundle(&bookings, &own, true));
    let without = importer.rows().await;
    assert_eq!(without.len(), all.len() - own.len());
    let covered: Vec<usize> = (0..bookings.len()).filter(others).collect();
    load(&bundle(&bookings, &covered, true));
    assert!(importer.rows().await.is_empty());
    files[1..].iter().rev().for_each(|text| load(text));
    assert_eq!(importer.rows().await, without);
    load(&files[0]);
    assert_eq!(importer.rows().await, all);
}

/// The bundle of the household, with the categories that the starter rules give.
fn household_bundle(bookings: &[Booking]) -> String {
    let user = passbook_records::id::user(EMAIL).to_string();
    let row = |(number, booking): (usize, &Booking)| {
        let (kind, category) = match booking.party.as_str() {
            "Acme Gehalt" => ("INCOME", "SALARY"),
            "Netflix" => ("EXPENSE", "SUBSCRIPTIONS"),
            "REWE" => ("EXPENSE", "GROCERIES"),
            _ => ("EXPENSE", "RENT"),
        };
        json!({
            "user": user, "id": format!("t{number}"), "account": IBAN, "date": booking.day, "type": kind,
            "category": category, "amount_cents": booking.cents.abs(), "currency": "EUR", "title": booking.party,
            "merchant_name": booking.party,
        })
    };
    let rows: Vec<Value> = bookings.iter().enumerate().map(row).collect();
    json!({ "format": "passbook-bundle", "version": 1, "transactions": rows }).to_string()
}

/// Removes identifiers, which differ between formats.
fn without_ids(mut value: Value) -> Value {
    if let Some(object) = value.as_object_mut() {
        object.retain(|name, _| !matches!(name.as_str(), "id" | "transaction_ids" | "account_id"));
    }
    match value {
        Value::Object(object) => object.into_iter().map(|(name, value)| (name, without_ids(value))).collect(),
        Value::Array(values) => values.into_iter().map(without_ids).collect(),
        other => other,
    }
}

/// The totals of a household.
async fn totals(importer: &Importer) -> Vec<Value> {
    let mut totals = Vec::new();
    for target in [
        "/v1/cashflow/summary?dateFrom=2025-01-01&dateTo=2025-12-31",
        "/v1/cashflow/summary?dateFrom=2025-03-01&dateTo=2025-03-31",
        "/v1/spending/summary?dateFrom=2025-01-01&dateTo=2025-12-31",
        "/v1/spending/categories?dateFrom=2025-01-01&dateTo=2025-12-31",
        "/v1/recurring-payments",
    ] {
        totals.push(without_ids(importer.get(target).await));
    }
    totals
}

#[tokio::test]
async fn every_format_gives_the_totals_of_the_bundle() {
    let bookings = year();
    let from_bundle = Importer::new().await;
    admin_with_input(from_bundle.database(), &["load", "-", "--user", EMAIL], &household_bundle(&bookings))
        .done();
    let expected = totals(&from_bundle).await;
    assert_eq!(expected[0]["expenseTotal"]["amount_cents"], 12 * (90_000 + 1_299) + groceries(&bookings));
    for (name, content) in [
        ("household.csv", csv(&bookings)),
        ("household.ofx", ofx(&bookings, 100_000)),
        ("household.xml", camt(&bookings, 100_000)),
        ("household.sta", mt940(&bookings, 100_000)),
        ("household.qif", qif(&bookings)),
    ] {
        let importer = Importer::new().await;
        let file = importer.folder.write(name, &content);
        let imported = importer.import(&[file], &["--account", IBAN]);
        assert_eq!(imported["files"][0]["new"], bookings.len(), "{name}");
        assert_eq!(totals(&importer).await, expected, "{name}");
    }
}

fn groceries(bookings: &[Booking]) -> i64 {
    bookings.iter().filter(|booking| booking.party == "REWE").map(|booking| -booking.cents).sum()
}
