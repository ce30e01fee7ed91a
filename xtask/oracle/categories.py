"""Which category each account of the generated ledgers stands for. Written by hand, apart from the importer's map,
so that the two check each other."""

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
    # Losses.
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
    """The category of money spent or received under an account."""
    for pattern, word in EXPENSE if spent else INCOME:
        if re.search(pattern, account):
            return word
    raise LookupError(f"the oracle knows no category of {account}")
