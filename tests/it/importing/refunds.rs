//! Refunds: which purchase a refund is linked to, which refunds stay without a link, and spending by category.

use std::collections::BTreeMap;

use passbook_formats::beancount::{AccountMap, Import};
use passbook_formats::record::{Record, Transaction};
use tests::app::App;
use uuid::Uuid;

use super::{import_files, ledger, transactions, user};

const OPEN: &str = "2024-01-01 open Assets:Bank:Checking\n2024-01-01 open Assets:Bank:Card\n\
    2024-01-01 open Expenses:Clothing\n2024-01-01 open Expenses:Shoes\n";

/// An entry on one line: day, payee or `-`, title, links, account and amount. A title names the row in the tests.
fn entry(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [day, payee, title, links @ .., account, amount, currency] = &words[..] else { panic!("{line}") };
    let payee = if *payee == "-" { String::new() } else { format!("\"{payee}\" ") };
    let links = links.join(" ");
    format!(
        "2024-{day} * {payee}\"{title}\" {links}\n  Expenses:{account}  {amount} {currency}\n  Assets:Bank:Checking\n"
    )
}

fn imported(lines: &[&str]) -> Import {
    let entries: String = lines.iter().map(|line| entry(line)).collect();
    let text = format!("{OPEN}{entries}");
    import_files(&[("main.beancount", &text)], &AccountMap::built_in()).expect("the ledger has no faults")
}

/// The refunds with the titles of their purchases, as `refund -> purchase`, sorted.
fn links(import: &Import) -> Vec<String> {
    let rows: BTreeMap<Uuid, &Transaction> =
        transactions(import).into_iter().map(|row| (row.transaction_id, row)).collect();
    let linked = rows.values().filter_map(|row| {
        let purchase = rows[&row.linked_transaction_id?];
        assert_eq!((row.category.as_str(), purchase.transaction_type.as_str()), ("REFUND", "EXPENSE"));
        Some(format!("{} -> {}", row.title, purchase.title))
    });
    let mut links: Vec<String> = linked.collect();
    links.sort();
    links
}

/// The refunds without a link, as `line amount account (reason)`. Line 5 is the first line of the first entry.
fn unlinked(import: &Import) -> Vec<String> {
    let text = |refund: &passbook_formats::beancount::UnlinkedRefund| {
        let text = refund.to_string();
        text.rsplit_once("main.beancount:").expect("a place").1.to_owned()
    };
    import.report.unlinked_refunds.iter().map(text).collect()
}

#[test]
fn refund_is_linked_to_the_purchase_with_a_common_link() {
    for (name, lines) in [
        (
            "another payee",
            &["01-10 Zalando buy ^zal-1 Clothing 89.90 EUR", "01-24 Bank back ^zal-1 Clothing -89.90 EUR"][..],
        ),
        (
            "a part",
            &["01-10 Zalando buy ^zal-1 Clothing 89.90 EUR", "01-24 Zalando back ^zal-1 Clothing -20.00 EUR"],
        ),
        (
            "one of several links",
            &["01-10 - buy ^a ^b Clothing 9.00 EUR", "01-10 - back ^b ^c Clothing -9.00 EUR"],
        ),
        (
            "another purchase is too small",
            &[
                "01-09 A small ^a Clothing 5.00 EUR",
                "01-10 A buy ^a Clothing 9.00 EUR",
                "01-11 A back ^a Clothing -8.00 EUR",
            ],
        ),
        (
            "one of two has the amount",
            &[
                "01-09 A large ^a Clothing 9.50 EUR",
                "01-10 A buy ^a Clothing 9.00 EUR",
                "01-11 A back ^a Clothing -9.00 EUR",
            ],
        ),
        (
            "another account, currency, link or day",
            &[
                "01-01 A shoes ^a Shoes 9.00 EUR",
                "01-01 A dollars ^a Clothing 9.00 USD",
                "01-01 A other ^b Clothing 9.00 EUR",
                "01-10 A buy ^a Clothing 9.00 EUR",
                "01-11 A back ^a Clothing -9.00 EUR",
                "01-12 A late ^a Clothing 9.00 EUR",
            ],
        ),
    ] {
        let import = imported(lines);
        assert_eq!(links(&import), ["back -> buy"], "{name}");
        assert_eq!((import.report.linked_refunds, unlinked(&import)), (1, vec![]), "{name}");
    }
}

#[test]
fn several_refunds_share_a_purchase_up_to_its_amount() {
    let lines = [
        "01-10 A buy ^a Clothing 100.00 EUR",
        "01-11 A first ^a Clothing -60.00 EUR",
        "01-12 A second ^a Clothing -40.00 EUR",
        "01-13 A third ^a Clothing -0.01 EUR",
    ];
    let import = imported(&lines);
    assert_eq!(links(&import), ["first -> buy", "second -> buy"]);
    assert_eq!(unlinked(&import), ["14: 0.01 EUR, Expenses:Clothing (no earlier purchase matches)"]);
}

#[test]
fn refund_without_a_link_is_linked_to_the_only_equal_purchase_of_the_payee() {
    let import = imported(&[
        "01-01 A other-amount Clothing 8.00 EUR",
        "01-01 A other-account Shoes 9.00 EUR",
        "01-01 A other-currency Clothing 9.00 USD",
        "01-01 B other-payee Clothing 9.00 EUR",
        "01-01 - no-payee Clothing 9.00 EUR",
        "01-02 A buy Clothing 9.00 EUR",
        "01-03 A back Clothing -9.00 EUR",
        "01-04 A later Clothing 9.00 EUR",
        "01-05 A again Clothing -9.00 EUR",
        "01-06 A third Clothing -9.00 EUR",
    ]);
    // The purchase of the first refund is taken, so the second one is unique again.
    assert_eq!(links(&import), ["again -> later", "back -> buy"]);
    assert_eq!(unlinked(&import), ["32: 9.00 EUR, Expenses:Clothing (no earlier purchase matches)"]);
}

