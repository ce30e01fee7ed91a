//! Tests of the CSV reader with small profiles.

use jiff::civil::date;
use proptest::prelude::*;

use super::super::{
    BalanceKind, Choice, DateOrder, Entry, Fee, IdTrust, ReadOptions, Statement, Status, Unreadable, read,
};
use super::Profile;

/// Reads a text with a profile of the given keys and columns.
fn read_with(profile: &str, text: &str) -> Result<Vec<Statement>, Unreadable> {
    let profile = Profile::parse(&format!("name = \"test\"\nbank = \"Bank\"\n{profile}"), "test").unwrap();
    read(text.as_bytes(), &ReadOptions { profile: Some(profile), ..ReadOptions::default() })
}

fn faults(result: Result<Vec<Statement>, Unreadable>) -> Vec<String> {
    match result {
        Err(Unreadable::Faults(faults)) => faults.into_iter().map(|fault| fault.to_string()).collect(),
        other => panic!("{other:?}"),
    }
}

fn entries(result: Result<Vec<Statement>, Unreadable>) -> Vec<Entry> {
    result.unwrap().into_iter().flat_map(|statement| statement.entries).collect()
}

const SIMPLE: &str = r#"
headers = ["Date,Text,Amount,Balance"]
dates = ["%Y-%m-%d"]
currency = "EUR"
[columns]
booked = "Date"
text = "Text"
amount = "Amount"
balance = "Balance"
"#;

#[test]
fn rows_are_read_with_line_and_raw_text() {
    let text = "\u{feff}Account;x\r\n\r\n\"Date\", Text ,Amount,Balance\r\n2026-01-02,\"a\r\nb, c\",-1.50,98.50\r\n\r\n2026-01-03,d,2,100.50,,\r\n";
    let entries = entries(read_with(SIMPLE, text));
    let seen: Vec<_> =
        entries.iter().map(|e| (e.line, e.booked, e.cents, e.text.as_str(), e.balance_after)).collect();
    assert_eq!(
        seen,
        [(4, date(2026, 1, 2), -150, "a b, c", Some(9_850)), (7, date(2026, 1, 3), 200, "d", Some(10_050))]
    );
    assert_eq!(entries[0].raw, "2026-01-02,\"a\r\nb, c\",-1.50,98.50");
    assert_eq!(entries[1].raw, "2026-01-03,d,2,100.50,,");
}

#[test]
fn each_fault_names_line_column_and_rule() {
    let text = "Date,Text,Amount,Balance\n02.01.2026,a,1,5,\n2026-01-03,b,x,1.005\n2026-01-04,c\n,d,1,1\n2026-01-05,e,,1\n";
    assert_eq!(
        faults(read_with(SIMPLE, text)),
        [
            "line 2, column 1: must be a calendar day in the form %Y-%m-%d; received \"02.01.2026\"",
            "line 3, column 3: must be an amount, such as 1234.50; received \"x\"",
            "line 3, column 4: must be an amount with at most two decimals; received \"1.005\"",
            "line 4: must have 4 cells, as the header line has; received 2",
            "line 5, column 1: must be a calendar day in the form %Y-%m-%d; received \"\"",
            "line 6, column 3: must be an amount, such as 1234.50; received \"\"",
        ]
    );
    let text = format!("Date,Text,Amount,Balance\n{}", "x,y,z,0\n".repeat(30));
    let faults = faults(read_with(SIMPLE, &text));
    assert_eq!(faults.len(), 21);
    assert_eq!(faults[20], "and more: 40 further faults are not listed");
}

#[test]
fn truncated_quoted_cell_rejects_the_file() {
    let text = "Date,Text,Amount,Balance\n2026-01-02,a,1,1\n2026-01-03,\"b,2,3\n2026-01-04,c,4,5\n";
    let expected = "line 3: must end the quoted cell that begins here: the file is truncated";
    assert_eq!(faults(read_with(SIMPLE, text)), [expected]);
}

