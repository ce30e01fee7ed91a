//! Fees that files state: counted once, whether the amount contains them or not.

use super::{IBAN, Importer};

const HEADER: &str =
    "Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance\n";
const ROWS: [&str; 4] = [
    "CARD_PAYMENT,Current,2025-01-02 10:00:00,2025-01-03 10:00:00,Kiosk,-5.00,0.00,EUR,COMPLETED,95.00\n",
    "ATM,Current,2025-01-04 10:00:00,2025-01-04 10:00:00,Machine,-10.00,0.50,EUR,COMPLETED,84.50\n",
    "FEE,Current,2025-01-05 10:00:00,2025-01-05 10:00:00,Premium plan fee,0.00,7.99,EUR,COMPLETED,76.51\n",
    "TOPUP,Current,2025-01-06 10:00:00,2025-01-06 10:00:00,Top-up,20.00,0.00,EUR,COMPLETED,96.51\n",
];

#[tokio::test]
async fn fee_apart_from_the_amount_is_a_transaction_of_its_own() {
    let importer = Importer::new().await;
    let all = importer.file("all.csv", &format!("{HEADER}{}", ROWS.concat()));
    let part = importer.file("part.csv", &format!("{HEADER}{}", ROWS[..3].concat()));
    importer.import(&[part, all], &["--account", IBAN]);
    let expected = [
        "Checking 2025-01-03 -500 UNCATEGORIZED",
        "Checking 2025-01-04 -1000 CASH_WITHDRAWAL",
        "Checking 2025-01-04 -50 BANK_FEES",
        "Checking 2025-01-05 -799 BANK_FEES",
        "Checking 2025-01-06 2000 OTHER_INCOME",
    ];
    assert_eq!(importer.bookings().await, expected);
    // The balances of the rows contain the fees.
    let report = importer.json(&["reconcile"]);
    assert_eq!(report[0]["reconciled_through"], "2025-01-06", "{report}");
    assert_eq!(report[0]["findings"], serde_json::json!([]));
    let explained = importer.json(&["explain", &fee_id(&importer).await]);
    assert_eq!(explained["identity"], "the fee that the line states apart");
    assert!(explained["lines"][0]["raw"].as_str().is_some_and(|raw| raw.contains("Machine")), "{explained}");
}

async fn fee_id(importer: &Importer) -> String {
    let writer = importer.database().connect("passbook_writer").await;
    let query = "select transaction_id::text from passbook.transactions where amount_cents = 50";
    writer.query_one(query, &[]).await.expect("one fee").get(0)
}

#[tokio::test]
async fn charges_inside_the_amount_are_not_counted_again() {
    let importer = Importer::new().await;
    let entry = "<Ntry><Amt Ccy=\"EUR\">10.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2025-01-03</Dt>\
                 </BookgDt><Chrgs><TtlChrgsAndTaxAmt Ccy=\"EUR\">0.50</TtlChrgsAndTaxAmt></Chrgs></Ntry>";
    let text = format!(
        "<Document><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><IBAN>{IBAN}</IBAN></Id><Ccy>EUR</Ccy></Acct>{entry}</Stmt>\
         </BkToCstmrStmt></Document>"
    );
    let file = importer.file("charges.xml", &text);
    importer.import(&[file], &[]);
    assert_eq!(importer.bookings().await, ["Checking 2025-01-03 -1050 UNCATEGORIZED"]);
}
