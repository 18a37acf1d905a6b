"""Metrics of the database: counted while a server runs, exported by `/metrics`, never stored."""

from __future__ import annotations

import time
from typing import Literal

from prometheus_client import Counter, Histogram

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
JOBS = (1, 2, 4, 8, 16, 32, 64, 128)


class StorageMetrics:
    """The metrics of one store. They belong to no registry: several stores may be open at once."""

    def __init__(self) -> None:
        self.write_failed_at = float("-inf")  # the last failure, by time.monotonic()
        self.commit_seconds = Histogram(
            "rubicon_database_commit_duration_seconds",
            "Duration of a database transaction, commit included.",
            buckets=SECONDS,
            registry=None,
        )
        self.commit_jobs = Histogram(
            "rubicon_database_commit_jobs",
            "Jobs that one database transaction committed.",
            buckets=JOBS,
            registry=None,
        )
        self.errors = Counter(
            "rubicon_database_errors",
            "Reads and writes that failed because the database was unavailable.",
            ["operation"],
            registry=None,
        )
        for operation in ("read", "write"):  # so that both are exported before the first error
            self.errors.labels(operation)

    def committed(self, seconds: float, jobs: int) -> None:
        """Count a commit of so many jobs."""
        self.commit_seconds.observe(seconds)
        self.commit_jobs.observe(jobs)

    def failed(self, operation: Literal["read", "write"]) -> None:
        """Count a read or write that failed because the database was unavailable."""
        self.errors.labels(operation).inc()
        if operation == "write":
            self.write_failed_at = time.monotonic()
