//! Fuzz test: valid files of every format with random damage. Nothing may panic, and every outcome must be usable.
//!
//! Each test run reads a few thousand files. `cargo lab fuzz statements --seconds 60` sets `PASSBOOK_TEST_FUZZ_SECONDS`,
//! and the test then reads files for that time. A failure prints the number of its case; a case is the same in every
//! run.

use std::time::{Duration, Instant};

use passbook_statements::csv::{Decisions, DraftOptions, draft};
use passbook_statements::{FAULTS_MAX, ReadOptions, Unreadable, read};

/// Minimum number of cases.
const CASES_MIN: u64 = 3_000;
/// The environment variable with the duration of the test, set by `cargo lab fuzz`.
const SECONDS: &str = "PASSBOOK_TEST_FUZZ_SECONDS";
/// Maximum number of damages to one file.
const DAMAGES_MAX: usize = 4;

/// One valid file of each format.
const FILES: &[&str] = &[
    "\"Buchungsdatum\";\"Wertstellung\";\"Status\";\"Zahlungspflichtige*r\";\"Zahlungsempfänger*in\";\"Verwendungszweck\";\"Umsatztyp\";\"IBAN\";\"Betrag (€)\";\"Gläubiger-ID\";\"Mandatsreferenz\";\"Kundenreferenz\"\n\"02.01.26\";\"02.01.26\";\"Gebucht\";\"A\";\"B\";\"x \"\"y\"\"\nz\";\"Ausgang\";\"DE89370400440532013000\";\"-1.234,56 €\";\"\";\"\";\"\"\n\"03.01.26\";\"\";\"Vorgemerkt\";\"A\";\"B\";\"\";\"\";\"\";\"2,00\";\"\";\"\";\"\"\n",
    "OFXHEADER:100\nENCODING:USASCII\nCHARSET:1252\n\n<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>1<ACCTID>2<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20260101<DTEND>20260131<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260115120000[-5:EST]<TRNAMT>-1 006,60<FITID>A<NAME>Caf&#233; &amp; Bar<MEMO><![CDATA[x]]><ORIGCURRENCY><CURRATE>1.25<CURSYM>USD</ORIGCURRENCY></STMTTRN></BANKTRANLIST><LEDGERBAL><BALAMT>9<DTASOF>20260131</LEDGERBAL></STMTRS></OFX>",
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Document xmlns=\"camt.053.001.02\"><BkToCstmrStmt><Stmt><Id>1</Id><CreDtTm>2026-02-01T00:00:00Z</CreDtTm><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct><Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy=\"EUR\">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-01-01</Dt></Dt></Bal><Ntry><Amt Ccy=\"EUR\">1.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-01-05</Dt></BookgDt><NtryDtls><TxDtls><Refs><EndToEndId>E</EndToEndId></Refs><RltdPties><Cdtr><Nm>A &amp; B</Nm></Cdtr></RltdPties><RmtInf><Ustrd>x</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>",
    ":20:A\r\n:25:37040044/0532013000EUR\r\n:28C:1/1\r\n:60F:C260101EUR100,00\r\n:61:2601150115DR1,50NDDTNONREF//B\r\nmore\r\n:86:105?00LAST?20EREF+E1?21SVWZ+Text?31DE89370400440532013000?32Stadt?33werke\r\n:62F:C260131EUR98,50\r\n-\r\n",
    "!Account\nNGiro\nTBank\n^\n!Type:Bank\nD1/31'26\nT1,234.50\nPOpening Balance\nL[Giro]\n^\nD2/ 1'26\nT-12.00\nN101\nPShop\nMx\nLFood:Out\n^\n",
    "{\"accounts\":[{\"account_id\":\"A\",\"type\":\"credit\",\"balances\":{\"current\":20.5,\"iso_currency_code\":\"USD\",\"last_updated_datetime\":\"2026-01-31T10:00:00Z\"}}],\"added\":[{\"transaction_id\":\"1\",\"account_id\":\"A\",\"amount\":12.3,\"date\":\"2026-01-05\",\"name\":\"S\",\"pending\":false}],\"modified\":[],\"removed\":[{\"transaction_id\":\"0\"}],\"next_cursor\":\"c\"}",
    "{\"errors\":[],\"accounts\":[{\"id\":\"A\",\"currency\":\"USD\",\"balance\":\"-10.00\",\"balance-date\":1769860800,\"transactions\":[{\"id\":\"t\",\"posted\":1767571200,\"amount\":\"-7.25\",\"description\":\"C\"}]}]}",
    "{\"type\":\"Account\",\"data\":{\"id\":\"a\",\"name\":\"G\",\"currency\":\"EUR\"}}\n{\"type\":\"Transaction\",\"data\":{\"id\":\"1\",\"account_id\":\"a\",\"date\":\"2026-01-05\",\"amount\":\"12.5\",\"name\":\"S\"}}\n",
    "<?xml version=\"1.0\"?><gnc-v2 xmlns:gnc=\"g\"><gnc:account><act:name>G</act:name><act:id>a</act:id><act:type>BANK</act:type><act:commodity><cmdty:space>CURRENCY</cmdty:space><cmdty:id>EUR</cmdty:id></act:commodity></gnc:account><gnc:transaction version=\"2\"><trn:date-posted><ts:date>2026-01-05</ts:date></trn:date-posted><trn:splits><trn:split><split:id>s</split:id><split:quantity>-125/100</split:quantity><split:account>a</split:account></trn:split></trn:splits></gnc:transaction></gnc-v2>",
];