#[test]
fn cells_over_the_limit_reject_the_file() {
    let text = format!("Date,Text,Amount,Balance\n2026-01-02,{},1,1\n", "x".repeat(65 * 1024));
    assert_eq!(faults(read_with(SIMPLE, &text)), ["line 2, column 2: must be at most 65536 bytes"]);
}

#[test]
fn order_of_day_and_month_is_a_choice_unless_a_day_settles_it() {
    let profile = SIMPLE.replace("\"%Y-%m-%d\"", "\"%d/%m/%Y\", \"%m/%d/%Y\"");
    let text = |days: [&str; 2]| format!("Date,Text,Amount,Balance\n{},a,1,1\n{},b,1,2\n", days[0], days[1]);
    match read_with(&profile, &text(["03/03/2026", "02/01/2026"])) {
        Err(Unreadable::Choice(Choice::DateOrder { example, line, orders })) => {
            assert_eq!((example.as_str(), line), ("02/01/2026", 3));
            assert_eq!(orders, [DateOrder::DayMonthYear, DateOrder::MonthDayYear]);
        }
        other => panic!("{other:?}"),
    }
    let settled = entries(read_with(&profile, &text(["02/01/2026", "13/01/2026"])));
    assert_eq!(settled[0].booked, date(2026, 1, 2));
    let equal = entries(read_with(&profile, &text(["03/03/2026", "04/04/2026"])));
    assert_eq!(equal[1].booked, date(2026, 4, 4));
    let options = ReadOptions {
        profile: Some(Profile::parse(&format!("name = \"t\"\nbank = \"B\"\n{profile}"), "t").unwrap()),
        date_order: Some(DateOrder::MonthDayYear),
        ..ReadOptions::default()
    };
    let chosen = read(text(["03/03/2026", "02/01/2026"]).as_bytes(), &options).unwrap();
    assert_eq!(chosen[0].entries[1].booked, date(2026, 2, 1));
}

#[test]
fn direction_comes_from_sign_columns_or_flag() {
    let columns = |columns: &str, rules: &str, header: &str| {
        format!(
            "headers = [\"{header}\"]\ndates = [\"%Y-%m-%d\"]\ncurrency = \"EUR\"\n{rules}\n[columns]\nbooked = \"D\"\n{columns}\n"
        )
    };
    let two = columns("out = \"Out\"\nin = \"In\"", "", "D,Out,In");
    let signed = columns("out = \"Out\"\nin = \"In\"", "amount = { out_signed = true }", "D,Out,In");
    let flag = columns(
        "amount = \"A\"\nflag = \"F\"",
        "amount = { out_values = [\"Af\"], in_values = [\"Bij\"] }",
        "D,A,F",
    );
    let negated = columns("amount = \"A\"", "amount = { negate = true }", "D,A");
    for (profile, text, cents) in [
        (&two, "D,Out,In\n2026-01-02,5.00,", -500),
        (&two, "D,Out,In\n2026-01-02,0.00,0.00", 0),
        (&signed, "D,Out,In\n2026-01-02,-5.00,0", -500),
        (&two, "D,Out,In\n2026-01-02,0.00,7", 700),
        (&flag, "D,A,F\n2026-01-02,5.00,Af", -500),
        (&flag, "D,A,F\n2026-01-02,5.00,bij", 500),
        (&negated, "D,A\n2026-01-02,5.00", -500),
        (&negated, "D,A\n2026-01-02,-5.00", 500),
    ] {
        assert_eq!(entries(read_with(profile, text))[0].cents, cents, "{text}");
    }
    for (profile, text, rule) in [
        (&two, "D,Out,In\n2026-01-02,,", "must have an amount in one column"),
        (&two, "D,Out,In\n2026-01-02,1,2", "must be empty or zero"),
        (&two, "D,Out,In\n2026-01-02,-5.00,", "must not have the sign of the other direction"),
        (&signed, "D,Out,In\n2026-01-02,5.00,", "must not have the sign of the other direction"),
        (&two, "D,Out,In\n2026-01-02,,-2", "must not have the sign of the other direction"),
        (&flag, "D,A,F\n2026-01-02,5.00,?", "must be one of Af, Bij; received \"?\""),
    ] {
        let faults = faults(read_with(profile, text));
        assert!(faults.len() == 1 && faults[0].contains(rule), "{faults:?}");
    }
}

