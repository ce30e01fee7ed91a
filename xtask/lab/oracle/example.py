"""Compares the example ledger of docs/loading-data.md: the documented sums with bean-query, and the service with both."""

import re
from collections import defaultdict
from decimal import Decimal
from pathlib import Path

from ledger import rounded_cents
from service import cents

ROW = re.compile(r"^\| `((?:Income|Expenses):[\w:]+)` \| (-?[\d.]+) \|([^|]*)\|([^|]*)\|", re.MULTILINE)


def compare(report, name, service, ledger, page):
    """Compares the totals of each account and of all accounts."""
    sums = dict(
        ledger.query_unrounded(
            ledger.file,
            "SELECT account, sum(number) WHERE account ~ '^(Income|Expenses)' "
            f"AND currency = '{ledger.currency}' GROUP BY account",
        )
    )
    rows = ROW.findall(Path(page).read_text())
    with report.group(f"{name}: documented sums") as equal:
        equal("accounts", sorted(account for account, *_ in rows), sorted(sums))
        for account, documented, *_ in rows:
            equal(account, Decimal(documented), sums[account])
    net = defaultdict(int)
    for account, _, expenses, _ in rows:
        if expenses.strip():
            net[re.search(r"`(\w+)`", expenses).group(1)] += rounded_cents(sums[account])
    with report.group(f"{name}: net of each category, /v1/spending/categories") as equal:
        answer = service.get("/v1/spending/categories", timeRange="all")
        gross = {entry["category"]: cents(entry["total"], ledger.currency) for entry in answer["categories"]}
        refunds = {
            entry["category"]: cents(entry["refunds"], ledger.currency)
            for entry in answer["categories"]
            if "refunds" in entry
        }
        for category in sorted(net.keys() | gross.keys()):
            equal(category, gross.get(category, 0) - refunds.get(category, 0), net.get(category))
        equal("clothing and its refunds", (gross["CLOTHING"], refunds), (8990, {"CLOTHING": 8990}))
    with report.group(f"{name}: net of all, /v1/spending/summary and /v1/cashflow/summary") as equal:
        summary = service.get("/v1/spending/summary", timeRange="all", groupBy="none")
        equal("net spending", cents(summary["netSpending"], ledger.currency), sum(net.values()))
        answer = service.get("/v1/cashflow/summary", timeRange="all")
        equal("net", cents(answer["net"], ledger.currency), -sum(rounded_cents(total) for total in sums.values()))
