"""The full screen: its layouts, keys, mouse, and whole games."""

from __future__ import annotations

import asyncio
import re
import time
from pathlib import Path

import pytest

from rubicon.cli.screen.canvas import DARK, FEW, LIGHT, NONE, SIXTEEN, Theme
from rubicon.cli.screen.cells import Press
from rubicon.cli.screen.layouts import map_box
from rubicon.cli.screen.typed_line import MOST
from rubicon.engine.records import Phase
from rubicon.errors import RubiconError
from tests.cli.screen.at_screen import (
    LONGEST,
    SIZES,
    asked,
    press,
    running,
    screen,
    shown,
    text_of,
    text_with_chances,
)


def prompt_row(text: str) -> str:
    """The row of the prompt."""
    return next(line for line in text.splitlines() if "› " in line)


@pytest.mark.parametrize("size", [*SIZES, (97, 31), (200, 60)])
def test_every_size_has_seats_proposal_and_keys(tmp_path: Path, size: tuple[int, int]) -> None:
    async def play() -> str:
        async with running(screen(tmp_path), size) as app:
            return text_of(app)

    text = asyncio.run(play())
    lines = text.splitlines()
    assert len(lines) == size[1]
    assert max(map(len, lines)) <= size[0]
    assert "medium" in lines[1]
    assert "deploy 4 iceland" in prompt_row(text)
    assert lines[-1].startswith(" Enter deploy")
    assert len(lines[-1]) < size[0]


@pytest.mark.parametrize("theme", [LIGHT, DARK, FEW, SIXTEEN, NONE])
def test_every_theme_draws_the_map_and_its_own_colours(tmp_path: Path, theme: Theme) -> None:
    async def play() -> set[str | None]:
        async with running(screen(tmp_path, theme=theme)) as app:
            cells = [cell for row in app.canvas(*app.size).rows for cell in row]
            return {cell.look.ink for cell in cells} | {cell.look.ground for cell in cells}

    colours = asyncio.run(play()) - {None}
    assert bool(colours) == theme.colours
    assert theme.mixed or colours <= {*theme.tokens.values(), *sum(theme.shades.values(), ())}


def test_a_turn_by_keys_prints_each_order_into_the_log(tmp_path: Path) -> None:
    async def play() -> tuple[list[str], Phase]:
        async with running(screen(tmp_path)) as app:
            proposed = [app.desk.proposal()]
            await press(app, "+", "+", "tab", "+")
            proposed.append(app.desk.proposal())
            await press(app, "enter")
            while app.desk.choices.places:
                await press(app, "enter")
            proposed.append(app.desk.proposal())
            await press(app, "]")
            proposed.append(app.desk.proposal())
            await press(app, ".", ".")
            return proposed, app.desk.game.phase

    proposed, phase = asyncio.run(play())
    assert proposed[0] == "deploy 4 iceland"
    assert proposed[1].startswith("deploy 2 iceland, 1 ")
    assert proposed[2].startswith("attack ")
    assert " UNTIL LEFT " in proposed[2]
    assert proposed[3].endswith(" UNTIL ODDS < 60%")
    assert phase == Phase.REINFORCE  # of the next turn: both phases were ended


def test_what_is_typed_is_completed_read_and_carried_out(tmp_path: Path) -> None:
    async def play() -> tuple[str, str, str]:
        async with running(screen(tmp_path), (80, 24)) as app:
            typed = await press(app, *"deploy 4 icel")
            completed = await press(app, "tab")
            done = await press(app, "enter")
            return typed, completed, done

    typed, completed, done = asyncio.run(play())
    assert "= DEPLOY 4 iceland" in typed
    assert "deploy 4 iceland" in prompt_row(completed)
    assert "attack " in prompt_row(done)


def test_a_refused_line_stays_and_says_why(tmp_path: Path) -> None:
    async def play() -> str:
        async with running(screen(tmp_path), (80, 24)) as app:
            return await press(app, *"dep 4 alaska", "enter")

    text = asyncio.run(play())
    assert "✗ " in text
    assert "alaska" in text.lower()