/// Texts that are inserted at random positions.
const FRAGMENTS: &[&str] = &[
    "<STMTTRN>",
    "</STMTTRN>",
    "<OFX>",
    "</OFX>",
    "<Ntry>",
    "</Ntry>",
    "<Stmt>",
    "<TxDtls/>",
    ":61:",
    ":86:",
    ":20:",
    "\n^\n",
    "!Type:Bank\n",
    "!Account\n",
    "&lol;",
    "<!DOCTYPE a [<!ENTITY b \"c\">]>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "\"",
    "\"\"",
    ";",
    ",",
    "\t",
    "\r",
    "\n",
    "\u{0}",
    "\u{feff}",
    "é",
    "€",
    "\u{a0}",
    "−",
    "9999999999999999999",
    "-0.001",
    "00000000",
    "30.02.2026",
    "{",
    "}",
    "[",
    "]",
    ":",
    "null",
    "\\u0000",
    "\\ud800",
    "{4:",
    "-}",
    "?20",
    "SVWZ+",
    "/NAME/",
    "(",
    "CR",
    "'",
    "%PDF",
    "\u{1f}\u{8b}",
];

/// A small generator of random numbers (xorshift), so that a case is the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (bound.max(1) as u64)).expect("it is below a usize")
    }
}

/// Returns the damaged file of a case.
fn damaged(case: u64) -> Vec<u8> {
    let mut random = Random(case.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    random.below(1);
    let mut bytes = FILES[random.below(FILES.len())].as_bytes().to_vec();
    for _ in 0..=random.below(DAMAGES_MAX) {
        let (start, length) = (random.below(bytes.len() + 1), random.below(40));
        let end = (start + length).min(bytes.len());
        match random.below(7) {
            0 => drop(bytes.drain(start..end)),
            1 => bytes.truncate(start),
            2 => {
                let part = bytes[start..end].to_vec();
                let at = random.below(bytes.len() + 1);
                bytes.splice(at..at, part);
            }
            3 if start < bytes.len() => bytes[start] = random.below(256).to_le_bytes()[0],
            4 => {
                let other = FILES[random.below(FILES.len())].as_bytes();
                let from = random.below(other.len());
                let to = (from + length).min(other.len());
                bytes.splice(start..start, other[from..to].iter().copied());
            }
            _ => {
                let fragment = FRAGMENTS[random.below(FRAGMENTS.len())];
                bytes.splice(start..start, fragment.bytes());
            }
        }
    }
    bytes
}

/// Checks that the draft of a profile is a profile unless choices are open.
fn assert_draft(bytes: &[u8]) {
    let (today, decisions) = (jiff::civil::date(2026, 11, 27), Decisions::new());
    let options = DraftOptions { bank: "B\"", today, encoding: None, decisions: &decisions };
    if let Ok(draft) = draft(bytes, &options) {
        let is_open = draft.open().next().is_some();
        assert_eq!(draft.profile().is_err(), is_open, "{:?} {}", draft.profile(), draft.to_toml());
    }
}

#[test]
fn undamaged_files_are_read() {
    for file in FILES {
        let statements = read(file.as_bytes(), &ReadOptions::default());
        assert!(
            statements.as_ref().is_ok_and(|s| s.iter().any(|s| !s.entries.is_empty())),
            "{file}: {statements:?}"
        );
    }
}

#[test]
fn damaged_files_are_read_or_rejected() {
    #[expect(clippy::disallowed_methods, reason = "the duration comes from `cargo lab fuzz`")]
    let seconds: u64 = std::env::var(SECONDS).ok().and_then(|seconds| seconds.parse().ok()).unwrap_or(0);
    let (started, duration) = (Instant::now(), Duration::from_secs(seconds));
    let (mut case, mut accepted) = (0, 0_u64);
    while case < CASES_MIN || started.elapsed() < duration {
        let bytes = damaged(case);
        let outcome = std::panic::catch_unwind(|| {
            assert_draft(&bytes);
            read(&bytes, &ReadOptions::default())
        });
        let outcome =
            outcome.unwrap_or_else(|_| panic!("case {case} panics: {:?}", String::from_utf8_lossy(&bytes)));
        match outcome {
            Ok(statements) => {
                accepted += 1;
                assert!(!statements.is_empty(), "case {case}");
            }
            Err(Unreadable::Faults(faults)) => {
                let faults = faults.into_list();
                assert!((1..=FAULTS_MAX + 1).contains(&faults.len()), "case {case}: {faults:?}");
                assert!(faults.iter().all(|fault| !fault.place.is_empty()), "case {case}: {faults:?}");
            }
            Err(Unreadable::Choice(choice)) => {
                assert!(!choice.as_fault().rule.is_empty(), "case {case}")
            }
        }
        case += 1;
    }
    #[expect(clippy::print_stdout, reason = "`cargo lab fuzz` shows the number of files")]
    {
        println!("{case} files read, {accepted} of them accepted");
    }
}