#[test]
fn fees_originals_pending_rows_and_accounts_are_read() {
    let profile = r#"
headers = ["Product,Day,Bought,What,Sum,Fee,Cur,State,Id,Orig,OrigCur,Rate"]
dates = ["%Y-%m-%d %H:%M:%S"]
authoritative_ids = true
pending = { column = "State", values = ["PENDING"] }
skip = [{ column = "State", values = ["REVERTED"] }]
[columns]
booked = ["Day", "Bought"]
transaction = "Bought"
party = "What"
amount = "Sum"
fee = "Fee"
currency = "Cur"
account_name = "Product"
id = "Id"
original_amount = "Orig"
original_currency = "OrigCur"
rate = "Rate"
"#;
    let text = "Product,Day,Bought,What,Sum,Fee,Cur,State,Id,Orig,OrigCur,Rate\n\
        Current,2026-01-03 10:00:00,2026-01-02 10:00:00,Shop,-5.00,0.50,EUR,COMPLETED,a,4.00,USD,1.25\n\
        Current,,2026-01-04 10:00:00,Café,-2.00,0.00,EUR,PENDING,b,2.00,EUR,\n\
        Current,2026-01-04 10:00:00,2026-01-04 10:00:00,Plan,0.00,7.99,EUR,COMPLETED,f,,,\n\
        Savings,2026-01-05 00:00:00,2026-01-05 00:00:00,Bonus,1.00,0,EUR,COMPLETED,c,,,\n\
        Current,2026-01-06 00:00:00,2026-01-06 00:00:00,Exchange,9.00,0,USD,COMPLETED,d,,,\n\
        Current,2026-01-06 00:00:00,2026-01-06 00:00:00,Undone,9.00,0,USD,REVERTED,e,,,\n";
    let statements = read_with(profile, text).unwrap();
    let accounts: Vec<_> = statements
        .iter()
        .map(|s| (s.account.name.as_deref(), s.account.currency.map(|c| c.to_string()), s.entries.len()))
        .collect();
    let name = |text| Some(text);
    assert_eq!(
        accounts,
        [
            (name("Current"), Some("EUR".to_owned()), 3),
            (name("Savings"), Some("EUR".to_owned()), 1),
            (name("Current"), Some("USD".to_owned()), 1),
        ]
    );
    assert!(statements[0].lists_pending);
    let bought = &statements[0].entries[0];
    assert_eq!((bought.cents, bought.booked), (-500, date(2026, 1, 3)));
    assert_eq!(bought.transaction_day, Some(date(2026, 1, 2)));
    assert_eq!(bought.fee.map(|fee| (fee.cents, fee.included)), Some((-50, false)));
    assert_eq!(bought.effect(), -550);
    let plan = &statements[0].entries[2];
    assert_eq!((plan.cents, plan.fee), (-799, Some(Fee { cents: -799, included: true })));
    let original = bought.original.unwrap();
    assert_eq!((original.cents, original.currency.as_str()), (-400, "USD"));
    assert_eq!(original.rate.unwrap().to_string(), "1.25");
    assert_eq!(bought.id.as_ref().unwrap().trust, IdTrust::Authoritative);
    let pending = &statements[0].entries[1];
    assert_eq!((pending.status, pending.booked), (Status::Pending, date(2026, 1, 4)));
    assert_eq!(pending.original, None);
    let skipped: Vec<_> = statements.iter().flat_map(|s| &s.skipped).collect();
    assert_eq!((skipped[0].reason.as_str(), skipped[0].count), ("State is REVERTED", 1));
}

