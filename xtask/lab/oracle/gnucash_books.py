"""Writes GnuCash books with GnuCash's own library, and lists the postings of a book.

Usage: gnucash_books.py write FOLDER | list FILE

Runs with Debian's Python, to which the package python3-gnucash belongs. The books have accounts of every kind that
Passbook reads, currencies with and without decimals, an account of shares, opening balances, transfers, transactions
with several parts and a voided transaction. Each book is written as XML and as compressed XML.
"""

import json
import random
import sys
from pathlib import Path

import gnucash.gnucash_core_c as core
from gnucash import Account, GncCommodity, GncNumeric, Session, SessionOpenMode, Split, Transaction, _sw_core_utils

SEED = 20261121
RANDOM_TRANSACTIONS = 400

# Name, kind and currency of the accounts. A colon separates the name from that of the parent.
ACCOUNTS = [
    ("Assets", "ASSET", "EUR"),
    ("Assets:Giro", "BANK", "EUR"),
    ("Assets:Dollar", "BANK", "USD"),
    ("Assets:Cash", "CASH", "EUR"),
    ("Assets:Yen", "CASH", "JPY"),
    ("Assets:Lent", "RECEIVABLE", "EUR"),
    ("Assets:Fund", "STOCK", "FUND"),
    ("Liabilities", "LIABILITY", "EUR"),
    ("Liabilities:Card", "CREDIT", "EUR"),
    ("Liabilities:Bills", "PAYABLE", "EUR"),
    ("Income", "INCOME", "EUR"),
    ("Expenses", "EXPENSE", "EUR"),
    ("Expenses:Food & Drink", "EXPENSE", "EUR"),
    ("Expenses:Fees", "EXPENSE", "EUR"),
    ("Equity", "EQUITY", "EUR"),
    ("Equity:Opening Balances", "EQUITY", "EUR"),
    ("Equity:Gifts", "EQUITY", "EUR"),
]

# Day, text and parts: account, value in hundredths of a euro, and quantity if the account has another unit.
TRANSACTIONS = [
    ((2026, 1, 1), "Opening balance", [("Assets:Giro", 150000), ("Equity:Opening Balances", -150000)]),
    (
        (2026, 1, 1),
        "Two opening balances",
        [("Assets:Cash", 5000), ("Liabilities:Card", -2500), ("Equity:Opening Balances", -2500)],
    ),
    ((2026, 1, 2), "Shop <one> & \"two\"", [("Assets:Giro", -1234), ("Expenses:Food & Drink", 1234)]),
    ((2026, 1, 3), "Withdrawal", [("Assets:Giro", -5000), ("Assets:Cash", 5000)]),
    ((2026, 1, 4), "Salary with deductions", [("Assets:Giro", 200000), ("Expenses:Fees", 1500), ("Income", -201500)]),
    ((2026, 1, 5), "Two parts of one account", [("Assets:Giro", -300), ("Assets:Giro", -200), ("Expenses:Fees", 500)]),
    ((2026, 1, 6), "Dollars", [("Assets:Giro", -9000), ("Assets:Dollar", 8900, 10000), ("Expenses:Fees", 100)]),
    ((2026, 1, 7), "Yen", [("Assets:Giro", -1000), ("Assets:Yen", 1000, 1700)]),
    ((2026, 1, 8), "Shares", [("Assets:Giro", -10000), ("Assets:Fund", 10000, 12345)]),
    ((2026, 1, 9), "Gift against equity", [("Assets:Giro", 7000), ("Equity:Gifts", -7000)]),
    (
        (2026, 1, 10),
        "Part of an opening balance",
        [("Assets:Giro", 900), ("Equity:Opening Balances", -800), ("Income", -100)],
    ),
    ((2026, 1, 11), "Lent and billed", [("Assets:Lent", 4200), ("Liabilities:Bills", -4200)]),
    ((2024, 2, 29), "Leap day", [("Liabilities:Card", -999), ("Expenses:Food & Drink", 999)]),
    ((2026, 12, 31), "No amount", [("Assets:Giro", 0), ("Expenses:Fees", 0)]),
]
VOIDED = ((2026, 1, 12), "Voided", [("Assets:Giro", -777), ("Expenses:Fees", 777)])

