"""Lists, numbers and chances as they are typed."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.errors import RubiconError
from rubicon.odds.campaign import (
    Target,
    parse_chance,
    parse_numbers,
    parse_targets,
    path,
    targets_text,
    with_behind,
)

trees = st.recursive(
    st.builds(Target, st.integers(1, 3000)),
    lambda inner: st.builds(Target, st.integers(1, 3000), st.lists(inner, max_size=3).map(tuple)),
    max_leaves=6,
)


@given(st.lists(trees, min_size=1, max_size=3).map(tuple))
def test_lists_are_exact_inverses(targets: tuple[Target, ...]) -> None:
    assert parse_targets(targets_text(targets)) == targets


def test_lists() -> None:
    assert parse_targets("3,5,2") == parse_targets(" 3 , 5,2 ") == path([3, 5, 2])
    split = (Target(3, (Target(5, (Target(2), Target(4, (Target(1),)))),)),)
    assert parse_targets("3,5(2)(4,1)") == split
    assert parse_targets("(3)(2)") == (Target(3), Target(2))
    assert parse_targets("3(5)") == parse_targets("3,5") == parse_targets("(3,5)")


@pytest.mark.parametrize(
    "text",
    [
        *("", ",", "3,", ",3", "3,,5", "3 5", "3(5", "3)5", "3()", "()", "-3", "3.5", "a"),
        *("3,5,x", "1," * 600 + "1", "(" * 400, "3(5)2", "3;5"),
    ],
)
def test_what_is_no_list(text: str) -> None:
    with pytest.raises(RubiconError) as caught:
        parse_targets(text)
    assert caught.value.code == "odds/bad-list"
    assert len(str(caught.value)) < 200


@given(st.text("0123456789,() x.-", max_size=40))
def test_any_text_is_a_list_or_an_error(text: str) -> None:
    with suppress(RubiconError):
        assert parse_targets(targets_text(parse_targets(text)))


@pytest.mark.parametrize(
    ("text", "code"),
    [("0", "odds/defend-too-small"), ("3,99999", "odds/too-large"), ("9" * 900, "odds/too-large")],
)
def test_numbers_that_are_refused(text: str, code: str) -> None:
    with pytest.raises(RubiconError) as caught:
        parse_targets(text)
    assert caught.value.code == code


def test_chances() -> None:
    assert parse_chance("0.8") == parse_chance(" 80% ") == parse_chance(".8") == 0.8
    assert parse_chance("80 %") == 0.8
    assert parse_chance("-1") == -1
    for text in ("", "%", "eighty", "0,8", "80%%", "nan", "inf", "1e3", "9" * 500):
        with pytest.raises(RubiconError) as caught:
            parse_chance(text)
        assert caught.value.code == "odds/bad-chance"


def test_numbers() -> None:
    assert parse_numbers("1, 2") == (1, 2)
    assert parse_numbers("-1") == (-1,)
    for text in ("", "1,", "x", "1.5", "--1"):
        with pytest.raises(RubiconError):
            parse_numbers(text)


def test_behind_is_for_territories_on_the_way() -> None:
    assert with_behind(path([3, 5, 2]), [4, 6]) == path([3, 5, 2], [4, 6])
    assert with_behind(path([3, 5, 2]), [4]) == path([3, 5, 2], [4, 4])
    split = with_behind(parse_targets("3(5,1)(2)"), [7, 8])
    assert split[0].behind == 7
    assert [target.behind for target in split[0].then] == [8, 1]
    for wrong in ([1, 2, 3], []):
        with pytest.raises(RubiconError) as caught:
            with_behind(path([3, 5, 2]), wrong)
        assert caught.value.code == "odds/bad-behind"
