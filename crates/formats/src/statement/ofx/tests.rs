//! Tests of the OFX reader.

use jiff::civil::date;

use super::super::{
    AccountKind, BalanceKind, IdTrust, ReadOptions, Statement, Status, Unreadable, read as read_file,
};

const HEAD: &str = "OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nENCODING:USASCII\r\nCHARSET:1252\r\n\r\n";

fn sgml(transactions: &str) -> String {
    format!(
        "{HEAD}<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR\n<BANKACCTFROM><BANKID>123<ACCTID>45 67<ACCTTYPE>CHECKING</BANKACCTFROM>\n<BANKTRANLIST><DTSTART>20260101<DTEND>20260131\n{transactions}\n</BANKTRANLIST><LEDGERBAL><BALAMT>90,00<DTASOF>20260131120000</LEDGERBAL><AVAILBAL><BALAMT>5<DTASOF>00000000</AVAILBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n"
    )
}

fn read(text: &str) -> Result<Vec<Statement>, Unreadable> {
    read_file(text.as_bytes(), &ReadOptions::default())
}

fn faults(text: &str) -> Vec<String> {
    match read(text) {
        Err(Unreadable::Faults(faults)) => faults.into_iter().map(|fault| fault.to_string()).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn sgml_without_end_tags_is_read() {
    let text = sgml(
        "<STMTTRN><TRNTYPE>Debit<DTPOSTED>20260115202000[-4:EST]<DTUSER>20260113<TRNAMT>-1 006,60<FITID>A1<NAME>Caf&eacute; &amp; Bar<MEMO>a < b\n<ORIGCURRENCY><CURRATE>1.25<CURSYM>USD</ORIGCURRENCY></STMTTRN>\n<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260116<TRNAMT>+5<FITID></STMTTRN>",
    );
    let statements = read(&text).unwrap();
    let statement = &statements[0];
    assert_eq!(statement.account.number.as_deref(), Some("4567"));
    assert_eq!(statement.account.bank.as_deref(), Some("123"));
    assert_eq!(statement.account.kind, Some(AccountKind::Checking));
    assert_eq!((statement.from, statement.to), (Some(date(2026, 1, 1)), Some(date(2026, 1, 31))));
    let balances: Vec<_> = statement.balances.iter().map(|b| (b.kind, b.day, b.cents)).collect();
    assert_eq!(balances, [(BalanceKind::Interim, date(2026, 1, 31), 9_000)]);
    let entry = &statement.entries[0];
    assert_eq!((entry.line, entry.booked, entry.cents), (10, date(2026, 1, 15), -100_660));
    assert_eq!(entry.transaction_day, Some(date(2026, 1, 13)));
    assert_eq!(entry.party.as_deref(), Some("Caf&eacute; & Bar"));
    assert_eq!(entry.text, "a < b");
    assert_eq!(entry.code.as_deref(), Some("DEBIT"));
    let id = entry.id.as_ref().unwrap();
    assert_eq!((id.text.as_str(), id.trust), ("A1", IdTrust::Hint));
    assert_eq!(entry.original.unwrap().cents, -80_528);
    assert!(entry.raw.starts_with("<STMTTRN>") && entry.raw.ends_with("</STMTTRN>"), "{}", entry.raw);
    assert_eq!((statement.entries[1].cents, &statement.entries[1].id), (500, &None));
}

#[test]
fn xml_with_cards_and_pending_transactions_is_read() {
    let text = "<?xml version=\"1.0\"?><?OFX OFXHEADER=\"200\"?><OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>USD</CURDEF><CCACCTFROM><ACCTID>4111</ACCTID></CCACCTFROM><BANKTRANLIST><STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20260115</DTPOSTED><TRNAMT>-7.50</TRNAMT><FITID>1</FITID><PAYEE><NAME>Shop</NAME></PAYEE><MEMO><![CDATA[x & y]]></MEMO></STMTTRN></BANKTRANLIST><BANKTRANLISTP><STMTTRNP><DTTRAN>20260117</DTTRAN><TRNAMT>-1</TRNAMT><NAME>Later</NAME></STMTTRNP></BANKTRANLISTP></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>";
    let statement = read(text).unwrap().remove(0);
    assert_eq!(statement.account.kind, Some(AccountKind::Card));
    assert!(statement.lists_pending);
    assert_eq!(statement.entries[0].party.as_deref(), Some("Shop"));
    assert_eq!(statement.entries[0].text, "x & y");
    assert_eq!(statement.entries[1].status, Status::Pending);
    assert_eq!(statement.entries[1].booked, date(2026, 1, 17));
}

#[test]
fn faults_name_line_and_element() {
    let text = sgml("<STMTTRN><DTPOSTED>20260230<TRNAMT>x</STMTTRN>\n<STMTTRN><TRNAMT>1.005</STMTTRN>");
    assert_eq!(
        faults(&text),
        [
            "line 10, DTPOSTED: must be a day YYYYMMDD; received \"20260230\"",
            "line 10, TRNAMT: must be an amount, such as 1234.50; received \"x\"",
            "line 11, DTPOSTED: must be a day YYYYMMDD; received \"\"",
            "line 11, TRNAMT: must be an amount with at most two decimals; received \"1.005\"",
        ]
    );
}

#[test]
fn truncated_and_hostile_files_are_rejected() {
    let whole = sgml("<STMTTRN><DTPOSTED>20260115<TRNAMT>1</STMTTRN>");
    for length in [200, whole.len() - 20] {
        assert_eq!(faults(&whole[..length]), ["file: must end with </OFX>: the file is truncated"]);
    }
    let hostile = format!("<!DOCTYPE x [<!ENTITY a \"b\">]>\n{whole}");
    assert_eq!(faults(&hostile), ["line 1: must not declare a document type or entities"]);
    let lost = whole.replace("<STMTTRN>", "<MEMO>a <STMTTRN>").replacen("<STMTRS>", "<x>", 1);
    assert_eq!(faults(&lost).len(), 1);
}

#[test]
fn day_of_zeros_is_no_day() {
    let text = sgml("<STMTTRN><DTPOSTED>00000000<DTUSER>20260102<TRNAMT>1</STMTTRN>");
    assert_eq!(read(&text).unwrap()[0].entries[0].booked, date(2026, 1, 2));
}

#[test]
fn file_without_end_tags_is_read_and_its_truncation_found() {
    let text = format!(
        "{HEAD}<OFX><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>1<BANKTRANLIST><STMTTRN><DTPOSTED>20260115<TRNAMT>1\n<STMTTRN><DTPOSTED>20260116<TRNAMT>2\n<LEDGERBAL><BALAMT>3<DTASOF>20260117"
    );
    let statement = read(&text).unwrap().remove(0);
    assert_eq!(statement.entries.iter().map(|e| e.cents).collect::<Vec<_>>(), [100, 200]);
    assert_eq!(statement.balances[0].cents, 300);
    let expected = "file: must end with </OFX>: the file is truncated";
    assert_eq!(faults(text.split("<LEDGERBAL>").next().unwrap()), [expected]);
}
