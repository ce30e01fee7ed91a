"""Compares the bookings that Passbook reads from other projects' sample files with those of independent readers.

Usage: statements.py PROGRAM SAMPLES EXCEPTIONS

PROGRAM is the example `statement_rows`, SAMPLES a folder with the unpacked packages, EXCEPTIONS a TOML file with the
files that differ, each with the reason. Bookings are compared as a multiset of account, day, cents and currency, as far
as the other reader states them. A file that no other reader can read is counted apart.
"""

import json
import re
import subprocess
import sys
import tomllib
import warnings
from collections import Counter
from io import BytesIO
from pathlib import Path

# Files of one format that may differ, in percent.
DIFFERENT_PERCENT_MAX = 5

warnings.simplefilter("ignore")


class Unreadable(Exception):
    """No independent reader can read the file."""


def main():
    program, samples, exceptions = sys.argv[1], Path(sys.argv[2]), tomllib.loads(Path(sys.argv[3]).read_text())
    failed = False
    for name, (patterns, order, readers) in FORMATS.items():
        files = sorted({file for pattern in patterns for file in samples.glob(pattern) if file.is_file()})
        if not files:
            print(f"{name}: no sample files")
            failed = True
            continue
        failed |= compare_format(name, files, read_all(program, order, files), readers, samples, exceptions)
    sys.exit(1 if failed else 0)


def read_all(program, order, files):
    output = subprocess.run([program, order, *map(str, files)], capture_output=True, text=True, check=True).stdout
    return {Path(line["file"]): line for line in map(json.loads, output.splitlines())}


def compare_format(name, files, read, readers, samples, exceptions):
    """Compares the files of one format, and prints the differences. Returns true if the format fails."""
    listed = exceptions.get(name, {})
    equal, unread, different, wrong = 0, [], [], []
    for file in files:
        key = str(file.relative_to(samples))
        outcomes = [outcome(reader, file, read[file]) for reader in readers]
        if name == "ofx" and all(result == "unreadable" for result in outcomes):
            outcomes.append(outcome(scanned_rows, file, read[file]))
        if "equal" in outcomes:
            equal += 1
            if key in listed:
                wrong.append(f"{key}: equal, remove it from the list of exceptions")
        elif all(result == "unreadable" for result in outcomes):
            unread.append(key)
        else:
            different.append(key)
            if key not in listed:
                wrong.append(f"{key}: {'; '.join(outcomes)}")
    share = 100 * len(different) / len(files)
    print(
        f"{name}: {len(files)} files, {equal} equal, {len(different)} different ({share:.1f} %), "
        f"{len(unread)} that no other reader can read"
    )
    for key in unread:
        rows, line = read[samples / key].get("rows"), read[samples / key]
        described = f"{len(rows)} bookings" if rows is not None else line.get("faults") or line.get("choice")
        expected = exceptions.get(f"{name}-unread", {}).get(key)
        if expected is None:
            wrong.append(f"{key}: no other reader can read it; Passbook: {described}")
        elif expected["bookings"] != (len(rows) if rows is not None else "rejected"):
            wrong.append(f"{key}: expected {expected['bookings']}; Passbook: {described}")
    for line in wrong:
        print(f"  {line}")
    return bool(wrong) or share > DIFFERENT_PERCENT_MAX


def outcome(reader, file, line):
    try:
        expected = Counter(reader(file))
    except Exception:  # Each library has exceptions of its own, down to IndexError.
        return "unreadable"
    if not expected and line.get("rows"):
        # A reader that finds nothing where bookings are has not read the file.
        return "unreadable"
    if "rows" not in line:
        # A file without bookings has nothing to compare.
        return "equal" if not expected else f"rejected: {line.get('faults') or line.get('choice')}"
    width = len(next(iter(expected))) if expected else 0
    ours = Counter(shortened(row, width) for row in line["rows"])
    if ours == expected:
        return "equal"
    missing, surplus = list((expected - ours).elements())[:3], list((ours - expected).elements())[:3]
    return f"{reader.__name__}: {sum(expected.values())} against {sum(ours.values())}, missing {missing}, surplus {surplus}"


def shortened(row, width):
    """Returns day and cents, then currency, then account: as many as the other reader states."""
    return (row["day"], row["cents"], row["currency"], row["account"])[: max(width, 2)]


def cents(amount):
    return int(round(amount * 100))


# Readers return day and cents, and further currency and account.


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

FORMATS = {
    "ofx": (
        ["ofxparse-*/tests/fixtures/**/*.ofx", "bankfile-*/corpus/**/*.[oq]fx", "csv2ofx-*/data/**/*.ofx", "ofx-rs/tests/**/*.ofx"],
        "mdy",
        [ofxparse_rows, ofxtools_rows],
    ),
    "camt": ([f"account_statement_import_camt/tests/samples/test-camt053{name}" for name in ("", "-no-ntry", "-txdtls")], "dmy", [pycamt_rows]),
    "mt940": (["mt940/tests/data/mt940/**/*.sta"], "dmy", [mt940_rows]),
    "qif": (["quiffen-*/tests/test_files/*.qif", "csv2ofx-*/data/**/*.qif"], "mdy", [quiffen_rows]),
    "csv": (
        ["csv2ofx-*/data/test/{}.csv".format(name) for name in ("n26-fr", "gls", "outbank", "schwab-checking")],
        "mdy",
        [converted_rows],
    ),
}

if __name__ == "__main__":
    main()
