"""Reads three pages of filtered transactions with the client that openapi-python-client generated, and calls every other
operation of the data once.

The rows of the three pages must be the rows of one page that is as long, each parsed response must hold the received JSON
without loss, and an error must have the documented form. The environment variables BASE and TOKEN name the server and the
token.
"""

import importlib
import json
import os
import pkgutil
import re
from typing import Any

import passbook_client.api
from passbook_client import AuthenticatedClient
from passbook_client.api.transactions import transactions
from passbook_client.models.error_response import ErrorResponse
from passbook_client.models.transaction_page import TransactionPage
from passbook_client.models.transactions_time_range import TransactionsTimeRange as TimeRange
from passbook_client.models.transactions_types_item import TransactionsTypesItem as Type
from passbook_client.types import UNSET, Unset

PAGES = 3
PAGE_SIZE = 5
CATEGORIES = ["GROCERIES", "RESTAURANT"]
MAX_AMOUNT_CENTS = 20_000
# Operations without data: discovery, health, documents and the tool server.
NO_DATA = "service"
CLIENT = AuthenticatedClient(base_url=os.environ["BASE"], token=os.environ["TOKEN"], raise_on_unexpected_status=True)


def page(page_size: int, cursor: str | Unset = UNSET) -> TransactionPage:
    parsed = transactions.sync(
        client=CLIENT,
        time_range=TimeRange("1y"),
        categories=CATEGORIES,
        types=[Type.EXPENSE],
        max_amount_cents=MAX_AMOUNT_CENTS,
        page_size=page_size,
        cursor=cursor,
    )
    assert isinstance(parsed, TransactionPage), parsed
    return parsed


def walk() -> str:
    rows = []
    cursor: str | Unset = UNSET
    for number in range(1, PAGES + 1):
        read = page(PAGE_SIZE, cursor)
        assert len(read.transactions) == PAGE_SIZE, f"page {number} has {len(read.transactions)} rows"
        rows.extend(read.transactions)
        following = read.pagination.next_cursor
        assert read.pagination.has_more and not isinstance(following, Unset), f"page {number} is the last page"
        cursor = json.dumps(following.to_dict())
    assert rows == page(PAGES * PAGE_SIZE).transactions, "the pages have other rows than one long page"
    assert len({row.id for row in rows}) == PAGES * PAGE_SIZE, "a row is on two pages"
    assert all(row.category.value in CATEGORIES and row.amount_cents <= MAX_AMOUNT_CENTS for row in rows)
    cents = sum(row.amount_cents for row in rows)
    return f"{PAGES} pages, {len(rows)} transactions, {cents} cents"


def rejection() -> None:
    rejected = transactions.sync(client=CLIENT, page_size=0)
    assert isinstance(rejected, ErrorResponse), rejected
    assert rejected.error.code == "INVALID_REQUEST", rejected
    details = rejected.error.details
    assert isinstance(details, list) and details[0].parameter == "pageSize", rejected


def plain(parsed: Any) -> Any:
    """Returns the JSON of a parsed response."""
    return [item.to_dict() for item in parsed] if isinstance(parsed, list) else parsed.to_dict()


def call_every_operation() -> int:
    """Calls every operation of the data without arguments. Returns the number of operations."""
    modules = pkgutil.walk_packages(passbook_client.api.__path__, "passbook_client.api.")
    names = [module.name for module in modules if not module.ispkg and f".{NO_DATA}." not in module.name]
    for name in names:
        response = importlib.import_module(name).sync_detailed(client=CLIENT)
        assert response.status_code == 200, f"{name}: {response.status_code}"
        # Python writes the offset of UTC as +00:00, the server as Z.
        received = re.sub(rb'(T\d\d:\d\d:\d\d)Z"', rb'\1+00:00"', response.content)
        assert plain(response.parsed) == json.loads(received), f"{name}: the parsed response differs from the received JSON"
    return len(names)


if __name__ == "__main__":
    report = walk()
    rejection()
    print(f"{report}; {call_every_operation()} operations parsed without loss")
