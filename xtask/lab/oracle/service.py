"""Reads from the service over HTTP."""

import json
import time
import urllib.error
import urllib.parse
import urllib.request

TIMEOUT_SECONDS = 30


class Service:
    """The service, with the token of one person."""

    def __init__(self, base, token):
        self.base, self.token = base, token

    def get(self, path, **parameters):
        """Sends a GET request and returns the JSON of the response. An error response raises an error with its body."""
        query = urllib.parse.urlencode(parameters)
        request = urllib.request.Request(f"{self.base}{path}?{query}" if query else f"{self.base}{path}")
        request.add_header("Authorization", f"Bearer {self.token}")
        while True:
            try:
                with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                    return json.load(response)
            except urllib.error.HTTPError as error:
                # The comparison exceeds the rate limit, so it waits as the response requires.
                if error.code == 429 and "Retry-After" in error.headers:
                    time.sleep(int(error.headers["Retry-After"]))
                    continue
                raise RuntimeError(f"{error.code} for {path}?{query}: {error.read().decode()}") from error

    def transactions(self, **parameters):
        """Yields every transaction, page after page."""
        cursor = {}
        while True:
            page = self.get("/v1/transactions", pageSize=200, **parameters, **cursor)
            yield from page["transactions"]
            if not page["pagination"]["hasMore"]:
                return
            cursor = {"cursor": json.dumps(page["pagination"]["nextCursor"])}


def cents(money, currency):
    """Returns the cents of a money object, which must be in the given currency."""
    if money["currency"] != currency:
        raise ValueError(f"the amount must be in {currency}; received {money}")
    return money["amount_cents"]


def unconverted(answer):
    """Returns the amounts that no total includes, as {(type or None, currency): (cents, count)}."""
    entries = answer.get("unconverted", [])
    found = {(entry.get("type"), entry["currency"]): (entry["amount_cents"], entry["transactionCount"]) for entry in entries}
    if len(found) != len(entries) or ("unconverted" in answer and not entries):
        raise ValueError(f"unconverted must not be empty or repeat a currency; received {entries}")
    return found
