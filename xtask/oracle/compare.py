"""Compares the running service with bean-query and with an exact re-sum, and says what differs.

Usage: compare.py PLAN, a JSON file that names the service, the programs, and each person's token and ledgers.
"""

import json
import sys
from pathlib import Path

import household
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
        ledgers = [Ledger(plan["programs"], entry["file"], entry["currency"]) for entry in person["ledgers"]]
        if len(ledgers) == 1:
            single.compare(report, person["name"], service, ledgers[0])
        else:
            household.compare(report, person["name"], service, ledgers, Rates("USD"))
    if report.failed:
        sys.exit(f"{report.failed} differences")


if __name__ == "__main__":
    main()
