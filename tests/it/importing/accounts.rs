//! Accounts: bank, name, type, currency, balance and closing day.

use passbook_formats::beancount::{AccountMap, Import};
use passbook_formats::record::Record;

use super::{account, accounts, import_files, ledger, rows};

/// All accounts as `bank/name type/subtype currency cents`.
fn described(import: &Import) -> Vec<String> {
    let bank = |id| {
        let bank = import.records.iter().find_map(|located| match &located.record {
            Record::Bank(bank) if bank.bank_id == id => Some(bank.name.clone()),
            _ => None,
        });
        bank.expect("every account has a bank")
    };
    let describe = |account: &&passbook_formats::record::Account| {
        let (kind, subtype) = (account.account_type.as_str(), account.subtype.as_str());
        let (currency, cents) = (account.currency, account.balance_cents);
        format!("{}/{} {kind}/{subtype} {currency} {cents}", bank(account.bank_id), account.name)
    };
    accounts(import).iter().map(describe).collect()
}

#[test]
fn bank_name_and_type_are_derived_from_the_account_name() {
    let import = ledger(
        r#"
2024-01-01 open Assets:Wallet
2024-01-01 open Assets:Savings:Joint:Holiday
2024-01-01 open Assets:US:Fidelity:401k USD
2024-01-01 open Liabilities:US:BofA:Mortgage
2024-01-01 open Liabilities:Visa
2024-01-01 open Liabilities:Friends
2024-02-01 * "Opening balances"
  Assets:Wallet  20 USD
  Assets:Savings:Joint:Holiday  30 USD
  Assets:US:Fidelity:401k  40 USD
  Liabilities:US:BofA:Mortgage  -50000 USD
  Liabilities:Visa  -60 USD
  Liabilities:Friends  -70 USD
  Equity:Opening-Balances
"#,
    );
    let expected = [
        "Savings/Joint Holiday depository/savings USD 3000",
        "Fidelity/401k investment/401k USD 4000",
        "Wallet/Wallet depository/cash USD 2000",
        "Friends/Friends other/liability USD -7000",
        "BofA/Mortgage loan/mortgage USD -5000000",
        "Visa/Visa credit/credit card USD -6000",
    ];
    assert_eq!(described(&import), expected);
}

#[test]
fn account_with_two_currencies_becomes_two_accounts() {
    let import = ledger(
        r#"
2024-01-01 open Assets:GB:Wise
2024-02-01 * "Opening balance"
  Assets:GB:Wise  100 GBP
  Equity:Opening-Balances
2024-02-02 * "Exchange"
  Assets:GB:Wise  -50 GBP @@ 60 EUR
  Assets:GB:Wise  60 EUR
2024-02-03 * "Market"
  Assets:GB:Wise  -10 GBP
  Expenses:Food:Groceries
"#,
    );
    assert_eq!(
        described(&import),
        ["Wise/Wise (EUR) depository/checking EUR 6000", "Wise/Wise depository/checking GBP 4000"]
    );
    let expected = [
        "2024-02-02 Wise INTERNAL_TRANSFER TRANSFER_OUT 5000 GBP",
        "2024-02-02 Wise (EUR) INTERNAL_TRANSFER TRANSFER_IN 6000 EUR",
        "2024-02-03 Wise EXPENSE GROCERIES 1000 GBP",
    ];
    assert_eq!(rows(&import), expected);
}

#[test]
fn closed_account_has_its_closing_day() {
    let import = ledger(
        r#"
2024-02-01 * "Opening and emptying"
  Assets:US:BofA:Savings  10 USD
  Assets:US:BofA:Checking  -10 USD
2024-02-02 * "Back"
  Assets:US:BofA:Savings  -10 USD
  Assets:US:BofA:Checking  10 USD
2024-03-01 close Assets:US:BofA:Savings
"#,
    );
    let closed = account(&import, "Savings");
    assert_eq!(
        (closed.closed_on.map(|day| day.to_string()).as_deref(), closed.balance_cents),
        (Some("2024-03-01"), 0)
    );
    assert_eq!(account(&import, "Checking").closed_on, None);
}

#[test]
fn include_is_read_once_and_root_accounts_may_be_renamed() {
    let main = "include \"parts/*.beancount\"\ninclude \"parts/a.beancount\"\noption \"name_assets\" \"Vermoegen\"\n";
    let opened =
        "include \"../main.beancount\"\n2024-01-01 open Vermoegen:Giro\n2024-01-01 open Expenses:Miete\n";
    let spent = "2024-02-01 * \"Miete\"\n  Vermoegen:Giro  -700 EUR\n  Expenses:Miete\n";
    let files = [("main.beancount", main), ("parts/a.beancount", spent), ("parts/b.beancount", opened)];
    let import = import_files(&files, &AccountMap::built_in()).expect("the ledger has no faults");
    assert_eq!(rows(&import), ["2024-02-01 Giro EXPENSE UNCATEGORIZED 70000 EUR"]);
    assert_eq!(import.report.unmapped_accounts, ["Expenses:Miete"]);
}
