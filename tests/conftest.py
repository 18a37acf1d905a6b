"""How large the tests are: quick and the same every time, or at full size (`make test-all`)."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.repeatable import SEED, RepeatableSecrets
from tests.rest import beyond

FULL = os.environ.get("RUBICON_FULL", "") not in {"", "0"}

# A test that waits for what never comes fails by its name, instead of holding up all others.
os.environ.setdefault("PYTEST_TIMEOUT", "7200" if FULL else "600")

# No deadline: the first call of a compiled procedure may have to load or compile it.
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile(
    "quick",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=40,
    print_blob=True,
    suppress_health_check=SLOW,
)
settings.register_profile("full", settings.get_profile("quick"), max_examples=2000)
settings.load_profile("full" if FULL else "quick")


def pytest_report_header() -> str:
    """Say the size and the games that are played beside the versions."""
    size = "full" if FULL else "quick (RUBICON_FULL=1 for full)"
    return f"size: {size}; RUBICON_TEST_SEED={SEED}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what `make test` leaves to `make test-rest`; leave out what is for the full size."""
    found, unknown = beyond(item.nodeid for item in items)
    whole = config.args == config.getini("testpaths") and not config.option.keyword
    if whole and unknown:
        raise pytest.UsageError(f"tests/rest.py names tests that do not exist: {unknown}")
    for item in items:
        if item.nodeid in found:
            item.add_marker(pytest.mark.rest)
    if FULL:
        return
    leave_out = pytest.mark.skip(reason="only at full size: make test-all")
    for item in items:
        if item.get_closest_marker("full") is not None:
            item.add_marker(leave_out)


@pytest.fixture(scope="session")
def full() -> bool:
    """Whether the tests run at full size."""
    return FULL


@pytest.fixture(scope="session", autouse=True)
def repeatable_secrets() -> Iterator[RepeatableSecrets]:
    """Hosted games that are the same in every run."""
    secrets = RepeatableSecrets()
    secrets.begin("session")
    with pytest.MonkeyPatch.context() as patch:
        secrets.install(patch)
        yield secrets


# A test plays its own games whatever ran before it; so does a fixture of a whole module.
@pytest.fixture(scope="module", autouse=True)
def _secrets_of_module(
    request: pytest.FixtureRequest, repeatable_secrets: RepeatableSecrets
) -> None:
    repeatable_secrets.begin(request.node.nodeid)


@pytest.fixture(autouse=True)
def _secrets_of_test(request: pytest.FixtureRequest, repeatable_secrets: RepeatableSecrets) -> None:
    repeatable_secrets.begin(request.node.nodeid)
