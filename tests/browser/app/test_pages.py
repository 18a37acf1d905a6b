"""The pages around a game: start, new game, lobby, account, player, administration."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import expect

from rubicon.client import Client
from rubicon.rules.ruleset.ruleset import preset_names
from tests.browser.app import words
from tests.browser.app.conftest import Guest, OpenGame, Visitor
from tests.browser.faults import Faults
from tests.browser.screen import DESKTOP, PHONE, Screen
from tests.waiting import SOON
from tests.web.conftest import ServerProcess

# What moves by itself is written down: its share of the screen.
MOVED = """addEventListener("DOMContentLoaded", () => { window.moved = [];
    new PerformanceObserver((list) => {
        const shares = list.getEntries().map((shift) => shift.value);
        window.moved.push(...shares.filter((share) => share > 0.001));
    }).observe({ type: "layout-shift", buffered: true }); });"""
BOTH_SCREENS = pytest.mark.parametrize("screen", [DESKTOP, PHONE])


def save(server: ServerProcess, client: Client, address: str) -> str:
    """Save an account under an address, as if its link had been used; its id."""
    account = str(client.me()["account"])
    with closing(sqlite3.connect(server.folder / "rubicon.db", timeout=SOON)) as database, database:
        database.execute("UPDATE account SET email = ? WHERE id = ?", (address, account))
    return account


def test_the_next_game_is_offered_as_the_last_one(visitor: Visitor) -> None:
    person = visitor()
    page = person.visit()
    page.get_by_role("group", name=words.OPPONENTS).get_by_role("radio", name="2").check(force=True)
    page.get_by_role("combobox", name=words.BOTS).select_option(words.ONE_BY_ONE)
    page.get_by_role("combobox", name=words.SECOND_OPPONENT).select_option(words.RANDOM)
    person.press(words.AGAINST_TWO)
    expect(page).to_have_url(re.compile(r"/games/\w+$"))
    game = page.url.rpartition("/")[2]
    bots = [seat["bot"] for seat in person.ask(f"/tables/{game}")["seats"]]
    assert bots == [None, "easy", "random"]
    person.visit()
    expect(person.button(words.AGAINST_TWO)).to_be_visible()
    chosen = page.get_by_role("combobox", name=words.SECOND_OPPONENT)
    expect(chosen).to_have_value("random")


@BOTH_SCREENS
def test_an_impossible_rule_is_told_while_it_is_chosen(visitor: Visitor, screen: Screen) -> None:
    person = visitor(screen=screen)
    page = person.visit_new()
    expect(page.get_by_role("switch", name=words.QUICK)).to_be_checked()
    page.get_by_role("radio", name=words.THREE_PILES).check(force=True)
    expect(page.get_by_role("alert").filter(has_text="exactly two players")).to_be_visible()
    expect(person.button(words.OPEN_TABLE)).to_be_disabled()
    person.press(words.AS_IN_THE_BOOK)
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(person.button(words.OPEN_TABLE)).to_be_enabled()


def test_a_table_is_opened_as_the_last_one(visitor: Visitor) -> None:
    person = visitor()
    page = person.visit_new()
    expect(page.get_by_role("switch", name=words.QUICK)).to_be_checked()
    page.get_by_role("textbox", name=words.YOUR_NAME).fill("Ann")
    person.press(words.OPEN_TABLE)
    expect(person.button(words.START_WITH_FOUR)).to_be_visible()
    first = page.url.rpartition("/")[2]
    person.visit_new()
    person.press(words.SAME_AS_LAST_TIME)
    person.press(words.OPEN_TABLE)
    expect(person.button(words.START_WITH_FOUR)).to_be_visible()
    second = page.url.rpartition("/")[2]
    tables = [person.ask(f"/tables/{each}") for each in (first, second)]
    assert first != second
    assert tables[0]["options"] == tables[1]["options"]
    assert tables[0]["options"] == "setup.claim=random; setup.place=all_at_once"


def test_two_people_are_offered_rules_for_two(visitor: Visitor) -> None:
    person = visitor()
    page = person.visit_new()
    person.press(words.TAKE_TWO)
    expect(page.get_by_role("radio", name=re.compile("^Two players 2"))).to_be_checked()
    page.get_by_role("textbox", name=words.YOUR_NAME).fill("Ann")
    person.press(words.OPEN_TABLE)
    expect(page).to_have_url(re.compile(r"/tables/\w+$"))
    table = person.ask(f"/tables/{page.url.rpartition('/')[2]}")
    assert table["ruleset"].startswith("two-player ")
    assert len(table["seats"]) == 2


@pytest.mark.parametrize("ruleset", preset_names())
def test_a_table_of_every_ruleset_is_opened_by_the_form_and_started(
    visitor: Visitor, ruleset: str
) -> None:
    person = visitor()
    page = person.visit_new()
    page.locator(f"input[name=ruleset][value={ruleset}]").check(force=True)
    page.get_by_role("textbox", name=words.YOUR_NAME).fill("Ann")
    person.press(words.OPEN_TABLE)
    person.press(words.START)
    expect(page).to_have_url(re.compile(r"/games/\w+$"))
    game = page.url.rpartition("/")[2]
    assert person.ask(f"/tables/{game}")["ruleset"].startswith(f"{ruleset} ")


def test_the_german_app_speaks_german(visitor: Visitor, faults: Faults) -> None:
    faults.expect("404")
    person = visitor()
    page = person.visit()
    page.get_by_role("button", name="Deutsch").click()
    page = person.visit("/rules/classic")
    expect(page.get_by_role("heading", name="Ziel des Spiels")).to_be_visible()
    expect(page.get_by_role("cell", name="Kamtschatka").first).to_be_visible()
    page = person.visit("/games/nowhere")
    expect(page.get_by_text("Dieses Spiel gibt es nicht.")).to_be_visible()


def test_the_host_changes_the_table_and_starts_with_who_is_there(
    visitor: Visitor, guest: Guest
) -> None:
    ann, bob = guest("Ann"), guest("Bob")
    opened = ann.open_table(seats=5, access="link", bots={"4": "greedy"})
    bob.join(opened["game"], invite=opened["invite"])
    host, other = visitor(ann), visitor(bob)
    for person in (host, other):
        person.visit(f"/tables/{opened['game']}")
    host.press(re.compile(f"^{words.CHANGE}$"))
    host.page.get_by_role("radio", name=re.compile("^Secret mission")).check(force=True)
    host.press(words.KEEP_CHANGES)
    expect(other.page.get_by_text("Everyone gets a secret mission.")).to_be_visible()
    host.press(words.WITH_THESE)
    for person in (host, other):
        expect(person.page).to_have_url(re.compile(f"/games/{opened['game']}$"))
    table = host.ask(f"/tables/{opened['game']}")
    assert table["ruleset"].startswith("secret-mission")
    assert [seat["name"] for seat in table["seats"]] == ["Ann", "Bob", "greedy"]


def test_a_rematch_has_the_same_people(visitor: Visitor, guest: Guest, open_game: OpenGame) -> None:
    people = [guest(name) for name in ("Ann", "Bob", "Cid")]
    game = open_game(*people).id
    for client in people[1:]:
        client.out_of_turn(game, f"resign {client.game(game)['you']}")
    person = visitor(people[0])
    person.visit(f"/games/{game}/review")
    person.press(words.REMATCH)
    expect(person.page).to_have_url(re.compile(r"/tables/\w+$"))
    for name in ("Ann", "Bob", "Cid"):
        expect(person.page.get_by_role("listitem").filter(has_text=name)).to_be_visible()


def test_a_guest_is_asked_before_signing_out(visitor: Visitor, guest: Guest) -> None:
    person = visitor(guest("Ann"))
    page = person.visit("/account")
    person.press(words.SIGN_OUT)
    expect(page.get_by_text("you cannot come back to this account")).to_be_visible()
    person.press(words.SIGN_OUT)
    expect(page.get_by_role("heading", name=words.NOBODY)).to_be_visible()
    assert person.ask("/session")["account"] is None


def test_the_page_of_a_player(
    visitor: Visitor, guest: Guest, app_server: ServerProcess, faults: Faults
) -> None:
    ann = guest("Ann")
    account = save(app_server, ann, "ann@example.org")
    game = ann.open_table(seats=3, access="open", title="Sunday table")["game"]
    page = visitor().visit(f"/tables/{game}")
    page.get_by_role("link", name="Ann").click()
    expect(page).to_have_url(re.compile(f"/players/{account}$"))
    expect(page.get_by_role("listitem").filter(has_text="Sunday table")).to_be_visible()
    expect(page.get_by_text("No dice have been rolled yet.")).to_be_visible()
    ann.change(listed=False)
    faults.expect("404")
    page.reload()
    expect(page.get_by_role("heading", name=re.compile("^There is no public page"))).to_be_visible()


@BOTH_SCREENS
def test_the_page_of_the_administrator_forgets_its_token(
    visitor: Visitor, app_server: ServerProcess, faults: Faults, screen: Screen
) -> None:
    person = visitor(screen=screen)
    page = person.visit("/admin")
    field = page.get_by_label(words.ADMIN_TOKEN)
    faults.expect("401")
    field.fill("a" * 26)
    person.press(words.SHOW_SERVER)
    expect(page.get_by_role("alert")).to_contain_text("not valid")
    field.fill(app_server.admin)
    person.press(words.SHOW_SERVER)
    expect(page.get_by_text(words.NO_REPORTS)).to_be_visible()
    assert app_server.admin not in page.evaluate(
        "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"
    )
    page.reload()
    expect(field).to_be_visible()
    expect(field).to_have_value("")


def test_a_table_that_the_administrator_closes(
    visitor: Visitor, guest: Guest, open_game: OpenGame, app_server: ServerProcess, screen: Screen
) -> None:
    ann = guest("Ann")
    game = open_game(ann, bots=2).id
    player, admin = visitor(ann), visitor(screen=screen)
    player.open_game(game)
    page = admin.visit("/admin")
    page.get_by_label(words.ADMIN_TOKEN).fill(app_server.admin)
    admin.press(words.SHOW_SERVER)
    page.get_by_label(words.TABLE_ADDRESS).fill(f"{app_server.url}/games/{game}")
    page.get_by_label(words.CLOSE_REASON).fill("spam")
    admin.press(words.CLOSE_TABLE)
    admin.press(words.CLOSE_TABLE)
    expect(page.get_by_text(f"The table {game} is closed.")).to_be_visible()
    expect(player.page.get_by_text(re.compile("has closed the table: spam")).first).to_be_visible()


def test_the_start_page_says_that_the_server_is_away(visitor: Visitor, faults: Faults) -> None:
    person = visitor()
    person.visit()
    expect(person.page.get_by_role("heading", name="Open tables")).to_be_visible()
    person.page.route("**/api/v1/tables/search**", lambda route: route.abort())
    faults.expect("ERR_FAILED")
    person.page.goto(f"{person.url}/watch")
    person.page.goto(person.url)
    expect(person.page.get_by_text(words.AWAY)).to_be_visible()
    person.page.unroute("**/api/v1/tables/search**")
    person.press(words.RETRY)
    expect(person.page.get_by_text(words.AWAY)).to_have_count(0)


@BOTH_SCREENS
def test_a_lobby_does_not_move_while_it_loads(
    visitor: Visitor, guest: Guest, screen: Screen
) -> None:
    ann = guest("Ann")
    table = ann.open_table(seats=3, ruleset="classic")["game"]
    person = visitor(ann, screen)
    person.page.add_init_script(MOVED)
    page = person.visit(f"/tables/{table}")
    expect(person.button(words.START)).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.moved") == []
