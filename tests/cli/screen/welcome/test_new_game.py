"""The screen before a new game: what each key chooses, and that it fits."""

from __future__ import annotations

import asyncio

import pytest

from rubicon.cli.screen.canvas import DARK
from rubicon.cli.screen.cells import Press
from rubicon.cli.screen.start import NewGameScreen
from rubicon.cli.terminal.options import LATEST, PlayOptions
from tests.cli.screen.at_screen import SIZES, shown


def after(
    *keys: str, options: PlayOptions | None = None, size: tuple[int, int] = (80, 24)
) -> tuple[PlayOptions | None, str]:
    """The result of the screen behind keys, and its last text."""
    app = NewGameScreen(options or PlayOptions(), DARK, resumable=True)

    async def play() -> str:
        async with shown(app, size):
            for key in keys:
                app.press(Press(key, key if len(key) == 1 else ""))
            return app.drawn(*app.size).text()

    text = asyncio.run(play())
    return app.result, text


def test_enter_alone_begins_the_quick_game_of_the_command_line() -> None:
    begun, _ = after("enter")
    assert begun == PlayOptions(setup="quick")


@pytest.mark.parametrize(
    ("keys", "way"),
    [(("down",), "choose"), (("up",), "book"), (("3",), "book"), (("2",), "choose")],
)
def test_a_way_to_set_up_is_chosen_by_arrows_or_its_number(keys: tuple[str, ...], way: str) -> None:
    begun, _ = after(*keys, "enter")
    assert begun is not None
    assert begun.setup == way


def test_players_and_rules_are_changed_by_one_key_each() -> None:
    begun, text = after("f3", "f2", "enter")
    assert begun is not None
    assert begun.preset == "secret-mission"
    assert begun.seats == "me,medium,medium,medium"
    assert "Secret Mission" in text
    assert "medium 3 bot" in text


def test_after_the_most_players_the_fewest_come() -> None:
    begun, _ = after(*["f2"] * 4, "enter")  # from three players over four, five and six
    assert begun is not None
    assert begun.seats == "me,medium,medium"


def test_what_the_command_line_says_is_not_changed() -> None:
    options = PlayOptions(preset="revised", seats="me:Ann,easy,easy")
    begun, text = after("f2", "f3", "enter", options=options)
    assert begun == PlayOptions(preset="revised", seats="me:Ann,easy,easy", setup="quick")
    assert "F2" not in text
    assert "Ann" in text


def test_the_last_game_is_resumed_and_escape_leaves() -> None:
    resumed, _ = after("f4")
    assert resumed is not None
    assert resumed.resume == LATEST
    assert after("escape")[0] is None


@pytest.mark.parametrize("size", SIZES)
def test_all_of_it_fits(size: tuple[int, int]) -> None:
    _, text = after(*["f2"] * 3, size=size)
    assert all(words in text for words in ("Quick", "Choose", "By the book", "Enter begin", "Esc"))
    assert len(text.splitlines()) == size[1]