def test_undo_takes_the_last_decision_back(tmp_path: Path) -> None:
    async def play() -> tuple[bool, str]:
        async with running(screen(tmp_path)) as app:
            await press(app, "enter")
            attacking = bool(app.desk.choices.attacks)
            return attacking, await press(app, "backspace")

    attacking, text = asyncio.run(play())
    assert attacking
    assert "Taken back" in text
    assert "deploy 4" in prompt_row(text)


def test_resizing_keeps_line_and_selection(tmp_path: Path) -> None:
    async def play() -> tuple[list[str], list[int | None]]:
        app = screen(tmp_path)
        rows, selected = [], []
        async with shown(app, (120, 40)) as terminal:
            await asked(app)
            await press(app, "tab", *"dep 2")
            for size in ((80, 24), (60, 20), (140, 50)):
                terminal.resize(*size)
                rows.append(prompt_row(text_of(app)))
                selected.append(app.desk.selected)
            app.prompts.leave()
        return rows, selected

    rows, selected = asyncio.run(play())
    assert all("› dep 2" in row for row in rows)
    assert len(set(selected)) == 1
    assert selected[0] is not None


def test_a_click_selects_the_territory_below_it(tmp_path: Path) -> None:
    async def play() -> tuple[int, int | None, int | None]:
        app = screen(tmp_path)
        async with shown(app, (80, 24)) as terminal:
            await asked(app)
            box = map_box(80, 24)
            assert box is not None
            before, wanted = app.desk.selected, app.desk.choices.sources()[-1]
            column, row = app.world(box.width, box.height).disc(wanted)
            place = f"{box.x + column + 1};{box.y + row + 1}"
            await terminal.type(f"\x1b[<0;{place}M\x1b[<0;{place}m")
            after = app.desk.selected
            app.prompts.leave()
        return wanted, before, after

    wanted, before, after = asyncio.run(play())
    assert before != wanted
    assert after == wanted


def test_real_keys_reach_the_line(tmp_path: Path) -> None:
    async def play() -> tuple[str, str]:
        app = screen(tmp_path)
        async with shown(app, (80, 24)) as terminal:
            await asked(app)
            await terminal.type("atx\x7fta\t")
            text = app.desk.line.text
            await terminal.type("\x1b")
            await terminal.type("?")
            await asked(app)
            help_shown = text_of(app)
            app.prompts.leave()
        return text, help_shown

    text, help_shown = asyncio.run(play())
    assert text.startswith("ATTACK ")
    assert "What you can do now" in help_shown


def test_help_opens_over_the_map_and_closes(tmp_path: Path) -> None:
    async def play() -> tuple[str, str]:
        async with running(screen(tmp_path), (80, 24)) as app:
            return await press(app, "?"), await press(app, "escape")

    opened, closed = asyncio.run(play())
    assert "What you can do now" in opened
    assert "Esc: close" in opened
    assert "Esc: close" not in closed


def test_between_two_people_nothing_of_the_game_is_shown(tmp_path: Path) -> None:
    async def play() -> tuple[str, str]:
        app = screen(tmp_path, "secret-mission", seats="me:Ann,me:Bob,greedy")
        async with running(app, (80, 24)):
            return text_of(app), await press(app, "enter")

    passing, seated = asyncio.run(play())
    assert "Pass the keyboard to" in passing
    assert "armies" not in passing
    assert "mission" not in passing
    assert "› " in seated


@pytest.mark.parametrize(
    ("preset", "more"),
    [
        ("classic", {}),
        ("revised", {}),
        ("capital", {"setup": "book"}),
        ("secret-mission", {"seats": "me:Ann,me:Bob,greedy"}),
        ("email", {"board": "skerries"}),
    ],
)
def test_whole_games_end_by_enter_alone(tmp_path: Path, preset: str, more: dict[str, str]) -> None:
    async def play() -> tuple[bool, str]:
        app = screen(tmp_path, preset, DARK, **more)
        async with running(app, (80, 24)):
            for _ in range(4000):
                if app.prompts.ended:
                    break
                before = len(app.desk.game.history), app.prompts.keyboard.question
                await press(app, "enter")
                if before == (len(app.desk.game.history), app.prompts.keyboard.question):
                    await press(app, ".")
            return app.prompts.over, text_with_chances(app)

    over, text = asyncio.run(play())
    assert over, text
    assert "rounds were played" in text
    assert "play again" in text
    assert "most 100%" in text or "draw" in text


