"""What bean-query says about a ledger."""

import calendar
import csv
import datetime
import io
import subprocess
from collections import namedtuple
from decimal import Decimal
from pathlib import Path

import beanquery

Posting = namedtuple("Posting", "date account payee number currency spent")
# The value is unrounded, in the ledger's currency; of money it is the quantity.
Holding = namedtuple("Holding", "account commodity quantity price value")

OWN = "account ~ '^(Assets|Liabilities)'"
# Hours of vacation, and contributions that are counted but are nobody's money.
NOT_MONEY = ("VACHR", "IRAUSD")

# Money back in an expense account is earned, a loss in an income account is spent; nothing stays on its side.
SPENT = "(account ~ '^Expenses' AND number >= 0) OR (account ~ '^Income' AND number > 0)"
EARNED = "(account ~ '^Income' AND number <= 0) OR (account ~ '^Expenses' AND number < 0)"


class Ledger:
    """A ledger file and the program that answers questions about it."""

    def __init__(self, programs, file, rated, currency):
        self.program, self.file, self.rated, self.currency = Path(programs) / "bean-query", file, rated, currency
        self.connections = {}

    def query(self, text):
        """The rows of an answer, each a dictionary of stripped text."""
        command = [self.program, "-f", "csv", self.file, text]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return [{key: (value or "").strip() for key, value in row.items()} for row in csv.DictReader(io.StringIO(output))]

    def sums(self, *columns, spent):
        """Sums of the postings under Income and Expenses that spend or earn, as {columns: (cents, count)}."""
        listed = ", ".join(columns)
        rows = self.query(
            f"SELECT {listed}, sum(number) AS total, count(*) AS entries "
            f"WHERE ({SPENT if spent else EARNED}) AND currency = '{self.currency}' GROUP BY {listed}"
        )
        return {tuple(row[column] for column in columns): (abs(exact_cents(row["total"])), int(row["entries"])) for row in rows}

    def postings(self):
        """Every posting under Income and Expenses in the ledger's currency."""
        found = []
        for spent, condition in ((True, SPENT), (False, EARNED)):
            rows = self.query(
                f"SELECT date, account, payee, number WHERE ({condition}) AND currency = '{self.currency}'"
            )
            for row in rows:
                day = datetime.date.fromisoformat(row["date"])
                number = Decimal(row["number"])
                found.append(Posting(day, row["account"], row["payee"], number, self.currency, spent))
        return found

    def holdings(self, day):
        """Everything that is money or has a price at the end of a day, account by account."""
        after = day + datetime.timedelta(days=1)
        rows = self.ask(
            self.file,
            f"SELECT account, currency, sum(number), first(getprice(currency, '{self.currency}', {day})), "
            f"convert(sum(position), '{self.currency}', {day}) "
            f"FROM CLOSE ON {after} WHERE {OWN} GROUP BY account, currency",
        )
        found = [Holding(account, code, number, price, number_of(value, self.currency)) for account, code, number, price, value in rows]
        return [holding for holding in found if holding.quantity and holding.commodity not in NOT_MONEY]

    def worth(self, day, currency):
        """What bean-query converts everything owned and owed at the end of a day to, in cents, unrounded."""
        after = day + datetime.timedelta(days=1)
        rows = self.ask(self.rated, f"SELECT convert(sum(position), '{currency}', {day}) FROM CLOSE ON {after} WHERE {OWN}")
        total = number_of(rows[0][0], currency) * 100
        if (left := [position.units.currency for position in rows[0][0] if position.units.currency not in (currency, *NOT_MONEY)]):
            raise ValueError(f"bean-query cannot convert {left} on {day}")
        return total

    def ask(self, file, text):
        """The rows of an answer of bean-query's own engine, unrounded, which its command rounds for display."""
        if file not in self.connections:
            self.connections[file] = beanquery.connect(f"beancount:{file}")
        return self.connections[file].execute(text).fetchall()


def number_of(inventory, currency):
    """How much of a currency is in an inventory."""
    return sum((position.units.number for position in inventory if position.units.currency == currency), Decimal(0))


def exact_cents(text):
    """An amount with at most two decimals, in cents."""
    value = Decimal(text or "0") * 100
    if value != value.to_integral_value():
        raise ValueError(f"{text} has more than two decimals")
    return int(value)


def rounded_cents(amount):
    """An amount in cents, half away from zero."""
    return int((amount * 100).quantize(Decimal(1), rounding="ROUND_HALF_UP"))


def months(first, last):
    """The months from one day to another, as (year, month, first day, last day)."""
    year, month = first.year, first.month
    while (year, month) <= (last.year, last.month):
        end = calendar.monthrange(year, month)[1]
        yield year, month, datetime.date(year, month, 1), datetime.date(year, month, end)
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
