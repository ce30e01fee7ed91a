"""Prints one line per group of comparisons, and every difference."""


class Report:
    """Counts the failed comparisons of all groups."""

    def __init__(self):
        self.failed = 0

    def group(self, name):
        """Begins a group. Use as `with report.group(...) as equal: equal(label, ours, theirs)`."""
        return Group(self, name)


class Group:
    """One group of comparisons."""

    def __init__(self, report, name):
        self.report, self.name = report, name
        self.passed, self.differences = 0, []

    def __enter__(self):
        return self.equal

    def __exit__(self, kind, error, trace):
        if kind is not None:
            self.differences.append(f"stopped: {kind.__name__}: {error}")
        if self.passed + len(self.differences) == 0:
            self.differences.append("nothing was compared")
        print(f"{self.name}: {self.passed} passed, {len(self.differences)} failed", flush=True)
        for difference in self.differences:
            print(f"    {difference}", flush=True)
        self.report.failed += len(self.differences)
        return kind is not None and issubclass(kind, Exception)

    def equal(self, label, ours, theirs):
        """Compares a value of the service with the value of the reference."""
        if ours == theirs:
            self.passed += 1
        else:
            self.differences.append(f"{label}: the service has {ours!r}, the reference has {theirs!r}")
