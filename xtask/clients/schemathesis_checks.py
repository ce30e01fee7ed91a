"""The refusals that no schema of OpenAPI can express, because they are about two parameters together.

A request that fits the schema of every parameter must be accepted, but for these. The check of Schemathesis that says
so is wrapped: a 400 passes only when each fault it lists is one of this list, and the other parameter was sent.
"""

import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance as every_fitting_request_is_accepted

EXCLUSIONS_MAX = 5

# Whether a message is accepted depends on its method and its headers; the protocol's own suite judges that.
TOOL_SERVER = "/mcp"

# Parameter, those of which one was sent beside it, words of the refusal, and what OpenAPI cannot say.
EXCLUSIONS = [
    ("dateFrom", ["dateTo"], "must not be after dateTo", "one day is not after another"),
    ("minAmountCents", ["maxAmountCents"], "must not be more than maxAmountCents", "a number is not above another"),
    ("cursor", ["sort"], "must be exactly the nextCursor of an earlier answer", "by amount, its id must be the user's"),
    ("groupBy", ["dateFrom", "dateTo"], "would cut this range into more than", "range by period has a maximum"),
]
assert len(EXCLUSIONS) <= EXCLUSIONS_MAX


@schemathesis.check
def fitting_requests_are_accepted(ctx, response, case):
    if case.operation.path == TOOL_SERVER:
        return None
    if response.status_code == 400:
        details = response.json()["error"]["details"]
        if details and all(is_excluded(fault, case.query or {}) for fault in details):
            return None
    return every_fitting_request_is_accepted(ctx, response, case)


def is_excluded(fault, query):
    return any(
        fault["parameter"] == parameter and words in fault["message"] and any(other in query for other in others)
        for parameter, others, words, _ in EXCLUSIONS
    )