#[test]
fn refund_of_one_of_several_purchases_is_listed_and_not_linked() {
    let several = "(several earlier purchases match)";
    for (name, lines) in [
        (
            "payee",
            [
                "01-01 A one Clothing 9.00 EUR",
                "01-02 A two Clothing 9.00 EUR",
                "01-03 A back Clothing -9.00 EUR",
            ],
        ),
        (
            "link",
            [
                "01-01 A one ^a Clothing 7.00 EUR",
                "01-02 A two ^a Clothing 8.00 EUR",
                "01-03 A back ^a Clothing -6.00 EUR",
            ],
        ),
        (
            "link and amount",
            [
                "01-01 A one ^a Clothing 6.00 EUR",
                "01-02 A two ^a Clothing 6.00 EUR",
                "01-03 A back ^a Clothing -6.00 EUR",
            ],
        ),
    ] {
        let import = imported(&lines);
        assert_eq!(links(&import), [""; 0], "{name}");
        let [listed] = &unlinked(&import)[..] else { panic!("{name}: one refund is listed") };
        assert!(listed.starts_with("11: ") && listed.ends_with(several), "{name}: {listed}");
        assert!(import.report.to_string().contains("refund without a purchase: "), "{}", import.report);
    }
    let nothing = imported(&["01-03 A back Clothing -9.00 EUR", "01-04 A later Clothing 9.00 EUR"]);
    assert_eq!(unlinked(&nothing), ["5: 9.00 EUR, Expenses:Clothing (no earlier purchase matches)"]);
}

#[test]
fn links_of_refunds_do_not_depend_on_the_order_of_the_file() {
    let lines = [
        "01-01 A p1 ^a Clothing 50.00 EUR",
        "01-01 A p2 ^a ^b Clothing 30.00 EUR",
        "01-02 A p3 Clothing 9.00 EUR",
        "01-03 A r1 ^a Clothing -30.00 EUR",
        "01-03 A r2 ^a Clothing -25.00 EUR",
        "01-03 A r3 ^b Clothing -5.00 EUR",
        "01-03 A r4 Clothing -9.00 EUR",
        "01-03 A r5 Clothing -9.00 EUR",
        "01-04 A p4 Clothing 9.00 EUR",
        "01-05 A r6 Clothing -9.00 EUR",
    ];
    let stored = |lines: &[&str]| {
        let import = imported(lines);
        let mut rows: Vec<_> = transactions(&import)
            .into_iter()
            .map(|row| (row.transaction_id, row.title.clone(), row.linked_transaction_id))
            .collect();
        rows.sort();
        rows
    };
    let written = stored(&lines);
    assert!(written.iter().filter(|(.., link)| link.is_some()).count() >= 4, "{written:?}");
    let mut turned = lines;
    for _ in 0..lines.len() {
        turned.rotate_left(1);
        assert_eq!(stored(&turned), written);
        let mut reversed = turned;
        reversed.reverse();
        assert_eq!(stored(&reversed), written);
    }
}

#[test]
fn link_does_not_change_the_identifier_of_a_row() {
    let with = imported(&["01-10 A buy ^a Clothing 9.00 EUR", "01-11 A back ^a Clothing -9.00 EUR"]);
    let without = imported(&["01-10 A buy Clothing 9.00 EUR", "01-11 A back Clothing -9.00 EUR"]);
    let ids = |import: &Import| -> Vec<Uuid> {
        transactions(import).iter().map(|row| row.transaction_id).collect()
    };
    assert_eq!(ids(&with), ids(&without));
}

#[test]
fn loss_under_income_is_neither_a_purchase_nor_a_refund() {
    let import = ledger(
        r#"
2024-02-01 * "Broker" "Loss" ^a
  Income:Job:Salary  20 USD
  Assets:US:BofA:Checking
2024-02-02 * "Broker" "Gain" ^a
  Income:Job:Salary  -20 USD
  Assets:US:BofA:Checking
"#,
    );
    assert_eq!(links(&import), [""; 0]);
    assert!(import.report.unlinked_refunds.is_empty());
}

#[tokio::test]
async fn refunded_purchase_is_shown_with_its_refund_in_spending_by_category() {
    let app = App::start().await;
    let import = imported(&[
        "01-10 Zalando buy ^zal-1 Clothing 89.90 EUR",
        "01-24 Zalando back ^zal-1 Clothing -89.90 EUR",
        "01-25 Zalando unknown Clothing -5.00 EUR",
    ]);
    let mut person = user();
    person.preferred_currency = passbook_domain::Currency::EUR;
    let records = import.records.into_iter().map(|located| located.record);
    app.load([Record::User(person.clone()), super::ledger_record()].into_iter().chain(records)).await;
    let token = app.token(person.user_id).await;
    let answer = app.get("/v1/spending/categories?timeRange=all", &token).await.ok();
    let [clothing] = &answer["categories"].as_array().expect("a list")[..] else { panic!("{answer}") };
    assert_eq!(clothing["category"], "CLOTHING");
    assert_eq!(clothing["total"]["amount_cents"], 8_990);
    assert_eq!(clothing["refunds"]["amount_cents"], 8_990);
    let summary = app.get("/v1/spending/summary?timeRange=all&groupBy=none", &token).await.ok();
    assert_eq!(summary["netSpending"]["amount_cents"], -500, "the net counts refunds without a purchase too");
}
