"""Compares a person with one ledger in one currency: every amount must equal bean-query's to the cent."""

import datetime
from collections import Counter, defaultdict

from categories import category
from ledger import merchant_key, months
from service import cents, unconverted


def compare(report, name, service, ledger):
    """Compares every route with one ledger."""
    currency = ledger.currency
    spent = ledger.sums("date", "account", "payee", spent=True)
    earned = ledger.sums("date", "account", "payee", spent=False)
    days = [datetime.date.fromisoformat(key[0]) for key in (*spent, *earned)]
    span = list(months(min(days), max(days)))
    cashflow(report, name, service, ledger, span)
    spending(report, name, service, ledger, span)
    by_category(report, name, service, ledger, span)
    merchants(report, name, service, ledger, span)
    budgets(report, name, service, ledger, span)
    pages(report, name, service, currency, spent, earned)


def by(sums, *fields):
    """Adds up sums whose keys a function maps to the same group."""
    grouped = defaultdict(lambda: (0, 0))
    for key, (total, count) in sums.items():
        group = fields[0](*key)
        grouped[group] = (grouped[group][0] + total, grouped[group][1] + count)
    return grouped


def cashflow(report, name, service, ledger, span):
    """Compares income and expense of every month."""
    spent, earned = (ledger.sums("year", "month", spent=sign) for sign in (True, False))
    with report.group(f"{name}: months x (income, expense), /v1/cashflow/summary") as equal:
        for year, month, first, last in span:
            answer = service.get("/v1/cashflow/summary", dateFrom=first, dateTo=last)
            income, expense = (sums.get((str(year), str(month)), (0, 0))[0] for sums in (earned, spent))
            equal(f"{first:%Y-%m} income", cents(answer["incomeTotal"], ledger.currency), income)
            equal(f"{first:%Y-%m} expense", cents(answer["expenseTotal"], ledger.currency), expense)
            equal(f"{first:%Y-%m} net", cents(answer["net"], ledger.currency), income - expense)
            equal(f"{first:%Y-%m} unconverted", unconverted(answer), {})


def spending(report, name, service, ledger, span):
    """Compares every month and its number of transactions, in one request."""
    spent = ledger.sums("year", "month", spent=True)
    with report.group(f"{name}: months, /v1/spending/summary") as equal:
        answer = service.get("/v1/spending/summary", dateFrom=span[0][2], dateTo=span[-1][3], groupBy="month")
        equal("total", cents(answer["totalExpense"], ledger.currency), sum(total for total, _ in spent.values()))
        equal("count", answer["transactionCount"], sum(count for _, count in spent.values()))
        equal("refunds", cents(answer["totalRefunds"], ledger.currency), 0)
        periods = {period["period"]: period for period in answer["periods"]}
        equal("periods", sorted(periods), [f"{first:%Y-%m}" for _, _, first, _ in span])
        for year, month, first, _ in span:
            period = periods[f"{first:%Y-%m}"]
            ours = (cents(period["totalExpense"], ledger.currency), period["transactionCount"])
            equal(period["period"], ours, spent.get((str(year), str(month)), (0, 0)))


def by_category(report, name, service, ledger, span):
    """Compares every category in every year."""
    sums = by(ledger.sums("year", "account", spent=True), lambda year, account: (year, category(account, True)))
    with report.group(f"{name}: years x categories, /v1/spending/categories") as equal:
        for year in range(span[0][0], span[-1][0] + 1):
            answer = service.get("/v1/spending/categories", dateFrom=f"{year}-01-01", dateTo=f"{year}-12-31")
            theirs = {key[1]: value for key, value in sums.items() if key[0] == str(year)}
            ours = {
                entry["category"]: (cents(entry["total"], ledger.currency), entry["transactionCount"])
                for entry in answer["categories"]
            }
            for word in sorted(theirs.keys() | ours.keys()):
                equal(f"{year} {word}", ours.get(word), theirs.get(word))
            total = sum(total for total, _ in theirs.values())
            equal(f"{year} total", cents(answer["totalExpense"], ledger.currency), total)
            uncategorized = theirs.get("UNCATEGORIZED", (0, 0))[0]
            equal(f"{year} uncategorized", cents(answer["uncategorizedTotal"], ledger.currency), uncategorized)


