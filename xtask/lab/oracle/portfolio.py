"""Compares the portfolio on some days, holding by holding, its history at the ends of months, and the balance of each
account on every day with bean-query.

Holdings must be equal. A total may differ by half a cent for each rounded amount in it.
"""

import datetime
from collections import defaultdict
from decimal import Decimal

from ledger import exact_cents, months, rounded_cents
from service import cents

HALF_A_CENT = Decimal("0.5")
# Banks whose securities and cash form one account. Written by hand and independent of the importer's rule.
BROKERS = ("ETrade", "Vanguard")
# 24 ends of months with exchange rates, and some after the last exchange rate.
WITH_RATES = (datetime.date(2024, 4, 1), datetime.date(2026, 3, 31))
WITHOUT_RATES = (datetime.date(2026, 6, 1), datetime.date(2026, 10, 31))


def compare(report, name, service, views, ledgers, currency, rates):
    """Compares one person's portfolio on each of the days, and the history."""
    for day, view in views.items():
        holdings(report, f"{name} on {day}", view, ledgers, day)
        total(report, f"{name} on {day}", view, ledgers, currency, rates, day)
    history(report, name, service, ledgers, currency, rates)
    for ledger in ledgers:
        if ledger.currency == currency:
            days(report, name, service, ledger)


def account_of(account):
    """Returns bank and name of the account that the importer creates for an account of a ledger."""
    bank, *rest = [part for part in account.split(":")[1:] if part != "US"]
    return bank, bank if bank in BROKERS or not rest else " ".join(rest)


def near(ours, theirs, roundings):
    """Returns `ours` if it differs from `theirs` by at most half a cent per rounding, else `theirs`."""
    return ours if abs(ours - theirs) <= HALF_A_CENT * roundings else theirs


def accounts(answer):
    """Returns the accounts of an answer as {identifier: ((bank, name, currency), cents)}."""
    return {
        account["id"]: ((item["bank_name"], account["name"], account["currency"]), account["balance_cents"])
        for item in answer["items"]
        for account in item["accounts"]
    }


def holdings(report, name, service, ledgers, day):
    """Compares quantity, price and value of every holding, and the cash, account by account."""
    securities, cash = defaultdict(lambda: (Decimal(0), None, Decimal(0))), defaultdict(int)
    for ledger in ledgers:
        for holding in ledger.holdings(day):
            account = (*account_of(holding.account), ledger.currency)
            if holding.commodity == ledger.currency:
                cash[account] += rounded_cents(holding.quantity)
            else:
                quantity, _, value = securities[*account, holding.commodity]
                securities[*account, holding.commodity] = (quantity + holding.quantity, holding.price, value + holding.value)
    answer = service.get("/v1/portfolio")
    known = accounts(answer)
    ours, behind = {}, defaultdict(int)
    for held in (held for of_item in answer["securitiesByItem"].values() for held in of_item):
        account = known[held["account_id"]][0]
        ours[*account, held["symbol"]] = (Decimal(held["quantity"]), Decimal(held["price"]), held["value_cents"])
        behind[account] += held["value_cents"]
    with report.group(f"{name}: holdings, /v1/portfolio") as equal:
        equal("has holdings", len(securities) > 0, True)
        for key in sorted(securities.keys() | ours.keys()):
            quantity, price, value = securities[key]
            equal(f"{key}", ours.get(key), (quantity, price, rounded_cents(value)))
    with report.group(f"{name}: cash, /v1/portfolio") as equal:
        found = {account: balance - behind[account] for account, balance in known.values()}
        equal("accounts", len(found), len(known))
        for account in sorted(cash.keys() | found.keys()):
            equal(f"{account}", found.get(account, 0), cash[account])


def total(report, name, service, ledgers, currency, rates, day):
    """Compares the total with its accounts and with bean-query, and the last point of the history with the total."""
    answer = service.get("/v1/portfolio")
    exact, missing = converted_sum(accounts(answer).values(), currency, rates, day)
    with report.group(f"{name}: total, /v1/portfolio and /v1/portfolio/history") as equal:
        ours = cents(answer["total"], currency)
        equal("accounts converted one by one", (ours, missing_of(answer)), (exact, missing))
        equal("items", sum(cents(item["total"], currency) for item in answer["items"]), exact)
        convertible = [ledger for ledger in ledgers if ledger.currency not in missing]
        theirs = sum(ledger.value(day, currency) for ledger in convertible)
        equal("bean-query", ours, near(ours, theirs, roundings(convertible, currency, day)))
        for parameters in ({"timeRange": "1m"}, {"dateFrom": day, "interval": "month"}, {"timeRange": "all"}):
            last = service.get("/v1/portfolio/history", **parameters)["points"][-1]
            # The reference knows no estimates.
            last.pop("estimated", None)
            equal(f"the last point with {parameters}", last, {"date": str(day), **total_members(answer)})


def total_members(answer):
    """Returns the members of a snapshot that the last point of the history must have too."""
    return {key: answer[key] for key in ("total", "partial", "unconverted") if key in answer}


