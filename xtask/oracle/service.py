"""Asks the service over HTTP, as any client would."""

import json
import time
import urllib.error
import urllib.parse
import urllib.request

TIMEOUT_SECONDS = 30


class Service:
    """One person's view of the service."""

    def __init__(self, base, token):
        self.base, self.token = base, token

    def get(self, path, **parameters):
        """The answer to one request. A refusal raises, with the body of the answer."""
        query = urllib.parse.urlencode(parameters)
        request = urllib.request.Request(f"{self.base}{path}?{query}" if query else f"{self.base}{path}")
        request.add_header("Authorization", f"Bearer {self.token}")
        while True:
            try:
                with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                    return json.load(response)
            except urllib.error.HTTPError as error:
                # We ask faster than people do, and wait when we are told to.
                if error.code == 429 and "Retry-After" in error.headers:
                    time.sleep(int(error.headers["Retry-After"]))
                    continue
                raise RuntimeError(f"{error.code} for {path}?{query}: {error.read().decode()}") from error

    def transactions(self, **parameters):
        """Every transaction, page after page."""
        cursor = {}
        while True:
            page = self.get("/v1/transactions", pageSize=200, **parameters, **cursor)
            yield from page["transactions"]
            if not page["pagination"]["hasMore"]:
                return
            cursor = {"cursor": json.dumps(page["pagination"]["nextCursor"])}


def cents(money, currency):
    """The cents of a money object, which must be in this currency."""
    if money["currency"] != currency:
        raise ValueError(f"{money} is not in {currency}")
    return money["amount_cents"]


def unconverted(answer):
    """What a total leaves out, as {(type or None, currency): (cents, count)}."""
    entries = answer.get("unconverted", [])
    found = {(entry.get("type"), entry["currency"]): (entry["amount_cents"], entry["transactionCount"]) for entry in entries}
    if len(found) != len(entries) or ("unconverted" in answer and not entries):
        raise ValueError(f"a currency twice, or an empty list: {entries}")
    return found
