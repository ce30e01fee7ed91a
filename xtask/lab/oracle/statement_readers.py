"""Readers of bank files from Python packages. Each yields day and cents of the bookings, then currency and account as
far as the reader states them.
"""

import ast
import re
from collections import Counter
from io import BytesIO


def cents(amount):
    return int(round(amount * 100))


def ofx_text(file):
    """Returns the bytes without the time zones, because the booking day is the day as written."""
    return re.sub(rb"(\d{8})\d{0,6}(\.\d+)?\[[^\]]*\]", rb"\1", file.read_bytes())


def ofxparse_rows(file):
    from ofxparse import OfxParser

    for account in OfxParser.parse(BytesIO(ofx_text(file))).accounts:
        statement = account.statement
        currency = (getattr(statement, "currency", None) or "").upper() or None
        number = "".join((account.account_id or "").split()) or None
        for row in getattr(statement, "transactions", []):
            if hasattr(row, "amount"):
                yield row.date.date().isoformat(), cents(row.amount), currency, number


def ofxtools_rows(file):
    from ofxtools.Parser import OFXTree

    tree = OFXTree()
    tree.parse(BytesIO(ofx_text(file)))
    for statement in tree.convert().statements:
        number = "".join(statement.account.acctid.split())
        for row in getattr(statement, "transactions", None) or []:
            if hasattr(row, "trnamt"):
                yield row.dtposted.date().isoformat(), cents(row.trnamt), statement.curdef, number


def mt940_rows(file):
    import mt940

    parsed = mt940.parse(str(file), options=mt940.Options(reversal_sign=True))
    for row in parsed.transactions:
        day = row.data.get("entry_date") or row.data.get("guessed_entry_date") or row.data["date"]
        amount = row.data["amount"]
        yield day.strftime("%Y-%m-%d"), cents(amount.amount), amount.currency


def pycamt_rows(file):
    """Adds up the details of an entry, which pycamt lists one by one. The sample files have no two entries alike."""
    from pycamt.parser import Camt053Parser

    names = ["BookingDate", "Currency", "CreditDebitIndicator", "ReversalIndicator", "TransactionSubFamilyCode"]
    entries = Counter()
    for row in Camt053Parser(file.read_bytes()).get_transactions():
        sign = 1 if row["CreditDebitIndicator"] == "CRDT" else -1
        entries[tuple(row.get(name) for name in names)] += sign * cents(float(row["Amount"]))
    for (day, currency, *_), amount in entries.items():
        yield day[:10], amount, currency


def golden_rows(file):
    """Returns the expected output that the package of the CAMT files contains, in totals by day."""
    output = ast.literal_eval(file.with_name(file.name.replace("test-", "golden-") + ".pydata").read_text())
    currency, account, statements = output
    totals = Counter()
    for statement in statements:
        for row in statement["transactions"]:
            totals[row["date"]] += cents(row["amount"])
    for day, total in totals.items():
        yield day, total, currency, account


def quiffen_rows(file):
    from quiffen import Qif

    for account in Qif.parse(file, day_first=False).accounts.values():
        for rows in account.transactions.values():
            for row in rows:
                # Investments are left out. Quicken writes the opening balance as a transaction.
                if getattr(row, "payee", "Opening Balance") != "Opening Balance":
                    yield row.date.date().isoformat(), cents(row.amount)


def scanned_rows(file):
    """Finds days and amounts in OFX files that no library reads, such as files without a complete head."""
    text = file.read_text(encoding="cp1252", errors="replace")
    for part in re.split("<STMTTRN>", text)[1:]:
        day = re.search(r"<DTPOSTED>\s*(\d{4})(\d\d)(\d\d)", part)
        amount = re.search(r"<TRNAMT>\s*([-+]?[0-9.]+)", part)
        yield "-".join(day.groups()), cents(float(amount.group(1)))


def converted_rows(file):
    """The package csv2ofx contains the expected conversion of its samples."""
    return scanned_rows(file.parent.parent / "converted" / f"{CONVERTED.get(file.stem, file.stem)}.ofx")


# Samples whose conversion has another name.
CONVERTED = {"n26-fr": "n26"}