def missing_of(answer):
    """Returns the amounts that the total does not include, as {currency: cents}."""
    return {entry["currency"]: entry["amount_cents"] for entry in answer.get("unconverted", [])}


def converted_sum(balances, currency, rates, day):
    """Returns the sum of balances, converted one by one, and the amounts without a rate as {currency: cents}."""
    exact, missing = 0, defaultdict(int)
    for (_, _, code), balance in balances:
        converted = balance if code == currency else rates.euros(balance, day)
        if converted is None:
            missing[code] += balance
        else:
            exact += converted
    return exact, missing


def roundings(ledgers, currency, day):
    """Returns the number of rounded amounts in a total: one per security, and one per converted account."""
    count = 0
    for ledger in ledgers:
        held = ledger.holdings(day)
        count += sum(holding.commodity != ledger.currency for holding in held)
        if ledger.currency != currency:
            count += len({account_of(holding.account) for holding in held})
    return count


def history(report, name, service, ledgers, currency, rates):
    """Compares the ends of months, and the change from the evening before the first day to the last day."""
    first, last = WITH_RATES
    answer = service.get("/v1/portfolio/history", dateFrom=first, dateTo=last, interval="month")
    ends = [end for *_, end in months(first, last)]
    with report.group(f"{name}: {len(ends)} ends of months, /v1/portfolio/history") as equal:
        equal("days", [point["date"] for point in answer["points"]], [str(end) for end in ends])
        for point, end in zip(answer["points"], ends, strict=True):
            ours = cents(point["total"], currency)
            theirs = sum(ledger.value(end, currency) for ledger in ledgers)
            equal(f"{end}", ours, near(ours, theirs, roundings(ledgers, currency, end)))
            equal(f"{end} is complete", point.keys() - {"estimated"}, {"date", "total"})
        equal("no completeFrom", "completeFrom" in answer, False)
        ours = cents(answer["change"]["amount"], currency)
        # The change starts on the evening before.
        before = first - datetime.timedelta(days=1)
        theirs = sum(ledger.value(last, currency) - ledger.value(before, currency) for ledger in ledgers)
        allowed = roundings(ledgers, currency, last) + roundings(ledgers, currency, before)
        equal("change", ours, near(ours, theirs, allowed))
    opened = max(ledger.last_open() for ledger in ledgers)
    with report.group(f"{name}: points after the last open, /v1/portfolio/history") as equal:
        for parameters in ({"dateFrom": opened, "interval": "week"}, {"timeRange": "all", "interval": "month"}):
            answer = service.get("/v1/portfolio/history", **parameters)
            for point in answer["points"]:
                if point["date"] >= str(opened):
                    equal(f"{point['date']} is complete", "partial" in point, False)
    foreign = [ledger for ledger in ledgers if ledger.currency != currency]
    if foreign:
        without_rates(report, name, service, ledgers, foreign, currency)


def days(report, name, service, ledger):
    """Compares the balance of every account without securities on every day."""
    changes = defaultdict(int)
    for (account, day), number in ledger.daily_changes().items():
        changes[account_of(account), day] += exact_cents(number)
    known = accounts(service.get("/v1/portfolio"))
    first, last = min(day for _, day in changes), WITHOUT_RATES[1]
    balances = defaultdict(int)
    with report.group(f"{name}: every day of every account, /v1/portfolio/history") as equal:
        while first <= last:
            end = min(last, first + datetime.timedelta(days=999))
            answer = service.get("/v1/portfolio/history", dateFrom=first, dateTo=end, interval="day", by="account")
            for series in answer["series"]:
                account = known[series["id"]][0]
                if account[2] != ledger.currency or account[0] in BROKERS:
                    continue
                for point in series["points"]:
                    day = datetime.date.fromisoformat(point["date"])
                    balances[account] += changes.pop((account[:2], day), 0)
                    equal(f"{account} on {day}", cents(point["total"], ledger.currency), balances[account])
            first = end + datetime.timedelta(days=1)
        left = {account for (account, day) in changes if account[0] not in BROKERS and day <= last}
        equal("accounts without a series", left, set())


def without_rates(report, name, service, ledgers, foreign, currency):
    """Compares ends of months without a rate: foreign amounts are reported separately, in their own currency."""
    first, last = WITHOUT_RATES
    answer = service.get("/v1/portfolio/history", dateFrom=first, dateTo=last, interval="month")
    with report.group(f"{name}: months without rates, /v1/portfolio/history") as equal:
        for point, (*_, end) in zip(answer["points"], months(first, last), strict=True):
            own = [ledger for ledger in ledgers if ledger not in foreign]
            ours = cents(point["total"], currency)
            theirs = sum(ledger.value(end, currency) for ledger in own)
            equal(f"{end}", ours, near(ours, theirs, roundings(own, currency, end)))
            missing = missing_of(point)
            equal(f"{end} currencies", missing.keys(), {ledger.currency for ledger in foreign})
            for ledger in foreign:
                ours, theirs = missing[ledger.currency], ledger.value(end, ledger.currency)
                equal(f"{end} {ledger.currency}", ours, near(ours, theirs, roundings([ledger], ledger.currency, end)))
        equal("no change", "change" in answer, False)
