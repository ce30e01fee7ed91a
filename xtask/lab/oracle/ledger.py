"""Reads the reference values of a ledger with bean-query."""

import calendar
import csv
import datetime
import io
import re
import subprocess
from collections import namedtuple
from decimal import Decimal
from pathlib import Path

import beanquery

Posting = namedtuple("Posting", "date account payee narration number currency spent")
# `value` is unrounded and in the ledger's currency. For money it equals the quantity.
Holding = namedtuple("Holding", "account commodity quantity price value")

OWN = "account ~ '^(Assets|Liabilities)'"
# Commodities that are not money: hours of vacation, and the limit of contributions to a retirement account.
NOT_MONEY = ("VACHR", "IRAUSD")

# A refund in an expense account counts as income. A loss in an income account counts as an expense.
SPENT = "(account ~ '^Expenses' AND number >= 0) OR (account ~ '^Income' AND number > 0)"
EARNED = "(account ~ '^Income' AND number <= 0) OR (account ~ '^Expenses' AND number < 0)"


class Ledger:
    """A ledger file, and the program that runs queries over it. `rated` is the ledger with exchange rates as prices."""

    def __init__(self, programs, file, rated, currency):
        self.program, self.file, self.rated, self.currency = Path(programs) / "bean-query", file, rated, currency
        self.connections = {}

    def query(self, text):
        """Runs a query with the command bean-query. Returns each row as a dictionary of stripped text."""
        command = [self.program, "-f", "csv", self.file, text]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return [{key: (value or "").strip() for key, value in row.items()} for row in csv.DictReader(io.StringIO(output))]

    def sums(self, *columns, spent):
        """Returns sums of the expense or income postings as {columns: (cents, count)}."""
        listed = ", ".join(columns)
        rows = self.query(
            f"SELECT {listed}, sum(number) AS total, count(*) AS entries "
            f"WHERE ({SPENT if spent else EARNED}) AND currency = '{self.currency}' GROUP BY {listed}"
        )
        return {tuple(row[column] for column in columns): (abs(exact_cents(row["total"])), int(row["entries"])) for row in rows}

    def postings(self):
        """Returns every posting under Income and Expenses in the ledger's currency."""
        found = []
        for spent, condition in ((True, SPENT), (False, EARNED)):
            rows = self.query(
                f"SELECT date, account, payee, narration, number WHERE ({condition}) AND currency = '{self.currency}'"
            )
            for row in rows:
                day = datetime.date.fromisoformat(row["date"])
                number = Decimal(row["number"])
                found.append(Posting(day, row["account"], row["payee"], row["narration"], number, self.currency, spent))
        return found

    def holdings(self, day):
        """Returns the holdings at the end of a day that are money or have a price, account by account."""
        after = day + datetime.timedelta(days=1)
        rows = self.query_unrounded(
            self.file,
            f"SELECT account, currency, sum(number), first(getprice(currency, '{self.currency}', {day})), "
            f"convert(sum(position), '{self.currency}', {day}) "
            f"FROM CLOSE ON {after} WHERE {OWN} GROUP BY account, currency",
        )
        found = [Holding(account, code, number, price, number_of(value, self.currency)) for account, code, number, price, value in rows]
        return [holding for holding in found if holding.quantity and holding.commodity not in NOT_MONEY]

    def daily_changes(self):
        """Returns the change of each money account on each day, as {(account, day): number}."""
        rows = self.query_unrounded(
            self.file,
            f"SELECT account, date, sum(number) WHERE {OWN} AND currency = '{self.currency}' GROUP BY account, date",
        )
        return {(account, day): number for account, day, number in rows}

    def value(self, day, currency):
        """Returns the value of all assets and liabilities at the end of a day, in unrounded cents of a currency."""
        after = day + datetime.timedelta(days=1)
        rows = self.query_unrounded(self.rated, f"SELECT convert(sum(position), '{currency}', {day}) FROM CLOSE ON {after} WHERE {OWN}")
        total = number_of(rows[0][0], currency) * 100
        if (left := [position.units.currency for position in rows[0][0] if position.units.currency not in (currency, *NOT_MONEY)]):
            raise ValueError(f"bean-query cannot convert {left} on {day}")
        return total

    def last_open(self):
        """Returns the day of the last `open` directive of an asset or liability account."""
        text = Path(self.file).read_text()
        days = re.findall(r"^(\d{4}-\d\d-\d\d) open (?:Assets|Liabilities):", text, re.MULTILINE)
        return max(datetime.date.fromisoformat(day) for day in days)

    def query_unrounded(self, file, text):
        """Runs a query with the library beanquery. Its values are unrounded; the command bean-query rounds them."""
        if file not in self.connections:
            self.connections[file] = beanquery.connect(f"beancount:{file}")
        return self.connections[file].execute(text).fetchall()


def number_of(inventory, currency):
    """Returns the quantity of a currency in an inventory."""
    return sum((position.units.number for position in inventory if position.units.currency == currency), Decimal(0))


def merchant_key(name):
    """Returns the words of a name that tell merchants apart: the first, and those that are no number of a branch."""
    is_number = re.compile(r"(.*\d){3}.*|[^a-z]*\d[^a-z]*")
    first, *others = name.lower().split() or [""]
    return " ".join([first, *(word for word in others if not is_number.fullmatch(word))])


def exact_cents(text):
    """Returns an amount with at most two decimals in cents."""
    value = Decimal(text or "0") * 100
    if value != value.to_integral_value():
        raise ValueError(f"{text} has more than two decimals")
    return int(value)


def rounded_cents(amount):
    """Returns an amount in cents, rounded half away from zero."""
    return int((amount * 100).quantize(Decimal(1), rounding="ROUND_HALF_UP"))


def months(first, last):
    """Yields the months from one day to another as (year, month, first day, last day)."""
    year, month = first.year, first.month
    while (year, month) <= (last.year, last.month):
        end = calendar.monthrange(year, month)[1]
        yield year, month, datetime.date(year, month, 1), datetime.date(year, month, end)
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
