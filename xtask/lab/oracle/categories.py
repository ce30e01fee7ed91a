"""The category of each account of the generated ledgers. Written by hand and independent of the importer's map, so that
the two maps check each other."""

import re

EXPENSE = [
    (r"^Expenses:Taxes:", "TAXES"),
    (r"^Expenses:Health:(Dental|Medical|Vision):Insurance$", "INSURANCE"),
    (r"^Expenses:Health:Life:GroupTermLife$", "INSURANCE"),
    (r"^Expenses:Home:Rent$", "RENT"),
    (r"^Expenses:Home:Electricity$", "ENERGY"),
    (r"^Expenses:Home:Internet$", "INTERNET"),
    (r"^Expenses:Home:Phone$", "PHONE"),
    (r"^Expenses:Food:Groceries$", "GROCERIES"),
    (r"^Expenses:Food:Restaurant$", "RESTAURANT"),
    (r"^Expenses:Food:Coffee$", "COFFEE"),
    (r"^Expenses:Food:Alcohol$", "ALCOHOL"),
    (r"^Expenses:Transport:Tram$", "PUBLIC_TRANSPORT"),
    (r"^Expenses:Vacation$", "VACATION"),
    (r"^Expenses:Financial:(Fees|Commissions)$", "BANK_FEES"),
    # A positive number in this account is a loss.
    (r"^Income:US:ETrade:PnL$", "UNCATEGORIZED"),
]

INCOME = [
    (r"^Income:US:\w+:Salary$", "SALARY"),
    (r"^Income:US:\w+:(Match401k|GroupTermLife)$", "BENEFITS"),
    (r"^Income:US:ETrade:\w+:Dividend$", "DIVIDEND"),
    (r"^Income:US:ETrade:PnL$", "INVESTMENT"),
    (r"^Expenses:", "REFUND"),
]


def category(account, spent):
    """Returns the category of an expense (`spent`) or an income in an account."""
    for pattern, word in EXPENSE if spent else INCOME:
        if re.search(pattern, account):
            return word
    raise LookupError(f"categories.py has no category for the account {account}: add a pattern")
