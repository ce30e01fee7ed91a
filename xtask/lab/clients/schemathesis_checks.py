"""Wraps the Schemathesis check that the service accepts every request that is valid by the OpenAPI schemas.

OpenAPI cannot express rules that relate two parameters, or a parameter and the current day or an earlier response.
EXCLUSIONS lists these rules. A 400 response passes if each of its faults is in the list and the other parameter, if the
rule has one, was sent.

OpenAPI declares a cursor as any string, because a client must not look into it. Schemathesis reads a schema that has the
documented example as the only valid cursor: random text would be rejected, and is now an invalid request.
"""

import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance as every_fitting_request_is_accepted

EXCLUSIONS_MAX = 5

# The tool server also checks a message against its headers. The conformance suite of the protocol covers these rules.
TOOL_SERVER = "/mcp"

# Parameter, the parameters of which one must also be sent, part of the error message, and the rule.
EXCLUSIONS = [
    ("dateFrom", ["dateTo"], "must not be after dateTo", "the first day is not after the last"),
    ("minAmountCents", ["maxAmountCents"], "must not be more than maxAmountCents", "the minimum is not above the maximum"),
    ("cursor", ["sort"], "must be exactly the nextCursor of an earlier answer", "a cursor by amount names a row of the user"),
    ("asOf", [], "must not be after today", "the day of the analysis is not in the future"),
    ("groupBy", ["dateFrom", "dateTo"], "would cut this range into more than", "the number of periods has a maximum"),
]
assert len(EXCLUSIONS) <= EXCLUSIONS_MAX

# Parameters that take names or identifiers, with a value that every person may send.
IDENTIFIER = "8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d"
NAMES = {
    "accounts": IDENTIFIER,
    "banks": IDENTIFIER,
    "categories": "GROCERIES",
    "categoryGroups": "FOOD",
    "merchants": IDENTIFIER,
    "ownCategories": IDENTIFIER,
    "tags": IDENTIFIER,
}


@schemathesis.hook
def before_load_schema(ctx, raw_schema):
    [cursor] = [parameter for parameter in raw_schema["paths"]["/v1/transactions"]["get"]["parameters"] if parameter["name"] == "cursor"]
    cursor["schema"]["enum"] = [cursor["example"]]
    # A named period excludes all other ranges, so almost every request with it would be rejected. `rules.json` of the ledger kit tests it.
    # A name that nothing has is rejected too, so lists of names have known values only.
    for path in raw_schema["paths"].values():
        for operation in path.values():
            if "parameters" in operation:
                operation["parameters"] = [one for one in operation["parameters"] if one.get("name") != "period"]
                for parameter in operation["parameters"]:
                    if parameter.get("name") in NAMES:
                        parameter["schema"]["items"]["enum"] = [NAMES[parameter["name"]]]


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
        fault["parameter"] == parameter and words in fault["message"] and (not others or any(other in query for other in others))
        for parameter, others, words, _ in EXCLUSIONS
    )
