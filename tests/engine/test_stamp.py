"""What a stamp sees of a procedure, and what it refuses."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rubicon.engine.compiler.kernel import Kernel
from rubicon.engine.compiler.stamp import Stamps, UnknownGlobalError
from rubicon.lab.warmup import LAB_KERNEL
from rubicon.odds.warmup import ODDS_KERNEL
from rubicon.players.warmup import BOTS_KERNEL

UNKNOWN: dict[str, int] = {}
LIMIT = math.inf
NAMES = frozenset({"a", "b", "c"})


def reads_a_dictionary(key: str) -> int:
    return UNKNOWN[key]


def reads_what_is_known(name: str) -> bool:
    def inner(number: float) -> bool:
        return number < LIMIT

    return name in NAMES and inner(np.pi) and name in {"x", "y"}


def calls_itself(number: int) -> int:
    return 1 if number == 0 else number * calls_itself(number - 1)


def test_a_global_that_cannot_be_compared_is_refused() -> None:
    with pytest.raises(UnknownGlobalError):
        Stamps().of(reads_a_dictionary)


@pytest.mark.parametrize("function", [reads_what_is_known, calls_itself])
def test_a_stamp_is_the_same_each_time(function: object) -> None:
    assert callable(function)
    assert Stamps().of(function) == Stamps().of(function)


def test_functions_with_equal_code_differ_by_name() -> None:
    def one() -> int:
        return 1

    def two() -> int:
        return 1

    stamps = Stamps()
    assert stamps.of(one) != stamps.of(two)


HELPERS = """
def helper(number):
    return number + {added}


helper = Compiled(py_func=helper, targetoptions={{}})


def caller(number):
    return helper(number)
"""


def test_the_procedures_of_other_packages_count() -> None:
    """Of what Numba translates in its own way, such as this helper without an object, the name."""

    def stamp(added: int, source: str = HELPERS) -> bytes:
        module: dict[str, Any] = {"__name__": "another", "Compiled": SimpleNamespace}
        exec(source.format(added=added), module)
        return Stamps().of(module["caller"])

    assert stamp(1) == stamp(1) != stamp(2)
    plain = HELPERS.replace("helper = Compiled(py_func=helper, targetoptions={{}})", "")
    assert stamp(1, plain) == stamp(2, plain)


KERNELS = [ODDS_KERNEL, BOTS_KERNEL, LAB_KERNEL]


@pytest.mark.parametrize("kernel", KERNELS)
def test_every_kernel_has_a_stamp(kernel: Kernel) -> None:
    stamp = kernel.stamp()
    assert len(stamp) == 32
