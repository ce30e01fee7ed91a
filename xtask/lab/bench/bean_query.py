"""Prints the median time of bean-query for a question about a ledger that is already loaded, in seconds.

Arguments: the ledger, the query, the number of runs.
"""

import statistics
import sys
import time

import beanquery


def main():
    ledger, query, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    connection = beanquery.connect("beancount:" + ledger)
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        rows = connection.execute(query).fetchall()
        times.append(time.perf_counter() - started)
        if not rows:
            sys.exit("the query returned no rows")
    print(statistics.median(times))


main()