#[test]
fn preamble_names_account_and_closing_balance() {
    let profile = r#"
headers = ["Tag;Betrag"]
delimiter = ";"
decimal = ","
group = "."
dates = ["%d.%m.%Y"]
currency = "EUR"
preamble = { account = ["Konto"], balance = ["Saldo vom*"] }
[columns]
booked = "Tag"
amount = "Betrag"
"#;
    let text = "\"Konto\";\"Girokonto DE89370400440532013000\"\n\"Saldo vom 03.01.2026:\";\"1.234,56 €\"\n\nTag;Betrag\n02.01.2026;-1,00\n03.01.2026;2,00\n01.01.2026;3,00\n";
    let statements = read_with(profile, text).unwrap();
    assert_eq!(statements[0].account.iban.as_deref(), Some("DE89370400440532013000"));
    assert_eq!(statements[0].account.bank_name.as_deref(), Some("Bank"));
    let balance = statements[0].balances[0];
    assert_eq!((balance.kind, balance.day, balance.cents), (BalanceKind::Closing, date(2026, 1, 3), 123_456));
}

#[test]
fn rows_of_double_entry_apps_become_entries_of_both_accounts() {
    let profile = r#"
headers = ["id,type,amount,currency,foreign,foreign_currency,date,from,to,from_iban"]
dates = ["%Y-%m-%d"]
[columns]
id = "id"
booked = "date"
amount = "amount"
currency = "currency"
original_amount = "foreign"
original_currency = "foreign_currency"
[sides]
kind = "type"
withdrawals = ["Withdrawal"]
deposits = ["Deposit"]
transfers = ["Transfer"]
source = "from"
source_account = "from_iban"
destination = "to"
"#;
    let text = "id,type,amount,currency,foreign,foreign_currency,date,from,to,from_iban\n\
        1,Withdrawal,-5.00,EUR,,,2026-01-02,Giro,Shop,DE89370400440532013000\n\
        2,Deposit,9.00,EUR,,,2026-01-03,Employer,Giro,\n\
        3,Transfer,7.00,EUR,8.00,USD,2026-01-04,Giro,Travel,DE89370400440532013000\n";
    let statements = read_with(profile, text).unwrap();
    let seen: Vec<_> = statements
        .iter()
        .flat_map(|s| {
            s.entries.iter().map(|e| {
                (
                    s.account.name.clone().unwrap(),
                    e.cents,
                    e.currency.unwrap().to_string(),
                    e.party.clone().unwrap(),
                    e.transfer_with.is_some(),
                )
            })
        })
        .collect();
    let row = |account: &str, cents, currency: &str, party: &str, transfer| {
        (account.to_owned(), cents, currency.to_owned(), party.to_owned(), transfer)
    };
    assert_eq!(
        seen,
        [
            row("Giro", -500, "EUR", "Shop", false),
            row("Giro", -700, "EUR", "Travel", true),
            row("Giro", 900, "EUR", "Employer", false),
            row("Travel", 800, "USD", "Giro", true),
        ]
    );
    let bad = text.replace("Deposit", "Odd");
    let rule = "line 3, column 2: must be one of Withdrawal, Deposit, Transfer; received \"Odd\"";
    assert_eq!(faults(read_with(profile, &bad)), [rule]);
}

