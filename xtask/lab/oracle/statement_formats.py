"""The comparisons of the readers of bank files: sample files, independent readers and the bookings of Passbook."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import debian_readers as debian
import statement_readers as packages


def bookings(line):
    """Returns day, cents, currency and account of the bookings in a line of `statement_rows`."""
    return [row_of(row) for row in line.get("rows", [])]


def row_of(row):
    account = "".join((row["account"] or "").split()) or None
    return row["day"], row["cents"], row["currency"], account


def daily_totals(line):
    """Returns the bookings of each day and account as one amount."""
    totals = Counter()
    for day, cents, currency, account in bookings(line):
        totals[(day, currency, account)] += cents
    return [(day, cents, currency, account) for (day, currency, account), cents in totals.items()]


def opening_balances(line):
    return [(row["kind"], row["cents"]) for row in line.get("balances", []) if row["kind"] == "Opening"]


@dataclass
class Comparison:
    """Sample files of one format, and the readers. A file must have the bookings that one of the readers finds."""

    name: str
    # Patterns of paths in the folder of the sample files.
    patterns: list[str]
    # Order of days in files that leave it open.
    order: str
    readers: list[Callable]
    # Reader of the files that all readers reject.
    fallback: Callable | None = None
    # True if files that no reader reads are not listed.
    is_partial: bool = False
    # Minimum number of compared files.
    files_min: int = 1
    # Returns the profile that Passbook reads a CSV file with, unless Passbook knows the header line.
    profile: Callable = lambda _: None
    # Passbook's bookings.
    rows: Callable = bookings


OFX = [
    "ofxparse-*/tests/fixtures/**/*.ofx",
    "bankfile-*/corpus/**/*.[oq]fx",
    "csv2ofx-*/data/**/*.ofx",
    "ofx-rs/tests/**/*.ofx",
]
CAMT = [f"account_statement_import_camt/tests/samples/test-camt053{name}" for name in ("", "-no-ntry", "-txdtls")]
MT940 = ["mt940/tests/data/mt940/**/*.sta", "mt-940-*/mt940_tests/**/*.sta"]
QIF = ["quiffen-*/tests/test_files/*.qif", "csv2ofx-*/data/**/*.qif"]
CSV_FOLDER = "csv2ofx-*/data/test"
# Samples whose header line Passbook knows.
KNOWN_CSV = ["capitalone", "gls", "mint", "n26-fr", "outbank", "schwab-*", "ubs-*"]
# Samples that Passbook reads with a profile of its own, which is next to the rules of hledger. The others are a list of
# orders, a general journal and files whose first or last line is no booking.
OWN_CSV = ["creditunion", "default", "ingesp", "payoneer", "pcmastercard", "stripe-*"]
CSV = [f"{CSV_FOLDER}/{name}.csv" for name in KNOWN_CSV + OWN_CSV]
CONVERTED_CSV = [f"{CSV_FOLDER}/{name}.csv" for name in ("n26-fr", "gls", "outbank", "schwab-*")]


def comparisons():
    return [
        Comparison("ofx", OFX, "mdy", [packages.ofxparse_rows, packages.ofxtools_rows], fallback=packages.scanned_rows),
        Comparison("camt", CAMT, "dmy", [packages.pycamt_rows]),
        Comparison("camt-golden", CAMT, "dmy", [packages.golden_rows], files_min=3, rows=daily_totals),
        aqbanking("camt", CAMT, "xml", "camt_053_001_04", 3),
        Comparison("mt940", MT940, "dmy", [packages.mt940_rows]),
        aqbanking("mt940", MT940, "swift", "SWIFT-MT940", 48),
        Comparison("qif", QIF, "mdy", [packages.quiffen_rows]),
        Comparison("csv", CONVERTED_CSV, "mdy", [packages.converted_rows]),
        Comparison("csv-hledger", CSV, "mdy", [debian.hledger_csv_rows], files_min=21, profile=debian.own_profile),
        Comparison("journal-hledger", ["journals/*.csv"], "dmy", [debian.hledger_journal_rows]),
        Comparison("gnucash", ["books/*.gnucash"], "dmy", [debian.gnucash_rows], files_min=4),
        Comparison(
            "gnucash-opening", ["books/*.gnucash"], "dmy", [debian.gnucash_openings], files_min=4, rows=opening_balances
        ),
    ]


def aqbanking(name, patterns, importer, profile, files_min):
    """AqBanking reads a part of the files only."""
    reader = debian.aqbanking_rows(importer, profile)
    return Comparison(f"{name}-aqbanking", patterns, "dmy", [reader], is_partial=True, files_min=files_min)
