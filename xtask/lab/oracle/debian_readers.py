"""Readers of bank files that run programs of Debian: aqbanking-cli, hledger and GnuCash's library for Python.

Each yields day and cents of the bookings, then currency and account as far as the reader states them. A reader fails if
its program cannot read the file.
"""

import csv
import io
import json
import os
import shutil
import subprocess
import tempfile
from fractions import Fraction
from pathlib import Path

FOLDER = Path(__file__).parent
# Python of Debian, to which the package python3-gnucash belongs.
PYTHON = "/usr/bin/python3"
# Commodities of hledger that are no currency code.
SYMBOLS = {"$": "USD"}


def output_of(command, home=None):
    environment = {**os.environ, "LC_ALL": "C.UTF-8", **({"HOME": home} if home else {})}
    return subprocess.run(command, capture_output=True, check=True, env=environment).stdout.decode(errors="replace")


def aqbanking_rows(importer, profile):
    """Returns a reader that imports a file with an importer and a profile of AqBanking."""

    def aqbanking(file):
        # AqBanking writes settings into the home folder.
        with tempfile.TemporaryDirectory() as folder:
            context = f"{folder}/context"
            options = [f"--importer={importer}", f"--profile={profile}", "-f", str(file), "-c", context]
            output_of(["aqbanking-cli", "import", *options], folder)
            options = ["-c", context, "--exporter=csv", "--profile=full"]
            output = output_of(["aqbanking-cli", "export", *options], folder)
        for row in csv.DictReader(io.StringIO(output), delimiter=";"):
            amount = whole_cents(Fraction(row["value_value"]))
            account = row["localIban"] or row["localAccountNumber"] or None
            yield row["date"].replace("/", "-"), amount, row["value_currency"], account

    return aqbanking


def whole_cents(amount):
    """Returns an amount in hundredths, which must be a whole number."""
    hundredths = amount * 100
    if hundredths.denominator != 1:
        raise ValueError(f"{amount} has more than two decimals")
    return int(hundredths)


def hledger_csv_rows(file):
    """Reads a CSV file of a bank with the rules file of its header line."""
    rules = FOLDER / "hledger" / f"{rules_name(file.stem)}.rules"
    content = file.read_bytes()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252")
    with tempfile.TemporaryDirectory() as folder:
        # hledger reads only UTF-8, and lines that end in a line feed.
        copy = Path(folder) / "bank.csv"
        copy.write_text("\n".join(text.splitlines()) + "\n", encoding="utf-8")
        options = ["-f", f"csv:{copy}", "--rules-file", str(rules)]
        output = output_of(["hledger", *options, "register", "assets", "-O", "json"])
    return register_rows(output, "assets")


def rules_name(stem):
    """Returns the name of the rules file of a sample: the name of Passbook's profile."""
    for start in ("schwab-checking", "stripe"):
        if stem.startswith(start):
            return start
    return RULES.get(stem, stem)


RULES = {"capitalone": "capital-one-card", "n26-fr": "n26", "ubs-ch-fr_trimmed": "ubs-fr"}


def own_profile(file):
    """Returns the profile of a sample whose header line Passbook does not know."""
    profile = FOLDER / "hledger" / f"{rules_name(file.stem)}.toml"
    return profile if profile.exists() else None


def hledger_journal_rows(file):
    """Lists the postings of own accounts of the journal that a CSV file was printed from.

    hledger decides by the account's type, Passbook by the account's name. The quantities are not taken from CSV.
    """
    journal = file.with_suffix(".journal")
    return register_rows(output_of(["hledger", "-f", str(journal), "register", "type:AL", "-O", "json"]), "")


def register_rows(output, prefix):
    day = None
    for row in json.loads(output):
        # The day is stated for the first posting of a transaction.
        day, posting = row[0] or day, row[3]
        account = "".join(posting["paccount"].removeprefix(prefix).removeprefix(":").split())
        for amount in amounts_of(posting):
            quantity, commodity = amount["aquantity"], amount["acommodity"]
            value = Fraction(quantity["decimalMantissa"], 10 ** quantity["decimalPlaces"])
            yield day, whole_cents(value), SYMBOLS.get(commodity, commodity.upper()), account or None


def amounts_of(posting):
    """Returns the amounts of a posting, without the zeros that hledger adds for other commodities of a transaction."""
    amounts = posting["pamount"]
    return [amount for amount in amounts if len(amounts) == 1 or amount["aquantity"]["decimalMantissa"] != 0]


def print_journals(folder):
    """Writes each journal as the CSV file that Passbook reads, next to a copy of the journal."""
    folder = new_folder(folder)
    for journal in (FOLDER / "hledger").glob("*.journal"):
        copy = folder / journal.name
        copy.write_bytes(journal.read_bytes())
        copy.with_suffix(".csv").write_text(output_of(["hledger", "-f", str(copy), "print", "-O", "csv"]))


def gnucash_rows(file):
    for row in gnucash_postings(file):
        if not row["is_opening"]:
            yield row["day"], row["cents"], row["currency"], row["account"]


def gnucash_openings(file):
    for row in gnucash_postings(file):
        if row["is_opening"]:
            yield "Opening", row["cents"]


def gnucash_postings(file):
    output = output_of([PYTHON, str(FOLDER / "gnucash_books.py"), "list", str(file)])
    return map(json.loads, output.splitlines())


def write_books(folder):
    folder = new_folder(folder)
    output_of([PYTHON, str(FOLDER / "gnucash_books.py"), "write", str(folder)])


def new_folder(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder
