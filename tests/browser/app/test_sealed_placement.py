"""Where placements are hidden the browser seals its own, and opens it when all are in."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Request, expect

from rubicon.cli.main import main
from rubicon.client import Client
from tests.browser.app import words
from tests.browser.app.conftest import Guest, OpenGame, Visitor
from tests.browser.app.person import Person

Json = dict[str, Any]
EMAIL: Json = {"ruleset": "email", "options": {"setup.armies": "2:20 3:16 4:14 5:12 6:12"}}


@dataclass
class Sent:
    """What browsers send, in order: the path and the body of each request."""

    requests: list[tuple[str, str]] = field(default_factory=list)

    def note(self, request: Request) -> None:
        """Keep a request."""
        self.requests.append((request.url, request.post_data or ""))

    def hear(self, context: BrowserContext) -> None:
        """Keep the requests of a browser's tabs."""
        context.on("request", self.note)

    def ends(self, path: str) -> list[int]:
        """The numbers of the requests to a path."""
        return [number for number, (url, _) in enumerate(self.requests) if url.endswith(path)]


def place(person: Person) -> None:
    """Place everything, and press the button that ends the hidden placement."""
    assert person.wait() is not None
    person.press(words.SPREAD)
    person.press(words.PLACED)
    person.settle()


def seals(client: Client, game: str) -> tuple[dict[str, str], dict[str, Json]]:
    """By seat: the key that has signed its seal, and what was opened."""
    keys: dict[str, str] = {}
    signers: dict[str, str] = {}
    opened: dict[str, Json] = {}
    for line in client.transcript(game).splitlines():
        entry = json.loads(line)
        body = entry["body"]
        match entry["kind"]:
            case "genesis":
                keys |= {name: each["key"] for name, each in body["participants"].items()}
            case "deposit":
                keys[body["id"]] = body["key"]
            case "sealed" if body["signed"] is not None:
                signers[body["seat"]] = keys[body["signed"]["id"]]
            case "opened":
                opened[body["seat"]] = body
            case _:
                pass
    return signers, opened


def journal_of(person: Person, folder: Path) -> Path:
    """The journal of a person's browser, as the page of the dice offers it."""
    page = person.visit(f"/games/{person.game}/dice")
    file = folder / f"{person.state()['you']}.jsonl"
    with page.expect_download() as download:
        page.get_by_role("link", name=words.JOURNAL, exact=True).click()
    download.value.save_as(file)
    return file


def verified(transcript: Path, journal: Path) -> tuple[int, str]:
    """The status of `rubicon verify --journal`, and what it prints."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        status = main(["verify", str(transcript), "--journal", str(journal)])
    return status, printed.getvalue()


def test_a_placement_leaves_its_browser_when_all_are_in(
    visitor: Visitor, guest: Guest, open_game: OpenGame, tmp_path: Path
) -> None:
    accounts = [guest("Ann"), guest("Bob")]
    game = open_game(*accounts, bots=1, **EMAIL).id
    ann, bob = (visitor(account) for account in accounts)
    sent = Sent()
    for person in (ann, bob):
        sent.hear(person.page.context)
        person.open_game(game)
        expect(person.page.get_by_text(words.DICE_IN).first).to_be_visible()
    place(ann)
    expect(ann.page.get_by_role("heading", name=words.SEALED_HERE)).to_be_visible()
    elsewhere = visitor(accounts[0])  # a browser that has no journal
    elsewhere.open_game(game)
    expect(elsewhere.page.get_by_role("heading", name=words.SEALED_ELSEWHERE)).to_be_visible()
    elsewhere.page.close()
    ann.page.reload()
    expect(ann.page.get_by_role("heading", name=words.SEALED_HERE)).to_be_visible()
    tab = ann.page.context.new_page()  # of two tabs one opens
    tab.goto(ann.page.url)
    expect(tab.get_by_role("heading", name=words.SEALED_HERE)).to_be_visible()
    assert not sent.ends("/dice/opened")
    place(bob)
    for page in (ann.page, bob.page, tab):
        expect(page.get_by_role("heading", name=words.SEALED_HERE)).to_have_count(0)
    assert ann.state()["phase"] != "sealed"

    tab.close()
    for account in accounts:
        account.vote(game, "draw")
    journals = {person.state()["you"]: journal_of(person, tmp_path) for person in (ann, bob)}
    signers, opened = seals(accounts[0], game)
    assert len(opened) == 3
    first, last = sent.ends("/dice/sealed")
    assert len(sent.ends("/dice/opened")) == 2
    assert first < last < min(sent.ends("/dice/opened"))
    before = json.dumps(sent.requests[: last + 1])
    for seat in signers:
        secrets = [opened[seat]["salt"], *(opened[seat]["text"].split("\n"))]
        secrets += [line.split()[1] for line in opened[seat]["text"].split("\n")]
        assert not [secret for secret in secrets if secret in before]
    assert "/submit" not in before

    transcript = tmp_path / "game.dice"
    transcript.write_text(accounts[0].transcript(game), "utf-8")
    for seat, journal in journals.items():
        status, printed = verified(transcript, journal)
        assert status == 0, printed
        clients = printed.partition("sealed by clients: ")[2].partition(";")[0].split(", ")
        assert sorted(clients) == sorted(signers) == sorted(journals)
        assert "secrets: open" in printed
        chains = [json.loads(line).get("chain") for line in journal.read_text("utf-8").splitlines()]
        assert signers[seat] in {chain["deposit"]["key"] for chain in chains if chain}
