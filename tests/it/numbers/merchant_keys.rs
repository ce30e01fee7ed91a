//! The three keys of a merchant's name, side by side: PostgreSQL groups totals by `merchant_key` and searches by
//! `fold`; recurring payments are grouped by the payee key.

use passbook_domain::fold::fold;
use passbook_domain::recurring::payee_key;
use tests::database::Database;

#[tokio::test]
async fn merchant_key_fold_and_payee_key_normalise_spellings_as_documented() {
    let client = Database::fresh().await.connect("passbook_reader").await;
    let statement =
        "select passbook_read.merchant_key($1), passbook_read.search_text($1), passbook_read.payee_key($1)";
    let of_title = client.query_one(statement, &[&"Mai  Miete MÄRZ Mai 2026"]).await.expect("the query runs");
    assert_eq!(of_title.get::<_, String>(2), "mai  miete");
    for (text, merchant_key, folded, payee) in [
        ("Café Müller", "café müller", "cafe muller", "cafe muller"),
        ("CAFÉ MÜLLER ", "café müller", "cafe muller ", "cafe muller"),
        ("Cafe\u{301} Muller", "cafe\u{301} muller", "cafe muller", "cafe muller"),
        ("Smørrebrød Kælder", "smørrebrød kælder", "smorrebrod kaelder", "smorrebrod kaelder"),
        ("Straßencafé", "straßencafé", "strassencafe", "strassencafe"),
        ("İstanbul Kebap", "i\u{307}stanbul kebap", "istanbul kebap", "istanbul kebap"),
        ("NETFLIX.COM", "netflix.com", "netflix.com", "netflix"),
        ("Netflix", "netflix", "netflix", "netflix"),
        ("SQ *BLUE BOTTLE COFFEE", "sq *blue bottle coffee", "sq *blue bottle coffee", "blue bottle coffee"),
        ("STARBUCKS STORE 04412", "starbucks store", "starbucks store 04412", "starbucks store"),
        ("REWE  #12 Köln T44B1 5", "rewe köln", "rewe  #12 koln t44b1 5", "rewe koln"),
        ("7-Eleven O2 1&1", "7-eleven o2", "7-eleven o2 1&1", "eleven o2"),
        ("\u{a0}1&1\t", "1&1", " 1&1\t", "1 1"),
        ("ﬁnance ①", "ﬁnance ①", "finance 1", "finance"),
    ] {
        let row = client.query_one(statement, &[&text]).await.expect("the query runs");
        let found: (String, String) = (row.get(0), row.get(1));
        assert_eq!(found, (merchant_key.to_owned(), folded.to_owned()), "{text:?}");
        assert_eq!(fold(text), folded, "{text:?}");
        assert_eq!(payee_key(text), payee, "{text:?}");
    }
}

/// Latin, Greek and Cyrillic letters, and characters with a compatibility decomposition.
const LETTERS: [std::ops::RangeInclusive<u32>; 4] =
    [0x20..=0x24f, 0x370..=0x52f, 0x1e00..=0x1fff, 0xfb00..=0xff5e];

#[tokio::test]
async fn fold_of_domain_equals_fold_of_the_database() {
    let client = Database::fresh().await.connect("passbook_reader").await;
    let texts: Vec<String> = LETTERS
        .into_iter()
        .flatten()
        .filter_map(char::from_u32)
        .map(|letter| format!("a{letter}b"))
        .collect();
    let statement = "select passbook_read.search_text(text) from unnest($1::text[]) with ordinality as t (text, at) order by at";
    let rows = client.query(statement, &[&texts]).await.expect("the query runs");
    let differ: Vec<(&String, String, String)> = texts
        .iter()
        .zip(&rows)
        .map(|(text, row)| (text, fold(text), row.get::<_, String>(0)))
        .filter(|(_, ours, theirs)| ours != theirs)
        .collect();
    assert_eq!(differ, []);
}
