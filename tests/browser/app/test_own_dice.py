"""The browser takes part in the dice by itself; Python finds right what it did and kept."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

from playwright.sync_api import Page, Route, expect

from rubicon.cli.main import main
from rubicon.client import Client
from tests.browser.app import words
from tests.browser.app.clicking import play
from tests.browser.app.conftest import DEALT, Guest, Visitor
from tests.browser.app.person import Person

START = re.compile("^Start")
ENOUGH = 3  # requests with the browser's link
A_DIE = re.compile(r'("battle":\[\[)([1-6])')


def begun(visitor: Visitor, client: Client) -> Person:
    """A game against bots that somebody starts in the lobby, with the dice sealed there."""
    bots = dict.fromkeys((1, 2), "greedy")
    table = client.open_table(board="world", seats=3, bots=bots, options=DEALT)
    person = visitor(client)
    person.visit(f"/tables/{table['game']}")
    person.press(START)
    expect(person.page).to_have_url(re.compile(r"/games/"))
    person.open_game(table["game"])
    expect(person.page.get_by_text(words.DICE_IN).first).to_be_visible()
    return person


def downloaded(page: Page, link: str, file: Path) -> Path:
    """A file that the page offers."""
    with page.expect_download() as download:
        page.get_by_role("link", name=link, exact=True).click()
    download.value.save_as(file)
    return file


def verified(transcript: Path, journal: Path) -> tuple[int, str]:
    """The status of `rubicon verify --journal`, and what it prints."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        status = main(["verify", str(transcript), "--journal", str(journal)])
    return status, printed.getvalue()


def test_python_finds_the_part_of_a_browser_right(
    visitor: Visitor, guest: Guest, tmp_path: Path
) -> None:
    person = begun(visitor, guest("Ann"))
    page = person.page
    play(person, until=lambda state: state["round"] > 1)
    page.reload()  # the secret outlives the page
    expect(page.get_by_text(words.DICE_IN).first).to_be_visible()
    play(person, until=lambda state: state["round"] > 2)
    seat = person.state()["you"]
    person.visit(f"/games/{person.game}/dice")
    journal = downloaded(page, "Your journal", tmp_path / "journal.jsonl")
    transcript = downloaded(page, "Transcript", tmp_path / "game.dice")
    status, printed = verified(transcript, journal)
    assert status == 0, printed
    took = re.search(rf"^{seat}: took part in (\d+) of (\d+)", printed, re.MULTILINE)
    assert took is not None, printed
    assert int(took[1]) >= ENOUGH, printed
    assert re.search(rf"^{seat}: .*orders signed: [1-9]", printed, re.MULTILINE), printed


def another_die(route: Route) -> None:
    """The server shows another first die of each battle than was rolled."""
    answer = route.fetch()
    text = A_DIE.sub(lambda found: f"{found[1]}{int(found[2]) % 6 + 1}", answer.text())
    route.fulfill(response=answer, body=text)


def test_a_server_that_lies_raises_an_alarm(visitor: Visitor, guest: Guest, tmp_path: Path) -> None:
    person = begun(visitor, guest("Ann"))
    page = person.page
    page.route("**/transcript?after=*", another_die)
    alarm = page.get_by_role("alert").filter(has_text="Something is wrong with the dice")

    def alarmed(_: object) -> bool:
        return alarm.count() > 0

    play(person, until=alarmed)
    expect(alarm).to_contain_text("[bad-line]")
    alarm.get_by_role("link", name="The dice of this game").click()
    journal = downloaded(page, "Your journal", tmp_path / "journal.jsonl")
    assert '{"alarm":["bad-line",' in journal.read_text("utf-8")