def merchants(report, name, service, ledger, span):
    """Compares the ten payees with the largest spending, of every year and overall. Without a payee, the narration names it."""
    sums = ledger.sums("date", "payee", "narration", spent=True)
    with report.group(f"{name}: ten top payees, /v1/spending/merchants/top") as equal:
        ranges = [(str(year), f"{year}-01-01", f"{year}-12-31") for year in range(span[0][0], span[-1][0] + 1)]
        for year, first, last in [*ranges, (None, span[0][2], span[-1][3])]:
            chosen = {key: value for key, value in sums.items() if year in (key[0][:4], None)}
            newest = {merchant_key(payee or narration): payee or narration for _, payee, narration in sorted(chosen)}
            payees = by(chosen, lambda _, payee, narration: newest[merchant_key(payee or narration)])
            named = [(payee, *value) for payee, value in payees.items() if payee]
            named.sort(key=lambda entry: (-entry[1], entry[0]))
            answer = service.get("/v1/spending/merchants/top", dateFrom=first, dateTo=last, limit=10)
            ours = [
                (entry["merchant"], cents(entry["total"], ledger.currency), entry["transactionCount"])
                for entry in answer["merchants"]
            ]
            equal(f"{year or 'overall'} length", len(ours), min(10, len(named)))
            for place, (our, their) in enumerate(zip(ours, named), start=1):
                equal(f"{year or 'overall'} {place}.", our, their)
            total = sum(total for total, _ in payees.values())
            equal(f"{year or 'overall'} total", cents(answer["totalExpense"], ledger.currency), total)


def budgets(report, name, service, ledger, span):
    """Compares every category in every month."""
    sums = ledger.sums("year", "month", "account", spent=True)
    sums = by(sums, lambda year, month, account: (year, month, category(account, True)))
    with report.group(f"{name}: months x categories, /v1/budgets/summary") as equal:
        for year, month, first, _ in span:
            answer = service.get("/v1/budgets/summary", year=year, month=month)
            ours = {entry["category"]: cents(entry["total"], ledger.currency) for entry in answer}
            theirs = {key[2]: total for key, (total, _) in sums.items() if key[:2] == (str(year), str(month))}
            for word in sorted(theirs.keys() | ours.keys()):
                equal(f"{first:%Y-%m} {word}", ours.get(word), theirs.get(word))


def pages(report, name, service, currency, spent, earned):
    """Compares every transaction, and the two transactions of every transfer."""
    with report.group(f"{name}: rows, pages of /v1/transactions") as equal:
        rows = list(service.transactions())
        equal("identifiers", len({row["id"] for row in rows}), len(rows))
        equal("currencies", {row["currency"] for row in rows}, {currency})
        for kind, sums in [("EXPENSE", spent), ("INCOME", earned)]:
            word = lambda day, account, payee: (day, category(account, kind == "EXPENSE"), payee)
            theirs = by(sums, word)
            ours = defaultdict(lambda: (0, 0))
            for row in rows:
                if row["type"] == kind:
                    key = (row["date"], row["category"], row.get("merchant_name", ""))
                    ours[key] = (ours[key][0] + row["amount_cents"], ours[key][1] + 1)
            for key in sorted(theirs.keys() | ours.keys()):
                equal(f"{kind} {key}", ours.get(key), theirs.get(key))
    with report.group(f"{name}: transfers, pages of /v1/transactions") as equal:
        every = list(service.transactions(showInternalTransfers="true"))
        transfers = {row["id"]: row for row in every if row["type"] == "INTERNAL_TRANSFER"}
        equal("the other rows", Counter(row["id"] for row in every if row["id"] not in transfers), Counter(row["id"] for row in rows))
        for row in transfers.values():
            other = transfers.get(row["linked_transaction_id"], {})
            words = {row["category"], other.get("category")}
            theirs = (row["id"], row["amount_cents"], row["date"], True)
            paired = "TRANSFER_IN" in words and len(words) == 2
            ours = (other.get("linked_transaction_id"), other.get("amount_cents"), other.get("date"), paired)
            equal(f"the counterpart of {row['date']} {row['title']}", ours, theirs)
