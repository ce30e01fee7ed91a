"""Makes what the comparison needs beside the generated ledgers: one of them in euros, and the exchange rates.

Usage: prepare.py LEDGER LEDGER_IN_EUROS RATES_CSV
"""

import re
import sys
from pathlib import Path

import rates


def main():
    ledger, in_euros, rates_csv = map(Path, sys.argv[1:])
    # A whole word: IRAUSD is not money.
    in_euros.write_text(re.sub(r"\bUSD\b", "EUR", ledger.read_text()))
    rates_csv.write_text(rates.published())


if __name__ == "__main__":
    main()