#[test]
fn unknown_header_returns_a_skeleton_of_a_profile() {
    let text = "Exported by X\n\nWhen;What;How much;Left\n1.2.2026;a;1,00;2,00\n2.2.2026;b;1,00;3,00\n";
    match read(text.as_bytes(), &ReadOptions::default()) {
        Err(Unreadable::Choice(Choice::UnknownProfile { skeleton })) => {
            assert!(skeleton.contains("headers = [\"When;What;How much;Left\"]"), "{skeleton}");
            assert!(skeleton.contains("\"How much\""), "{skeleton}");
            let completed = skeleton
                .replace("booked = \"\"", "booked = \"When\"")
                .replace("amount = \"\"", "amount = \"How much\"")
                .replace("# decimal", "decimal")
                .replace("party = \"\"\ntext = [\"\"]", "text = \"What\"");
            let options = ReadOptions {
                profile: Some(Profile::parse(&completed, "skeleton").unwrap()),
                ..ReadOptions::default()
            };
            assert_eq!(read(text.as_bytes(), &options).unwrap()[0].entries.len(), 2);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(
        faults(read(b"hello\nworld\n", &ReadOptions::default())),
        ["file: must be a statement in one of the supported formats"]
    );
}

#[test]
fn profile_faults_name_the_key() {
    let valid = format!("name = \"test\"\nbank = \"B\"\n{SIMPLE}");
    for (from, to, expected) in [
        (
            "\"%Y-%m-%d\"",
            "\"%Y\"",
            "p.toml, dates: must be formats with day, month and year, such as %d.%m.%Y",
        ),
        ("\"test\"", "\"Test\"", "p.toml, name: must be lower-case letters, digits and hyphens"),
        ("amount = \"Amount\"", "", "p.toml, columns.amount: must be given, or the columns out and in"),
        ("\"EUR\"", "\"euro\"", "p.toml, currency: must be a currency code, such as EUR"),
    ] {
        let text = valid.replace(from, to);
        assert_eq!(
            Profile::parse(&text, "p.toml").map_err(|fault| fault.to_string()),
            Err(expected.to_owned())
        );
    }
    let unknown = Profile::parse(&format!("colour = 1\n{valid}"), "p.toml").unwrap_err();
    assert!(unknown.to_string().starts_with("p.toml, line 1: must be a profile: unknown field"), "{unknown}");
}

#[test]
fn file_without_header_line_is_read_by_positions() {
    let profile = "skip_lines = 1\ndates = [\"%d/%m/%Y\"]\n[columns]\nbooked = \"#1\"\namount = \"#3\"\ntext = \"#2\"\n";
    let entries = entries(read_with(profile, "exported\n31/12/2026,a,-1.00\n"));
    assert_eq!((entries[0].line, entries[0].cents, entries[0].text.as_str()), (2, -100, "a"));
}

proptest! {
    /// Any rows survive writing as CSV and reading.
    #[test]
    fn written_rows_are_read_back(rows in proptest::collection::vec((0_i16..366, -9_000_000_000_000_000_i64..=9_000_000_000_000_000, "[ -~äé\n\"]{0,20}"), 0..20)) {
        let mut writer = ::csv::Writer::from_writer(Vec::new());
        writer.write_record(["Date", "Text", "Amount", "Balance"]).unwrap();
        let start = date(2024, 1, 1);
        for (day, cents, text) in &rows {
            let day = start.saturating_add(jiff::Span::new().days(i64::from(*day)));
            let sign = if *cents < 0 { "-" } else { "" };
            let amount = format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100);
            writer.write_record([day.to_string(), text.clone(), amount, String::new()]).unwrap();
        }
        let bytes = writer.into_inner().unwrap();
        let read = entries(read_with(SIMPLE, std::str::from_utf8(&bytes).unwrap()));
        prop_assert_eq!(read.len(), rows.len());
        for (entry, (day, cents, text)) in read.iter().zip(&rows) {
            prop_assert_eq!(entry.cents, *cents);
            prop_assert_eq!(entry.booked, start.saturating_add(jiff::Span::new().days(i64::from(*day))));
            prop_assert_eq!(&entry.text, &text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
}

#[test]
fn file_without_rows_is_a_statement() {
    assert_eq!(read_with(SIMPLE, "Date,Text,Amount,Balance\n").unwrap()[0].entries, []);
    let with_accounts = SIMPLE.replace("balance =", "account_name =");
    assert_eq!(read_with(&with_accounts, "Date,Text,Amount,Balance\n").unwrap().len(), 1);
}
