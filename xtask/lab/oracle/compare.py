"""Compares the running service with bean-query and with an exact sum of converted rows, and prints the differences.

Usage: compare.py PLAN, a JSON file that names the service, the programs, and each person's token and ledgers.
"""

import json
import sys
from datetime import date
from pathlib import Path

import example
import household
import portfolio
import single
from ledger import Ledger
from rates import Rates
from report import Report
from service import Service


def main():
    plan = json.loads(Path(sys.argv[1]).read_text())
    report = Report()
    for person in plan["people"]:
        service = Service(plan["base"], person["token"])
        ledgers = [
            Ledger(plan["programs"], entry["file"], entry["rated"], entry["currency"]) for entry in person["ledgers"]
        ]
        if person["name"] == "example":
            example.compare(report, person["name"], service, ledgers[0], plan["page"])
            continue
        if len(ledgers) == 1:
            single.compare(report, person["name"], service, ledgers[0])
        else:
            household.compare(report, person["name"], service, ledgers, Rates("USD"))
        views = {
            date.fromisoformat(view["day"]): Service(view["base"], view["token"])
            for view in plan["on_days"]
            if view["person"] == person["name"]
        }
        portfolio.compare(report, person["name"], service, views, ledgers, person["currency"], Rates("USD"))
    if report.failed:
        sys.exit(f"{report.failed} differences")


if __name__ == "__main__":
    main()
