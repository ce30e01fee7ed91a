"""Prints the bank and card statements of a generated ledger as a JSON array: one row per transaction and account.

Transfers between own accounts, investments and the employer's retirement plan are left out.

Usage: statement.py LEDGER
"""

import json
import re
import sys
from pathlib import Path

from beancount import loader
from beancount.core.data import Transaction

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "oracle"))
from categories import category  # noqa: E402

STATEMENT = re.compile(r"^(Assets:US:\w+:Checking|Liabilities:US:\w+:\w+)$")
EARNED_OR_SPENT = re.compile(r"^(Income|Expenses):")


def rows(ledger):
    """Yields the statement rows of a ledger."""
    entries, _, _ = loader.load_file(ledger)
    for entry in entries:
        if not isinstance(entry, Transaction):
            continue
        causes = [p for p in entry.postings if EARNED_OR_SPENT.match(p.account) and p.units.currency == "USD"]
        for posting in entry.postings:
            if causes and STATEMENT.match(posting.account) and posting.units.currency == "USD":
                cents = int(posting.units.number * 100)
                # The largest posting determines the category: a payroll is a salary, although taxes are deducted from it.
                cause = max(causes, key=lambda one: abs(one.units.number))
                yield {
                    "date": entry.date.isoformat(),
                    "amount_cents": abs(cents),
                    "income": cents > 0,
                    "category": category(cause.account, cents < 0),
                    "merchant_name": entry.payee or None,
                    "title": " ".join(filter(None, [entry.payee, entry.narration])),
                    "account": posting.account.rsplit(":", 1)[-1],
                }


if __name__ == "__main__":
    json.dump(list(rows(sys.argv[1])), sys.stdout)
