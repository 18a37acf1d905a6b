"""The table of tests that `make test` leaves to `make test-rest`."""

from tests.rest import Rest, beyond

IDS = ["a.py::one", "a.py::two[1]", "a.py::two[2]", "a.py::two[3]", "b.py::one"]


def test_one_in_so_many_stays() -> None:
    found, unknown = beyond(IDS, (Rest("a.py::two", 2, "two[1]"),))
    assert (found, unknown) == ({"a.py::two[2]"}, [])


def test_none_stays_where_the_row_says_so() -> None:
    assert beyond(IDS, (Rest("b.py", 0, "a.py"),))[0] == {"b.py::one"}


def test_the_longest_beginning_decides() -> None:
    rows = (Rest("a.py", 0, "b.py"), Rest("a.py::two", 1, ""))
    assert beyond(IDS, rows)[0] == {"a.py::one"}


def test_a_row_that_names_no_test_is_reported() -> None:
    assert beyond(IDS, (Rest("c.py", 0, ""),))[1] == ["c.py"]
