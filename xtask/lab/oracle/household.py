"""Compares a person with two ledgers in two currencies: every total must equal an exact sum of rows that are converted
one by one."""

from collections import defaultdict
from datetime import date

from categories import category
from ledger import exact_cents, merchant_key, months
from service import cents, unconverted

TARGET = "EUR"


class Row:
    """One transaction with the values that the service must derive from it."""

    def __init__(self, posting, rates):
        self.date, self.payee, self.currency = posting.date, posting.payee, posting.currency
        self.spent = posting.spent
        self.merchant = posting.payee or posting.narration
        self.type = "EXPENSE" if self.spent else "INCOME"
        self.category = category(posting.account, self.spent)
        self.cents = exact_cents(str(abs(posting.number)))
        self.converted = self.cents if self.currency == TARGET else rates.euros(self.cents, self.date)


class Tally:
    """A converted total, and the amounts without a rate (`missing`) as {currency: (cents, count)}."""

    def __init__(self, rows):
        self.total = self.count = 0
        self.missing = {}
        for row in rows:
            if row.converted is None:
                cents_, count = self.missing.get(row.currency, (0, 0))
                self.missing[row.currency] = (cents_ + row.cents, count + 1)
            else:
                self.total += row.converted
                self.count += 1


def missing_of(answer, kind):
    """Returns the unconverted amounts of one type. Entries without a type belong to the only total of the answer."""
    return {code: value for (type_, code), value in unconverted(answer).items() if type_ in (kind, None)}


def compare(report, name, service, ledgers, rates):
    """Compares every route with the household's ledgers."""
    rows = [Row(posting, rates) for ledger in ledgers for posting in ledger.postings()]
    span = list(months(min(row.date for row in rows), max(row.date for row in rows)))
    cashflow(report, name, service, rows, span)
    spending(report, name, service, rows, span)
    by_category(report, name, service, rows, span)
    merchants(report, name, service, rows, span)
    budgets(report, name, service, rows, span)
    pages(report, name, service, rows)


def cashflow(report, name, service, rows, span):
    """Compares income and expense of every month, with the unconverted amounts."""
    without = 0
    with report.group(f"{name}: months x (income, expense, unconverted), /v1/cashflow/summary") as equal:
        for year, month, first, last in span:
            answer = service.get("/v1/cashflow/summary", dateFrom=first, dateTo=last)
            chosen = [row for row in rows if first <= row.date <= last]
            tallies = {kind: Tally(row for row in chosen if row.type == kind) for kind in ("INCOME", "EXPENSE")}
            equal(f"{first:%Y-%m} income", cents(answer["incomeTotal"], TARGET), tallies["INCOME"].total)
            equal(f"{first:%Y-%m} expense", cents(answer["expenseTotal"], TARGET), tallies["EXPENSE"].total)
            if any(kind is None for kind, _ in unconverted(answer)):
                raise ValueError("an unconverted amount must have a type if the answer has two totals")
            for kind, tally in tallies.items():
                equal(f"{first:%Y-%m} {kind} unconverted", missing_of(answer, kind), tally.missing)
                without += len(tally.missing)
        equal("some months have rows without a rate", without > 0, True)


def spending(report, name, service, rows, span):
    """Compares every month, in one request."""
    with report.group(f"{name}: months, /v1/spending/summary") as equal:
        answer = service.get("/v1/spending/summary", dateFrom=span[0][2], dateTo=span[-1][3], groupBy="month")
        overall = Tally(row for row in rows if row.spent)
        equal("total", cents(answer["totalExpense"], TARGET), overall.total)
        equal("count", answer["transactionCount"], overall.count)
        equal("unconverted", missing_of(answer, "EXPENSE"), overall.missing)
        for (_, _, first, last), period in zip(span, answer["periods"], strict=True):
            tally = Tally(row for row in rows if row.spent and first <= row.date <= last)
            ours = (cents(period["totalExpense"], TARGET), period["transactionCount"], missing_of(period, "EXPENSE"))
            equal(period["period"], ours, (tally.total, tally.count, tally.missing))


