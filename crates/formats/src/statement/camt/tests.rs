//! Tests of the CAMT reader.

use jiff::civil::date;

use super::super::{
    BalanceKind, ReadOptions, Statement, StatementKind, Status, Unreadable, read as read_file,
};

fn document(entries: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.08\"><BkToCstmrStmt><GrpHdr><MsgId>m</MsgId></GrpHdr><Stmt><Id>s</Id><ElctrncSeqNb>12</ElctrncSeqNb><CreDtTm>2026-02-01T03:00:00+01:00</CreDtTm><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy><Svcr><FinInstnId><BICFI>COBADEFF</BICFI></FinInstnId></Svcr></Acct>{bal_open}{bal_close}\n{entries}</Stmt></BkToCstmrStmt></Document>",
        bal_open = balance("OPBD", "100.00", "2026-01-01"),
        bal_close = balance("CLBD", "98.50", "2026-01-31"),
    )
}

fn balance(code: &str, amount: &str, day: &str) -> String {
    format!(
        "<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy=\"EUR\">{amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>{day}</Dt></Dt></Bal>"
    )
}

fn entry(amount: &str, direction: &str, status: &str, rest: &str) -> String {
    format!(
        "<Ntry><Amt Ccy=\"EUR\">{amount}</Amt><CdtDbtInd>{direction}</CdtDbtInd><Sts>{status}</Sts><BookgDt><Dt>2026-01-05</Dt></BookgDt><ValDt><DtTm>2026-01-06T00:00:00</DtTm></ValDt>{rest}</Ntry>\n"
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
fn statement_account_balances_and_entries_are_read() {
    let details = "<AcctSvcrRef>R1</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RDDT</Cd><SubFmlyCd>ESDD</SubFmlyCd></Fmly></Domn></BkTxCd><NtryDtls><TxDtls><Refs><EndToEndId>E1</EndToEndId></Refs><AmtDtls><InstdAmt><Amt Ccy=\"USD\">2.00</Amt><CcyXchg><XchgRate>1.25</XchgRate></CcyXchg></InstdAmt></AmtDtls><RltdPties><Cdtr><Pty><Nm>Caf&#233; &amp; Co</Nm></Pty></Cdtr><CdtrAcct><Id><IBAN>NL91ABNA0417164300</IBAN></Id></CdtrAcct><Dbtr><Nm>Me</Nm></Dbtr></RltdPties><RmtInf><Ustrd>one</Ustrd><Ustrd>two</Ustrd></RmtInf></TxDtls></NtryDtls>";
    let text = document(
        &(entry("1.500", "DBIT", "BOOK", &format!("<RvslInd>true</RvslInd>{details}"))
            + &entry("9", "CRDT", "<Cd>PDNG</Cd>", "<AddtlNtryInf>soon</AddtlNtryInf>")
            + &entry("9", "CRDT", "INFO", "")),
    );
    let statements = read(&text).unwrap();
    let statement = &statements[0];
    assert_eq!(statement.kind, StatementKind::Chain);
    assert_eq!(statement.number.as_deref(), Some("12"));
    assert_eq!(statement.as_of, Some(date(2026, 2, 1)));
    assert_eq!(statement.account.iban.as_deref(), Some("DE89370400440532013000"));
    assert_eq!(statement.account.bank.as_deref(), Some("COBADEFF"));
    let balances: Vec<_> = statement.balances.iter().map(|b| (b.kind, b.cents)).collect();
    assert_eq!(balances, [(BalanceKind::Opening, 10_000), (BalanceKind::Closing, 9_850)]);
    let entry = &statement.entries[0];
    assert_eq!((entry.booked, entry.cents, entry.status), (date(2026, 1, 5), -150, Status::Booked));
    assert_eq!(entry.value_day, Some(date(2026, 1, 6)));
    assert_eq!(entry.party.as_deref(), Some("Café & Co"));
    assert_eq!(entry.party_account.as_deref(), Some("NL91ABNA0417164300"));
    assert_eq!((entry.text.as_str(), entry.reference.as_deref()), ("one two", Some("E1")));
    assert_eq!(entry.code.as_deref(), Some("PMNT-RDDT-ESDD"));
    let original = entry.original.unwrap();
    assert_eq!((original.cents, original.currency.as_str()), (-200, "USD"));
    assert_eq!((statement.entries[1].status, statement.entries[1].text.as_str()), (Status::Pending, "soon"));
    assert_eq!(statement.skipped[0].count, 1);
}

#[test]
fn entry_of_several_payments_stays_one_entry() {
    let details = "<NtryDtls><TxDtls><RltdPties><Dbtr><Nm>A</Nm></Dbtr></RltdPties></TxDtls><TxDtls><RltdPties><Dbtr><Nm>B</Nm></Dbtr></RltdPties></TxDtls><TxDtls/></NtryDtls>";
    let statements = read(&document(&entry("3", "CRDT", "BOOK", details))).unwrap();
    assert_eq!((statements[0].entries.len(), &statements[0].entries[0].party), (1, &None));
}

#[test]
fn prefixed_report_is_read() {
    let text = document(&entry("3", "CRDT", "BOOK", ""))
        .replace("Stmt>", "Rpt>")
        .replace("</", "</ns:")
        .replace('<', "<ns:");
    let text = text.replace("<ns:/ns:", "</ns:").replace("<ns:?xml", "<?xml").replace("xmlns=", "xmlns:ns=");
    let statements = read(&text).unwrap();
    assert!(statements[0].lists_pending);
    assert_eq!(statements[0].entries.len(), 1);
}

#[test]
fn faults_name_line_and_rule() {
    let text = document(
        &(entry("x", "CRDT", "BOOK", "") + &entry("-1", "DBIT", "BOOK", "") + &entry("1", "?", "ODD", "")),
    );
    assert_eq!(
        faults(&text),
        [
            "line 3, Ntry: must be an amount, such as 1234.50",
            "line 4, Ntry: must have an amount (Amt) without a sign",
            "line 5, Ntry: must be BOOK, PDNG, INFO or FUTR (Sts); received \"ODD\"",
        ]
    );
    let whole = document(&entry("1", "CRDT", "BOOK", ""));
    assert_eq!(
        faults(&whole[..whole.find("</Stmt>").unwrap()]),
        ["line 4: must end its elements: the file is truncated"]
    );
    let notification = whole.replace("Stmt>", "Ntfctn>");
    assert!(faults(&notification)[0].contains("camt.054"));
}