def test_the_orders_of_a_turn_stand_beside_the_map_and_undo_takes_them_away(tmp_path: Path) -> None:
    async def play() -> tuple[str, str]:
        async with running(screen(tmp_path)) as app:
            await press(app, *"dep 1 iceland", "enter")
            done = await press(app, *"dep 2 ukr", "enter")
            return done, await press(app, "backspace")

    done, undone = asyncio.run(play())
    assert "1 DEPLOY 1 iceland" in done
    assert "2 DEPLOY 2 ukraine" in done
    assert "1 DEPLOY 1 iceland" in undone
    assert "2 DEPLOY" not in undone


def test_a_refused_line_stays_with_the_reason_and_the_rule(tmp_path: Path) -> None:
    async def play() -> tuple[str, str, str]:
        async with running(screen(tmp_path), (80, 24)) as app:
            await press(app, "enter")
            typed = await press(app, *"att iceland > brazil")
            refused = await press(app, "enter")
            return typed, refused, await press(app, "escape")

    typed, refused, cleared = asyncio.run(play())
    assert "iceland and brazil share no border" in typed
    assert "✗ Iceland and Brazil share no border. Nothing was done. Your line stays." in refused
    assert "S002-36" in refused
    assert "› att iceland > brazil" in prompt_row(refused)
    assert "✗" not in cleared
    assert "attack iceland ->" in prompt_row(cleared)


def test_a_number_is_changed_by_arrows_home_and_end(tmp_path: Path) -> None:
    async def play() -> list[str]:
        async with running(screen(tmp_path, seats="me,medium,easy"), (80, 24)) as app:
            while "advance" not in prompt_row(text_of(app)):
                await press(app, "enter")
            return [prompt_row(await press(app, key)) for key in ("home", "right", "end", "left")]

    rows = asyncio.run(play())
    fewest, more, most, less = (int(row.split()[-1]) for row in rows)
    assert fewest < most
    assert (more, less) == (fewest + 1, most - 1)


def test_the_log_opens_at_its_end_and_the_borders_turn_pages(tmp_path: Path) -> None:
    async def play() -> tuple[str, str, str]:
        async with running(screen(tmp_path), (60, 20)) as app:
            first = text_of(app)
            paged = await press(app, "pagedown")
            await press(app, "pageup", "enter")
            return first, paged, await press(app, "f5")

    first, paged, log = asyncio.run(play())
    assert "PgDn: more" in first
    assert paged.splitlines()[3] != first.splitlines()[3]
    assert "red places 4 armies on Iceland" in log


def test_a_terminal_that_becomes_too_small_shows_that_and_takes_no_keys(tmp_path: Path) -> None:
    async def play() -> tuple[str, int, str]:
        app = screen(tmp_path)
        async with shown(app, (80, 24)) as terminal:
            await asked(app)
            asked_before = app.prompts.keyboard.asked
            for size in ((1, 1), (59, 24), (2, 40), (60, 19)):
                terminal.resize(*size)
                await terminal.type("\r\x1b[20~\x1b[15~")
            small = text_of(app)
            count = app.prompts.keyboard.asked - asked_before
            terminal.resize(60, 20)
            app.prompts.leave()
            return small, count, text_of(app)

    small, count, again = asyncio.run(play())
    assert "Rubicon needs 60 x 20; this is 60 x 19." in small
    assert count == 0
    assert "deploy" in again


def test_an_error_of_the_screen_shows_no_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object) -> None:
        secret = "a hidden hand"
        raise RuntimeError(secret[:0])

    app = screen(tmp_path)
    monkeypatch.setattr(app, "canvas", fails)

    async def play() -> None:
        async with shown(app, (80, 24)):
            pass

    with pytest.raises(RuntimeError):
        asyncio.run(play())
    assert "hidden" not in "".join(capsys.readouterr())