def by_category(report, name, service, rows, span):
    """Compares every category in every year."""
    with report.group(f"{name}: years x categories, /v1/spending/categories") as equal:
        for year in range(span[0][0], span[-1][0] + 1):
            answer = service.get("/v1/spending/categories", dateFrom=f"{year}-01-01", dateTo=f"{year}-12-31")
            theirs = grouped((row for row in rows if row.spent and row.date.year == year), lambda row: row.category)
            ours = {
                entry["category"]: (cents(entry["total"], TARGET), entry["transactionCount"], missing_of(entry, "EXPENSE"))
                for entry in answer["categories"]
            }
            for word in sorted(theirs.keys() | ours.keys()):
                equal(f"{year} {word}", ours.get(word), theirs.get(word))
            overall = Tally(row for row in rows if row.spent and row.date.year == year)
            equal(f"{year} total", cents(answer["totalExpense"], TARGET), overall.total)
            equal(f"{year} unconverted", missing_of(answer, "EXPENSE"), overall.missing)


def grouped(rows, key):
    """Returns the tally of each group as (cents, count, missing)."""
    groups = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    tallies = {name: Tally(members) for name, members in groups.items()}
    return {name: (tally.total, tally.count, tally.missing) for name, tally in tallies.items()}


def merchants(report, name, service, rows, span):
    """Compares the ten payees with the largest spending of every year. Without a payee, the narration names it."""
    with report.group(f"{name}: ten top payees, /v1/spending/merchants/top") as equal:
        for year in range(span[0][0], span[-1][0] + 1):
            chosen = [row for row in rows if row.spent and row.date.year == year]
            newest = {merchant_key(row.merchant): row.merchant for row in sorted(chosen, key=lambda row: row.date)}
            theirs = grouped((row for row in chosen if row.merchant), lambda row: newest[merchant_key(row.merchant)])
            theirs = sorted(((name, *tally) for name, tally in theirs.items()), key=lambda entry: (-entry[1], entry[0]))[:10]
            answer = service.get("/v1/spending/merchants/top", dateFrom=f"{year}-01-01", dateTo=f"{year}-12-31", limit=10)
            ours = [
                (entry["merchant"], cents(entry["total"], TARGET), entry["transactionCount"], missing_of(entry, "EXPENSE"))
                for entry in answer["merchants"]
            ]
            equal(f"{year} length", len(ours), len(theirs))
            for place, (our, their) in enumerate(zip(ours, theirs), start=1):
                equal(f"{year} {place}.", our, their)
            equal(f"{year} total", cents(answer["totalExpense"], TARGET), Tally(chosen).total)


def budgets(report, name, service, rows, span):
    """Compares every category in every month."""
    with report.group(f"{name}: months x categories, /v1/budgets/summary") as equal:
        for year, month, first, last in span:
            answer = service.get("/v1/budgets/summary", year=year, month=month)
            answer = [entry for entry in answer if not entry.get("excluded")]
            theirs = grouped((row for row in rows if row.spent and first <= row.date <= last), lambda row: row.category)
            theirs = {word: (total, missing) for word, (total, _, missing) in theirs.items()}
            ours = {entry["category"]: (cents(entry["total"], TARGET), missing_of(entry, "EXPENSE")) for entry in answer}
            for word in sorted(theirs.keys() | ours.keys()):
                equal(f"{first:%Y-%m} {word}", ours.get(word), theirs.get(word))


def pages(report, name, service, rows):
    """Compares every transaction in its own currency, day by day."""
    with report.group(f"{name}: rows in their own currency, pages of /v1/transactions") as equal:
        ours, theirs = defaultdict(list), defaultdict(list)
        for row in service.transactions():
            day = date.fromisoformat(row["date"])
            ours[day].append((row["type"], row["category"], row.get("merchant_name", ""), row["amount_cents"], row["currency"]))
        for row in rows:
            theirs[row.date].append((row.type, row.category, row.payee, row.cents, row.currency))
        for day in sorted(theirs.keys() | ours.keys()):
            equal(f"{day}", sorted(ours[day]), sorted(theirs[day]))
