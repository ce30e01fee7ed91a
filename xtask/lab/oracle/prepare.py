"""Writes the other inputs of the comparison: a copy of a generated ledger in euros, a copy of another one with exchange
rates as prices, and the exchange rates as CSV.

Usage: prepare.py LEDGER LEDGER_IN_EUROS OTHER_LEDGER OTHER_LEDGER_WITH_RATES RATES_CSV
"""

import re
import sys
from pathlib import Path

import rates


def main():
    ledger, in_euros, other, with_rates, rates_csv = map(Path, sys.argv[1:])
    # Only whole words, because the commodity IRAUSD is not money.
    in_euros.write_text(re.sub(r"\bUSD\b", "EUR", ledger.read_text()))
    prices = (f"{day} price EUR {rate} USD\n" for day, rate in rates.quotes("USD"))
    with_rates.write_text("".join([other.read_text(), "\n", *prices]))
    rates_csv.write_text(rates.published())


if __name__ == "__main__":
    main()
