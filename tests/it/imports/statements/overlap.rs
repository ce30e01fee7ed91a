//! A year as CAMT and as OFX files with overlapping windows: no row is doubled, and balances prove every month.

use serde_json::Value;

use super::writers::{Booking, camt, ofx};
use super::{IBAN, Importer, year};

/// The CAMT files of the months.
fn camt_files(importer: &Importer, bookings: &[Booking], without: Option<usize>) -> Vec<String> {
    let mut opening = 100_000;
    let mut files = Vec::new();
    for month in 1..=12_i8 {
        let own: Vec<Booking> = bookings.iter().filter(|one| one.day.month() == month).cloned().collect();
        let mut text = camt(usize::from(month.unsigned_abs()), &own, opening);
        if without == Some(usize::from(month.unsigned_abs())) {
            let start = text.find("<Ntry>").expect("an entry");
            let end = text.find("</Ntry>").expect("its end") + "</Ntry>".len();
            text.replace_range(start..end, "");
        }
        opening += own.iter().map(|one| one.cents).sum::<i64>();
        files.push(importer.file(&format!("{month:02}.xml"), &text));
    }
    files
}

/// The OFX files of the months, each of which begins ten days before its month.
fn ofx_files(importer: &Importer, bookings: &[Booking]) -> Vec<String> {
    (1..=12_i8)
        .map(|month| {
            let first = jiff::civil::date(2025, month, 1);
            let from = first.saturating_sub(jiff::Span::new().days(10));
            let before: i64 = bookings.iter().filter(|one| one.day < from).map(|one| one.cents).sum();
            let covers = |one: &&Booking| one.day >= from && one.day <= first.last_of_month();
            let own: Vec<Booking> = bookings.iter().filter(covers).cloned().collect();
            importer.file(&format!("{month:02}.ofx"), &ofx(&own, 100_000 + before))
        })
        .collect()
}

#[tokio::test]
async fn overlapping_files_in_any_order_give_the_same_proven_rows() {
    let bookings = year();
    let mut results = Vec::new();
    for order in 0..3 {
        let importer = Importer::new().await;
        let (camt, ofx) = (camt_files(&importer, &bookings, None), ofx_files(&importer, &bookings));
        let mut files: Vec<String> = match order {
            0 => camt.into_iter().chain(ofx).collect(),
            1 => ofx.into_iter().rev().chain(camt).collect(),
            _ => camt.into_iter().zip(ofx).flat_map(|(camt, ofx)| [ofx, camt]).collect(),
        };
        if order == 2 {
            // One file at a time, some of them again.
            files.swap(3, 17);
            for file in files.iter().chain(&files[..3]) {
                importer.import(std::slice::from_ref(file), &["--account", IBAN]);
            }
        } else {
            importer.import(&files, &["--account", IBAN]);
        }
        let rows = importer.rows().await;
        assert_eq!(rows.len(), bookings.len());
        let report = importer.json(&["reconcile"]);
        assert_eq!(report[0]["reconciled_through"], "2025-12-27", "{report}");
        assert_eq!(report[0]["findings"], Value::Array(Vec::new()));
        let banks = importer.get("/v1/banks/status").await;
        assert_eq!(banks["banks"][0]["reconciled_through"], "2025-12-27", "{banks}");
        results.push(rows);
    }
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
}

#[tokio::test]
async fn undo_leaves_no_trace() {
    let bookings = year();
    let importer = Importer::new().await;
    let (camt, ofx) = (camt_files(&importer, &bookings, None), ofx_files(&importer, &bookings));
    importer.import(&camt[..6], &[]);
    let before = importer.rows().await;
    let balance = |importer: &Importer| importer.json(&["account", "list"])[0]["balance_cents"].clone();
    let former = balance(&importer);
    importer.import(&ofx, &["--account", IBAN]);
    assert_eq!(importer.rows().await.len(), bookings.len());
    assert_ne!(balance(&importer), former);
    for file in &ofx {
        importer.json(&["undo", file]);
    }
    assert_eq!(importer.rows().await, before);
    assert_eq!(balance(&importer), former);
}

#[tokio::test]
async fn lost_entry_is_named_with_account_days_and_amount() {
    let importer = Importer::new().await;
    let files = camt_files(&importer, &year(), Some(5));
    importer.import(&files, &[]);
    let report = importer.json(&["reconcile"]);
    assert_eq!(report[0]["account"], "Checking");
    assert_eq!(report[0]["reconciled_through"], "2025-04-30", "{report}");
    let findings: Vec<&str> =
        report[0]["findings"].as_array().expect("findings").iter().filter_map(Value::as_str).collect();
    assert_eq!(
        findings,
        [
            "after 2025-04-30 through 2025-05-27: the balances change by -900.00 more",
            "05.xml: its lines lack -900.00 to its balances"
        ]
    );
}
