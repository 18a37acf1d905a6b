"""Without the server the page says so in plain words; the service worker keeps no game."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app.conftest import DEALT, Guest, OpenGame, Visitor, kill
from tests.browser.conftest import NewPage
from tests.browser.faults import Faults
from tests.browser.screen import DESKTOP, PHONE, Screen
from tests.waiting import SOON
from tests.web.conftest import ServerProcess, start

UNREACHABLE = "ERR_CONNECTION_REFUSED"  # what the offline page hears while it asks again
IS_READY = "() => navigator.serviceWorker.controller !== null"
KEPT = """async () => {
    const names = await caches.keys();
    const kept = await Promise.all(names.map(async name => (await caches.open(name)).keys()));
    return kept.flat().map(request => new URL(request.url).pathname);
}"""
# The browser may close a notification at once: the worker itself notes what it has shown.
NOTING = """() => {
    self.noted = [];
    const show = registration.showNotification.bind(registration);
    registration.showNotification = async (title, { body, tag, data }) => {
        await show(title, { body, tag, data });
        self.noted.push({ title, body, tag, ...data });
    };
}"""
NOTED = """async tries => {
    for (let i = 0; i < tries && noted.length === 0; i++) {
        await new Promise(next => setTimeout(next, 50));
    }
    return noted;
}"""
TRIES = SOON * 20  # one each 50 milliseconds


def with_worker(page: Page) -> None:
    """Wait until the service worker answers for the page."""
    page.wait_for_function(IS_READY)


def kill_unasked(server: ServerProcess, page: Page) -> None:
    """End the server while no page asks it for anything."""
    page.goto("about:blank")
    kill(server)


def visit_without_server(page: Page, url: str) -> None:
    """Open a page, and wait until it has asked once more for the server."""
    with page.expect_console_message(lambda message: UNREACHABLE in message.text):
        page.goto(url)


@pytest.mark.parametrize("screen", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.full)])
def test_a_page_says_that_it_is_offline_and_comes_back(
    servers: list[ServerProcess], new_page: NewPage, faults: Faults, screen: Screen
) -> None:
    page = new_page(screen)
    page.goto(servers[0].url)
    with_worker(page)
    port = str(urlsplit(servers[0].url).port)
    kill_unasked(servers[0], page)
    faults.expect(UNREACHABLE)
    visit_without_server(page, f"{servers[0].url}/account")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    servers.append(start(servers[0].folder, RUBICON_PORT=port))
    expect(page.get_by_role("heading", name="This device")).to_be_visible()
    expect(page).to_have_url(f"{servers[0].url}/account")


def test_the_offline_page_speaks_german(
    servers: list[ServerProcess], new_page: NewPage, faults: Faults
) -> None:
    page = new_page(DESKTOP, locale="de-DE")
    page.goto(servers[0].url)
    with_worker(page)
    kill_unasked(servers[0], page)
    faults.expect(UNREACHABLE)
    visit_without_server(page, f"{servers[0].url}/new")
    expect(page.get_by_role("heading", name="Du bist offline")).to_be_visible()
    servers.append(start(servers[0].folder))


def test_the_worker_keeps_the_apps_own_files_alone(
    visitor: Visitor, guest: Guest, open_game: OpenGame
) -> None:
    ann = guest("Ann")
    person = visitor(ann)
    person.visit("/")
    with_worker(person.page)
    person.open_game(open_game(ann, bots=2, options=DEALT).id)
    person.wait()
    kept = person.page.evaluate(KEPT)
    own = ("/assets/", "/offline.", "/theme.js", "/icon.svg")
    assert [path for path in kept if not path.startswith(own)] == []
    assert "/offline.html" in kept
    assert any(path.endswith(".woff2") for path in kept)


def test_a_push_message_becomes_a_notification_of_its_game(
    visitor: Visitor, guest: Guest, open_game: OpenGame
) -> None:
    ann = guest("Ann")
    game = open_game(ann, bots=2, options=DEALT).id
    person = visitor(ann)
    page = person.page
    page.context.grant_permissions(["notifications"], origin=person.url)
    session = page.context.new_cdp_session(page)
    registrations: list[dict[str, str]] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    person.visit("/")
    with_worker(page)
    worker = page.context.service_workers[-1]
    worker.evaluate(NOTING)
    message = f'{{"kind": "decision", "game": "{game}", "title": "Sunday table"}}'
    push = {"origin": person.url, "registrationId": registrations[-1]["registrationId"]}
    session.send("ServiceWorker.deliverPushMessage", push | {"data": message})
    shown = {"title": "It is your turn", "body": "Sunday table", "tag": game}
    assert worker.evaluate(NOTED, TRIES) == [shown | {"address": f"/games/{game}"}]


def test_without_a_secure_address_the_account_page_explains(
    servers: list[ServerProcess], new_page: NewPage
) -> None:
    with servers[0].client("Ann") as ann:
        page = new_page()
        url = servers[0].url.replace("127.0.0.1", "play.example")
        page.context.add_cookies([{"name": "rubicon", "value": ann.token, "url": url}])
        page.goto(f"{url}/account")
        expect(page.get_by_text("Notifications need a secure address")).to_be_visible()
        assert page.evaluate("'serviceWorker' in navigator") is False


def test_this_device_can_be_told(visitor: Visitor, guest: Guest) -> None:
    person = visitor(guest("Ann"))
    page = person.page
    page.context.grant_permissions(["notifications"], origin=person.url)
    page.add_init_script(SUBSCRIBED)
    person.visit("/account")
    switch = page.get_by_role("switch", name="Tell me when it is my turn")
    switch.check(force=True)
    expect(page.get_by_role("button", name="Remove Chrome, Linux")).to_be_visible()
    assert [device["label"] for device in person.ask("/me/push")] == ["Chrome, Linux"]
    expect(switch).to_be_checked()
    switch.uncheck(force=True)
    expect(page.get_by_role("button", name="Remove Chrome, Linux")).to_have_count(0)
    assert person.ask("/me/push") == []


# The browser's own notification service is a foreign host: the keys are those of RFC 8291.
SUBSCRIBED = """
let subscribed = null;
const keys = {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6"
        + "-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
};
PushManager.prototype.getSubscription = async () => subscribed;
PushManager.prototype.subscribe = async () => (subscribed = {
    toJSON: () => ({ endpoint: "https://push.example.org/device", keys }),
    unsubscribe: async () => { subscribed = null; return true; },
});
"""