# Kinds whose postings are bookings. Accounts of shares are none.
BOOKED_KINDS = ["ASSET", "BANK", "CASH", "CREDIT", "LIABILITY", "PAYABLE", "RECEIVABLE"]
# Units of an amount in one whole.
FRACTIONS = {"EUR": 100, "USD": 100, "JPY": 1, "FUND": 1000}


def kind_number(kind):
    return getattr(core, f"ACCT_TYPE_{kind}")


def write(folder):
    for name, transactions in {"household": TRANSACTIONS, "random": list(random_transactions())}.items():
        for ending, compressed in (("xml", False), ("gz", True)):
            _sw_core_utils.gnc_prefs_set_file_save_compressed(compressed)
            write_book(folder / f"{name}-{ending}.gnucash", transactions)


def random_transactions():
    chance = random.Random(SEED)
    own = ["Assets:Giro", "Assets:Cash", "Liabilities:Card", "Assets:Lent"]
    other = ["Expenses:Food & Drink", "Expenses:Fees", "Income", "Equity:Gifts", "Assets:Giro"]
    for number in range(RANDOM_TRANSACTIONS):
        amounts = [chance.randint(-99999, 99999) for _ in range(chance.randint(1, 3))]
        parts = [(chance.choice(own + other), amount) for amount in amounts]
        day = (chance.randint(1999, 2026), chance.randint(1, 12), chance.randint(1, 28))
        yield day, f"Number {number}", [*parts, (chance.choice(own), -sum(amounts))]


def write_book(path, transactions):
    with Session(f"xml://{path}", SessionOpenMode.SESSION_NEW_STORE) as session:
        book = session.book
        euro = book.get_table().lookup("CURRENCY", "EUR")
        accounts = create_accounts(book)
        for transaction in transactions:
            add(book, euro, accounts, transaction)
        add(book, euro, accounts, VOIDED).Void("entered twice")
        session.save()


def create_accounts(book):
    fund = GncCommodity(book, "A fund", "FUND", "FUND", "", FRACTIONS["FUND"])
    book.get_table().insert(fund)
    accounts = {"": book.get_root_account()}
    for path, kind, unit in ACCOUNTS:
        parent, _, name = path.rpartition(":")
        account = Account(book)
        accounts[parent].append_child(account)
        account.SetName(name)
        account.SetType(kind_number(kind))
        account.SetCommodity(fund if unit == "FUND" else book.get_table().lookup("CURRENCY", unit))
        accounts[path] = account
    return accounts


def add(book, currency, accounts, described):
    (year, month, day), text, parts = described
    transaction = Transaction(book)
    transaction.BeginEdit()
    transaction.SetCurrency(currency)
    transaction.SetDescription(text)
    transaction.SetDate(day, month, year)
    units = {path: unit for path, _, unit in ACCOUNTS}
    for path, value, *quantity in parts:
        split = Split(book)
        split.SetParent(transaction)
        split.SetAccount(accounts[path])
        split.SetValue(GncNumeric(value, 100))
        split.SetAmount(GncNumeric((quantity or [value])[0], FRACTIONS[units[path]]))
    transaction.CommitEdit()
    return transaction


def list_postings(path):
    """Prints one JSON line for each posting of an own account, as GnuCash reads the book."""
    with Session(f"xml://{path}", SessionOpenMode.SESSION_READ_ONLY) as session:
        for account in session.book.get_root_account().get_descendants():
            if account.GetType() in map(kind_number, BOOKED_KINDS):
                for split in account.GetSplitList():
                    print(json.dumps(posting(account, split)))


def posting(account, split):
    amount = split.GetAmount()
    return {
        "account": account.GetGUID().to_string(),
        "day": split.GetParent().GetDate().strftime("%Y-%m-%d"),
        "cents": amount.num() * 100 // amount.denom(),
        "currency": account.GetCommodity().get_mnemonic(),
        "is_opening": is_opening(split.GetParent()),
    }


def is_opening(transaction):
    """Returns true if all parts outside the own accounts are opening balances."""
    own = list(map(kind_number, BOOKED_KINDS))
    accounts = [split.GetAccount() for split in transaction.GetSplitList()]
    others = [account.name for account in accounts if account.GetType() not in own]
    return bool(others) and set(others) == {"Opening Balances"}


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(Path(sys.argv[2]))
    else:
        list_postings(sys.argv[2])
