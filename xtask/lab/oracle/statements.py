"""Compares the bookings that Passbook reads from other projects' sample files with those of independent readers.

Usage: statements.py PROGRAM SAMPLES EXCEPTIONS

PROGRAM is the lab, whose command `statement-rows` prints bookings, SAMPLES a folder with the unpacked packages, EXCEPTIONS a TOML file with the
files that differ, each with the reason. Bookings are compared as a multiset of account, day, cents and currency, as far
as the other reader states them. A file that no other reader can read is counted apart.
"""

import json
import subprocess
import sys
import time
import tomllib
import warnings
from collections import Counter
from pathlib import Path

import statement_formats

# Files of one format that may differ, in percent.
DIFFERENT_PERCENT_MAX = 5

warnings.simplefilter("ignore")


def main():
    program, samples, exceptions = sys.argv[1], Path(sys.argv[2]), tomllib.loads(Path(sys.argv[3]).read_text())
    results = [
        compare_format(comparison, program, samples, exceptions) for comparison in statement_formats.comparisons()
    ]
    sys.exit(0 if all(results) else 1)


def read_all(program, comparison, files):
    profiles = {file: profile for file in files if (profile := comparison.profile(file))}
    words = [str(file) for file in files if file not in profiles]
    for file, profile in profiles.items():
        words += [f"@{profile}", str(file)]
    output = subprocess.run([program, "statement-rows", comparison.order, *words], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {Path(line["file"]): line for line in map(json.loads, output.splitlines())}


def compare_format(comparison, program, samples, exceptions):
    """Compares the files of one format, and prints the differences. Returns true if none is unexpected."""
    started = time.monotonic()
    files = sorted({file for pattern in comparison.patterns for file in samples.glob(pattern) if file.is_file()})
    if not files:
        print(f"{comparison.name}: no sample files")
        return False
    results = Results(comparison, samples, exceptions)
    read = read_all(program, comparison, files)
    for file in files:
        results.add(file, read[file])
    results.check_minimum()
    results.report(len(files), time.monotonic() - started)
    return not results.wrong


class Results:
    """The outcomes of the files of one format."""

    def __init__(self, comparison, samples, exceptions):
        self.comparison, self.samples = comparison, samples
        self.rejected = exceptions["rejected"]
        self.listed = exceptions.get(comparison.name, {})
        self.listed_unread = exceptions.get(f"{comparison.name}-unread", {})
        self.equal, self.bookings, self.no_statements = 0, 0, 0
        self.different, self.unread, self.wrong = [], [], []

    def add(self, file, line):
        key = str(file.relative_to(self.samples))
        if key in self.rejected:
            if "rows" in line:
                self.wrong.append(f"{key}: must be rejected; Passbook: {len(line['rows'])} bookings")
            self.no_statements += 1
            return
        outcomes = [outcome(reader, file, line, self.comparison.rows) for reader in self.comparison.readers]
        if all(result == "unreadable" for result in outcomes) and self.comparison.fallback:
            outcomes.append(outcome(self.comparison.fallback, file, line, self.comparison.rows))
        if "equal" in outcomes:
            self.equal += 1
            self.bookings += len(self.comparison.rows(line))
            if key in self.listed:
                self.wrong.append(f"{key}: equal, remove it from the list of exceptions")
        elif all(result == "unreadable" for result in outcomes):
            self.add_unread(key, line)
        else:
            self.different.append(key)
            if key not in self.listed:
                self.wrong.append(f"{key}: {'; '.join(outcomes)}")

    def add_unread(self, key, line):
        self.unread.append(key)
        if self.comparison.is_partial:
            return
        rows = line.get("rows")
        described = f"{len(rows)} bookings" if rows is not None else line.get("faults") or line.get("choice")
        expected = self.listed_unread.get(key)
        if expected is None:
            self.wrong.append(f"{key}: no other reader can read it; Passbook: {described}")
        elif expected["bookings"] != (len(rows) if rows is not None else "rejected"):
            self.wrong.append(f"{key}: expected {expected['bookings']}; Passbook: {described}")

    def check_minimum(self):
        """A reader that reads too few files has failed, and compares nothing."""
        count, minimum = self.equal + len(self.different), self.comparison.files_min
        if count < minimum:
            self.wrong.append(f"only {count} files were compared, at least {minimum} are expected")

    def report(self, count, seconds):
        share = 100 * len(self.different) / count
        print(
            f"{self.comparison.name}: {count} files, {self.equal} equal with {self.bookings} bookings, "
            f"{len(self.different)} different ({share:.1f} %), {len(self.unread)} that no other reader can read, "
            f"{self.no_statements} that are no statements, {seconds:.1f} s"
        )
        if share > DIFFERENT_PERCENT_MAX:
            self.wrong.append(f"more than {DIFFERENT_PERCENT_MAX} % of the files differ")
        for line in self.wrong:
            print(f"  {line}")


def outcome(reader, file, line, rows):
    try:
        expected = Counter(reader(file))
    except FileNotFoundError:
        # The program or the file with the expected bookings is missing.
        raise
    except Exception:  # Each library has exceptions of its own, down to IndexError.
        return "unreadable"
    if not expected and line.get("rows") and rows(line):
        # A reader that finds nothing where bookings are has not read the file.
        return "unreadable"
    if "rows" not in line:
        # A file without bookings has nothing to compare.
        return "equal" if not expected else f"rejected: {line.get('faults') or line.get('choice')}"
    width = len(next(iter(expected))) if expected else 0
    ours = Counter(row[: max(width, 2)] for row in rows(line))
    if ours == expected:
        return "equal"
    missing, surplus = list((expected - ours).elements())[:3], list((ours - expected).elements())[:3]
    counts = f"{sum(expected.values())} against {sum(ours.values())}"
    return f"{reader.__name__}: {counts}, missing {missing}, surplus {surplus}"


if __name__ == "__main__":
    main()
