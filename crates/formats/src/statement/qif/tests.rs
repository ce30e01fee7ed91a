//! Tests of the QIF reader.

use jiff::civil::date;

use super::super::{
    AccountKind, BalanceKind, Choice, DateOrder, ReadOptions, Statement, Unreadable, read as read_file,
};

fn read(text: &str) -> Result<Vec<Statement>, Unreadable> {
    read_file(text.as_bytes(), &ReadOptions::default())
}

#[test]
fn accounts_transfers_splits_and_opening_balances_are_read() {
    let text = "!Account\r\nNGiro\r\nTBank\r\n^\r\n!Type:Bank\r\nD1/31'26\r\nT1,234.50\r\nPOpening Balance\r\nL[Giro]\r\n^\r\nD2/ 1'26\r\nT-12.00\r\nN101\r\nPShop\r\nMgifts\r\nLHousehold\r\n^\r\nD2/2/2026\r\nU-5\r\nL[Card]\r\n^\r\nD2/3/26\r\nT-9\r\nSFood\r\n$-4\r\nSRent\r\n$-5\r\nLFood\r\n^\r\n!Account\r\nNCard\r\nTCCard\r\n^\r\n!Type:CCard\r\nD2/2/2026\r\nT5\r\nL[Giro]\r\n^\r\n!Type:Cat\r\nNFood\r\n^\r\n";
    let statements = read(text).unwrap();
    assert_eq!(statements.len(), 2);
    let giro = &statements[0];
    assert_eq!(
        (giro.account.name.as_deref(), giro.account.kind),
        (Some("Giro"), Some(AccountKind::Checking))
    );
    let balance = giro.balances[0];
    assert_eq!(
        (balance.kind, balance.day, balance.cents),
        (BalanceKind::Opening, date(2026, 1, 31), 123_450)
    );
    let seen: Vec<_> = giro
        .entries
        .iter()
        .map(|e| (e.line, e.booked, e.cents, e.category.as_deref(), e.transfer_with.as_deref()))
        .collect();
    assert_eq!(
        seen,
        [
            (11, date(2026, 2, 1), -1_200, Some("Household"), None),
            (18, date(2026, 2, 2), -500, None, Some("Card")),
            (22, date(2026, 2, 3), -900, None, None),
        ]
    );
    assert_eq!(giro.entries[0].reference.as_deref(), Some("101"));
    assert_eq!(statements[1].account.kind, Some(AccountKind::Card));
}

#[test]
fn order_of_day_and_month_is_a_choice() {
    let text = |day: &str| format!("!Type:Bank\nD01/02/2026\nT1\n^\nD{day}\nT1\n^\n");
    match read(&text("03/04/2026")) {
        Err(Unreadable::Choice(Choice::DateOrder { example, line, .. })) => {
            assert_eq!((example.as_str(), line), ("01/02/2026", 2));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(read(&text("31/01/2026")).unwrap()[0].entries[0].booked, date(2026, 2, 1));
    assert_eq!(read(&text("01/31/2026")).unwrap()[0].entries[0].booked, date(2026, 1, 2));
    let options = ReadOptions { date_order: Some(DateOrder::DayMonthYear), ..ReadOptions::default() };
    let chosen = read_file(text("03/04/2026").as_bytes(), &options).unwrap();
    assert_eq!(chosen[0].entries[1].booked, date(2026, 4, 3));
}

#[test]
fn equal_records_stay_apart_and_comma_decimals_are_read() {
    let record = "D31/01/2026\nT-12,50\nPShop\n^\n";
    let statements = read(&format!("!Type:Bank\n{record}{record}")).unwrap();
    assert_eq!(statements[0].entries.iter().map(|e| e.cents).collect::<Vec<_>>(), [-1_250, -1_250]);
}

#[test]
fn faults_name_line_and_field() {
    let text = "!Type:Bank\nD13/13/2026\nTx\n^\nD31/01/2026\nT1\n";
    let faults: Vec<String> = match read(text) {
        Err(Unreadable::Faults(faults)) => faults.into_iter().map(|fault| fault.to_string()).collect(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        faults,
        [
            "line 2, D: must be a calendar day with day, month and year; received \"13/13/2026\"",
            "line 2, T: must be an amount, such as 1234.50; received \"x\"",
            "line 5: must end with a line ^: the file is truncated",
        ]
    );
}

#[test]
fn transaction_that_a_header_line_cuts_off_is_a_fault() {
    let text = "!Type:Bank\nD31/01/2026\nT1\n!Type:CCard\nD31/01/2026\nT2\n^\n";
    let Err(Unreadable::Faults(faults)) = read(text) else { panic!("the first transaction is lost") };
    let faults: Vec<String> = faults.into_iter().map(|fault| fault.to_string()).collect();
    assert_eq!(faults, ["line 2: must end with a line ^ before the next header line"]);
}