def test_a_paste_is_typed_without_what_a_terminal_obeys(tmp_path: Path) -> None:
    async def play() -> tuple[str, str]:
        async with running(screen(tmp_path)) as app:
            app.paste("log 1\r\n\x1b[2J\n\nlog 2")
            pasted = app.desk.line.text
            app.desk.line.set("")
            app.paste("x" * 1_000_000)
            return pasted, app.desk.line.text

    pasted, long = asyncio.run(play())
    assert pasted == "log 1; �[2J; log 2"
    assert len(long) == MOST


def test_what_is_typed_while_the_game_is_busy_is_not_lost(tmp_path: Path) -> None:
    async def play() -> tuple[str, list[str]]:
        async with running(screen(tmp_path)) as app:
            app.press(Press("enter"))
            for sign in "?. help zz":
                app.press(Press(sign, sign))
            app.press(Press("enter"))
            app.press(Press("enter"))
            app.press(Press("a", "a"))
            while not app.opened and not app.desk.line.text:
                await asyncio.sleep(0.01)
            return app.desk.line.text, list(app.prompts.events)

    typed, events = asyncio.run(play())
    assert typed == "a"
    assert sum("places" in event for event in events if event.startswith("red")) == 1


def test_a_game_that_cannot_be_saved_goes_on_and_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()

    async def play() -> tuple[str, str]:
        async with running(screen(folder)) as app:
            (folder / "game.risk").unlink(missing_ok=True)
            folder.rmdir()
            await press(app, "enter", ".")
            await press(app, ".")
            told = "\n".join(app.prompts.events)  # the screen breaks it anywhere
            return told, await press(app, "escape", *f"save {tmp_path / 'other.risk'}", "enter")

    told, saved = asyncio.run(play())
    assert "The game goes on, and is saved as soon as that is possible." in told
    assert "Saved: " in saved
    assert (tmp_path / "other.risk").exists()


def test_alarms_open_one_after_the_other_and_only_escape_closes_them(tmp_path: Path) -> None:
    async def play() -> list[str]:
        async with running(screen(tmp_path), (80, 24)) as app:
            for number in ("first", "second"):
                app.prompts.alarm("ALARM", RubiconError("a/b", f"The {number} one."))
            app.changed()
            seen = []
            for key in ("enter", ".", "escape", " ", "escape"):
                seen.append(text_of(app))
                app.press(Press(key, key if len(key) == 1 else ""))
            return [*seen, text_of(app)]

    seen = asyncio.run(play())
    opened = [re.findall(r"^  The (\w+) one\.", text, re.MULTILINE) for text in seen]
    assert opened == [["first"]] * 3 + [["second"]] * 2 + [[]]
    assert "ALARM: The second one." in seen[-1]


def test_the_caret_stands_behind_wide_signs(tmp_path: Path) -> None:
    async def play() -> tuple[str, list[str]]:
        async with running(screen(tmp_path), (80, 24)) as app:
            text = await press(app, *"漢字b", "left", "left")
            cells = app.canvas(*app.size).rows[text.splitlines().index(prompt_row(text))]
            return prompt_row(text), [c.sign for c in cells if c.look.ground == DARK["ink"]]

    row, caret = asyncio.run(play())
    assert row.endswith("› 漢字b")
    assert caret == ["字", ""]


@pytest.mark.parametrize("size", SIZES)
def test_a_notice_is_not_hidden_by_an_older_refusal(tmp_path: Path, size: tuple[int, int]) -> None:
    away = "The server does not answer; the game goes on when it does."

    async def play() -> tuple[str, str]:
        async with running(screen(tmp_path), size) as app:
            refused = await press(app, *"attack", "enter")
            app.prompts.session.output.notice(away)
            end = time.monotonic() + LONGEST
            while away not in " ".join(text_of(app).split()) and time.monotonic() < end:
                await asyncio.sleep(0.01)
            return refused, text_of(app)

    refused, text = asyncio.run(play())
    assert away not in refused
    assert away in " ".join(text.split())
