//! Writes bookings in the formats of banks.

use std::fmt::Write as _;

use jiff::civil::{Date, date};

use super::IBAN;

/// A booking of the household.
#[derive(Clone, Debug)]
pub(super) struct Booking {
    pub(super) day: Date,
    pub(super) cents: i64,
    pub(super) party: String,
}

impl Booking {
    pub(super) fn new(month: i8, day: i8, cents: i64, party: &str) -> Booking {
        Booking { day: date(2025, month, day), cents, party: party.to_owned() }
    }
}

fn amount(cents: i64, decimal: char) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}{decimal}{:02}", cents.abs() / 100, cents.abs() % 100)
}

/// A CSV export of N26.
pub(super) fn csv(bookings: &[Booking]) -> String {
    let mut text = "\"Booking Date\",\"Value Date\",\"Partner Name\",\"Partner Iban\",Type,\"Payment Reference\",\
                    \"Account Name\",\"Amount (EUR)\",\"Original Amount\",\"Original Currency\",\"Exchange Rate\"\n"
        .to_owned();
    for booking in bookings {
        let (day, sum) = (booking.day, amount(booking.cents, '.'));
        writeln!(text, "{day},{day},\"{}\",,,,\"Main\",{sum},,,", booking.party).expect("text");
    }
    text
}

/// An OFX file whose window is that of the bookings. `opening` is the balance before them.
pub(super) fn ofx(bookings: &[Booking], opening: i64) -> String {
    let mut text = "OFXHEADER:100\nENCODING:UTF-8\n\n<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>37040044\
                    <ACCTID>532013000</BANKACCTFROM><BANKTRANLIST>\n"
        .to_owned();
    let mut balance = opening;
    for (number, booking) in bookings.iter().enumerate() {
        balance += booking.cents;
        let (day, sum) = (booking.day.strftime("%Y%m%d"), amount(booking.cents, '.'));
        let party = &booking.party;
        // The number of the line as identifier: banks do this.
        writeln!(text, "<STMTTRN><DTPOSTED>{day}<TRNAMT>{sum}<FITID>{number}<NAME>{party}</STMTTRN>")
            .expect("text");
    }
    let last = bookings.last().map_or(date(2025, 1, 1), |booking| booking.day).strftime("%Y%m%d");
    let sum = amount(balance, '.');
    write!(text, "</BANKTRANLIST><LEDGERBAL><BALAMT>{sum}<DTASOF>{last}</LEDGERBAL></STMTRS></OFX>")
        .expect("text");
    text
}

/// A CAMT.053 statement with its balances.
pub(super) fn camt(number: usize, bookings: &[Booking], opening: i64) -> String {
    let first = bookings.first().map_or(date(2025, 1, 1), |booking| booking.day);
    let last = bookings.last().map_or(first, |booking| booking.day);
    let closing = opening + bookings.iter().map(|booking| booking.cents).sum::<i64>();
    let balance = |code: &str, cents: i64, day: Date| {
        let direction = if cents < 0 { "DBIT" } else { "CRDT" };
        format!(
            "<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy=\"EUR\">{}</Amt><CdtDbtInd>{direction}\
             </CdtDbtInd><Dt><Dt>{day}</Dt></Dt></Bal>",
            amount(cents.abs(), '.')
        )
    };
    let mut text = format!(
        "<Document><BkToCstmrStmt><Stmt><Id>S{number}</Id><ElctrncSeqNb>{number}</ElctrncSeqNb><Acct><Id><IBAN>{IBAN}\
         </IBAN></Id><Ccy>EUR</Ccy></Acct>{}{}",
        balance("OPBD", opening, first),
        balance("CLBD", closing, last)
    );
    for booking in bookings {
        let (direction, side) = if booking.cents < 0 { ("DBIT", "Cdtr") } else { ("CRDT", "Dbtr") };
        let (sum, day, party) = (amount(booking.cents.abs(), '.'), booking.day, &booking.party);
        writeln!(
            text,
            "<Ntry><Amt Ccy=\"EUR\">{sum}</Amt><CdtDbtInd>{direction}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>{day}</Dt>\
             </BookgDt><NtryDtls><TxDtls><RltdPties><{side}><Nm>{party}</Nm></{side}></RltdPties></TxDtls></NtryDtls>\
             </Ntry>"
        )
        .expect("text");
    }
    text + "</Stmt></BkToCstmrStmt></Document>"
}

/// An MT940 statement with its balances.
pub(super) fn mt940(bookings: &[Booking], opening: i64) -> String {
    let side = |cents: i64| if cents < 0 { 'D' } else { 'C' };
    let first = bookings.first().map_or(date(2025, 1, 1), |booking| booking.day);
    let last = bookings.last().map_or(first, |booking| booking.day);
    let balance = |tag: &str, cents: i64, day: Date| {
        let (day, sum) = (day.strftime("%y%m%d").to_string(), amount(cents.abs(), ','));
        format!(":{tag}:{}{day}EUR{sum}\n", side(cents))
    };
    let mut text = format!(":20:X\n:25:{IBAN}\n:28C:1/1\n{}", balance("60F", opening, first));
    for booking in bookings {
        let (value, entry) = (booking.day.strftime("%y%m%d"), booking.day.strftime("%m%d"));
        let (sum, party) = (amount(booking.cents.abs(), ','), &booking.party);
        let direction = side(booking.cents);
        write!(text, ":61:{value}{entry}{direction}{sum}NMSC\n:86:166?00SEPA?32{party}\n").expect("text");
    }
    let closing = opening + bookings.iter().map(|booking| booking.cents).sum::<i64>();
    text + &balance("62F", closing, last) + "-\n"
}

/// A QIF file.
pub(super) fn qif(bookings: &[Booking]) -> String {
    let mut text = "!Type:Bank\n".to_owned();
    for booking in bookings {
        let (day, sum) = (booking.day.strftime("%d/%m/%Y"), amount(booking.cents, '.'));
        writeln!(text, "D{day}\nT{sum}\nP{}\n^", booking.party).expect("text");
    }
    text
}
