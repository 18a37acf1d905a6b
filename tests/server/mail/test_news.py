"""News of awards and dice: who gets it, at once or in a digest, and never twice."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlalchemy import delete, func, insert, select

from rubicon.engine.warmup import warm
from rubicon.rules.actions import Roll
from rubicon.rules.events import Drew, Eliminated, Rolled
from rubicon.rules.game import Game
from rubicon.server.news import SPREAD_BATCH, NewsEmail, due_news
from rubicon.server.notifications import News
from rubicon.server.outbox import Channel
from rubicon.table.admin.audit import verify_store
from rubicon.table.commands.submit import take_out_of_turn
from rubicon.table.notices import facts_json
from rubicon.table.settings import Clock, Settings
from rubicon.table.storage import schema
from rubicon.table.storage.database import Store, migrate
from rubicon.table.storage.event_log import seal_seats
from tests.server.mail.mailing import DAY, HOUR, MINUTE, MailFixture, mail_fixture, swept
from tests.table.hosted import SOON, Hosted

MAIL = Settings(clock=Clock.DAYS)


@pytest.fixture
def anywhere(store: Store) -> Iterator[MailFixture]:
    """On both databases."""
    warm()
    with mail_fixture(store) as made:
        yield made


@pytest.fixture
def home(tmp_path: Path) -> Iterator[MailFixture]:
    warm()
    store = Store.open(f"sqlite:///{tmp_path}/news.db")
    migrate(store)
    with mail_fixture(store) as made:
        yield made
    store.close()


def attack_begins(home: MailFixture, preset: str = "email") -> Hosted:
    """A game in the first turn, with all e-mails sent that tell of it so far."""
    game = home.begin(preset=preset, settings=MAIL)
    game.play(until="attack")
    home.sweep_later()
    home.news()
    home.store.write(lambda c: c.execute(delete(schema.news)).rowcount).result(SOON)
    home.mailbox.messages.clear()
    for seat in game.snapshot.game().colours:
        prefer(home, seat)
    return game


def owner(state: Game, territory: str) -> str:
    """The seat that owns a territory, or what the rules call it."""
    return state.owner_name(int(state.position.owner[state.territories.index(territory)]))


def attacks(game: Hosted) -> tuple[str, str, str]:
    """Let the mover attack another player from most armies; the two seats and a third one.

    A territory that was captured before is occupied first: the dice are real ones.
    """
    state = game.snapshot.game()
    while state.phase.name == "OCCUPY":
        game.submit(str(state.legal[0]))
        state = game.snapshot.game()
    seats = set(state.colours)
    armies = dict(zip(state.territories, state.position.armies, strict=False))
    actions = [str(action) for action in state.legal if str(action).startswith("attack")]
    found = [action for action in actions if owner(state, action.split()[3]) in seats]
    attack = max(found, key=lambda action: armies[action.split()[1]])
    (attacker, _), defender = game.mover(), owner(state, attack.split()[3])
    game.submit(attack)
    (other,) = seats - {attacker, defender}
    return attacker, defender, other


def end_turn(game: Hosted) -> str:
    """Let the mover end the turn without another attack; the seat that is next."""
    seat, _ = game.mover()
    while game.mover()[0] == seat:
        legal = [str(action) for action in game.snapshot.game().legal]
        ends = [action for action in legal if not action.startswith(("attack", "fortify"))]
        game.submit(ends[0])
    return game.mover()[0]


def prefer(home: MailFixture, seat: str, **values: object) -> None:
    """Set preferences; the digest is sent half a day from now."""
    hour = (datetime.now(UTC).hour + 12) % 24
    settings = json.dumps({"digest_hour": hour, **values})
    home.update_account(f"abcdefghij-{seat}", settings=settings)


def waiting(home: MailFixture) -> int:
    counted = select(func.count()).select_from(schema.news)
    return home.store.read(lambda connection: int(connection.execute(counted).scalar_one()))


def rolls_in(message: EmailMessage) -> int:
    """How many rolls an e-mail shows."""
    plain = message.get_body(("plain",))
    assert plain is not None
    return len(re.findall(r"\b[1-6](?: [1-6])* v [1-6]\b", plain.get_content()))


def seat_of(message: EmailMessage) -> str:
    return str(message["To"]).partition("@")[0]


def test_the_defender_is_told_at_once_and_the_others_in_a_digest(anywhere: MailFixture) -> None:
    game = attack_begins(anywhere)
    attacker, defender, other = attacks(game)
    (message,) = anywhere.news()
    assert seat_of(message) == defender
    assert str(message["Subject"]).startswith(f"Dice: {attacker.title()} ")
    assert rolls_in(message) == 1
    assert anywhere.news(HOUR) == []
    (digest,) = anywhere.news(DAY)
    assert seat_of(digest) == other
    assert rolls_in(digest) == 1
    assert anywhere.news(DAY) == []
    assert waiting(anywhere) == 0
    anywhere.store.write(lambda c: seal_seats(c, [game.game])).result(SOON)
    assert verify_store(anywhere.store).damaged == {}


def test_the_rolls_of_one_attack_are_one_email(home: MailFixture) -> None:
    game = attack_begins(home)
    seats = {attacks(game)[1] for _ in range(2)}
    messages = home.news()
    assert {seat_of(message) for message in messages} == seats
    assert len(messages) == len(seats)
    assert sum(map(rolls_in, messages)) >= 2


def test_news_is_told_at_once_to_who_asks_for_it(home: MailFixture) -> None:
    game = attack_begins(home)
    for seat in game.snapshot.game().colours:
        prefer(home, seat, dice_of_others="at-once")
    _, defender, other = attacks(game)
    assert {seat_of(message) for message in home.news()} == {defender, other}


def test_dice_of_others_are_never_told_to_who_wants_none(home: MailFixture) -> None:
    game = attack_begins(home)
    for seat in game.snapshot.game().colours:
        prefer(home, seat, dice_of_others="never")
    _, defender, _ = attacks(game)
    assert [seat_of(message) for message in home.news(DAY)] == [defender]


def test_all_others_are_told_of_the_armies_of_a_turn(home: MailFixture) -> None:
    game = attack_begins(home)
    mover = end_turn(game)
    messages = home.news()
    others = set(game.snapshot.game().colours) - {mover}
    assert {seat_of(message) for message in messages} == others
    assert all(f"{mover.title()} receives" in message["Subject"] for message in messages)


def resign(game: Hosted, seat: str) -> None:
    game.table.change(
        game.game, lambda unit: take_out_of_turn(unit, seat, f"resign {seat}")
    ).result(SOON)


def test_who_has_resigned_is_told_nothing_more(home: MailFixture) -> None:
    game = attack_begins(home)
    (mover, _) = game.mover()
    gone, other = sorted({*game.snapshot.game().colours} - {mover})
    resign(game, gone)
    assert end_turn(game) == other
    assert {seat_of(message) for message in home.news(DAY)} == {mover}
    assert waiting(home) == 0


def test_who_has_resigned_gets_the_digest_that_they_chose(home: MailFixture) -> None:
    game = attack_begins(home)
    (mover, _) = game.mover()
    gone, _ = sorted({*game.snapshot.game().colours} - {mover})
    prefer(home, gone, awards="digest")
    resign(game, gone)
    end_turn(game)
    assert gone in {seat_of(message) for message in home.news(DAY)}


def test_the_last_battle_is_told_to_who_is_out_by_it(home: MailFixture) -> None:
    game = attack_begins(home)
    (mover, _) = game.mover()
    gone, _ = sorted({*game.snapshot.game().colours} - {mover})
    at = game.snapshot.head
    resign(game, gone)
    places = game.snapshot.game().territories
    roll = Rolled(mover, gone, places[0], places[1], Roll((6,), (5,)), 0, 1)
    facts = facts_json([roll, Eliminated(gone, mover)])
    row = {"game": game.game, "log_index": at, "seat": "*", "kind": "events"}
    row |= {"body": facts, "sent": 0, "at": home.store.read(home.clock)}
    home.store.write(lambda c: c.execute(insert(schema.notification), row).rowcount).result(SOON)
    (message,) = [each for each in home.news() if seat_of(each) == gone]
    assert rolls_in(message) == 1
    assert "You are out of the game." in str(message.get_body(("plain",)))


def test_an_email_of_a_decision_makes_waiting_news_needless(home: MailFixture) -> None:
    game = attack_begins(home)
    attacks(game)
    mover = end_turn(game)
    home.clock.pass_by(2 * MINUTE)
    home.news(0)
    told = home.sweep()
    assert mover in {seat_of(message) for message in told}
    assert mover not in {seat_of(message) for message in home.news(DAY)}


def test_news_of_what_a_player_has_seen_is_not_sent(home: MailFixture) -> None:
    game = attack_begins(home)
    home.update_account("abcdefghij-red", email=None)
    attacks(game)
    mover = end_turn(game)
    first, *_ = map(str, game.snapshot.game().legal)
    game.submit(first)
    messages = home.news()
    assert mover not in {seat_of(message) for message in messages}


def test_quiet_hours_keep_news_and_decisions_back(home: MailFixture) -> None:
    game = attack_begins(home)
    at = home.store.read(home.clock)
    for seat in game.snapshot.game().colours:
        prefer(home, seat, quiet_from=clock_time(at), quiet_until=clock_time(at + 3 * HOUR))
    _, defender, _ = attacks(game)
    end_turn(game)
    assert home.news() == home.sweep_later() == []
    home.clock.pass_by(3 * HOUR)
    messages = home.news(0) + home.sweep() + home.news(0)  # the decision first, whoever sweeps
    told = [seat_of(message) for message in messages]
    assert {defender, game.mover()[0]} <= set(told)
    assert told.count(game.mover()[0]) == 1


def test_a_deadline_before_the_end_of_quiet_hours_is_told(home: MailFixture) -> None:
    settings = Settings(clock=Clock.DAYS, decision_time=3600, bank=0)
    game = home.begin(settings=settings)
    at = home.store.read(home.clock)
    for seat in game.snapshot.game().colours:
        prefer(home, seat, quiet_from=clock_time(at), quiet_until=clock_time(at + 3 * HOUR))
    assert len(home.sweep_later()) == 1


def clock_time(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%H:%M}"


@pytest.mark.parametrize(
    ("preset", "clock", "bots"),
    [("classic", Clock.DAYS, 0), ("email", Clock.LIVE, 0)],
)
def test_no_news_where_the_table_does_not_ask_for_it(
    home: MailFixture, preset: str, clock: Clock, bots: int
) -> None:
    game = home.begin(preset=preset, settings=Settings(clock=clock))
    game.play(40)
    events = select(schema.notification.c.sent).where(schema.notification.c.kind == "events")
    assert set(home.store.read(lambda c: c.execute(events).scalars().all())) == {None}
    assert home.news(2 * DAY) == []


def test_failed_news_is_tried_again_with_the_same_text_and_id(anywhere: MailFixture) -> None:
    game = attack_begins(anywhere)
    anywhere.mailbox.refuse()
    _, defender, _ = attacks(game)
    assert anywhere.news() == []
    (tried,) = anywhere.mailbox.tried[-1:]
    attacks(game)
    anywhere.mailbox.fails = None
    messages = [m for m in anywhere.news(HOUR) if seat_of(m) == defender]
    again = next(m for m in messages if m["Message-ID"] == tried["Message-ID"])
    assert rolls_in(again) == rolls_in(tried) == 1
    assert all(m["Message-ID"] != tried["Message-ID"] for m in messages if m is not again)


def test_what_one_seat_may_know_goes_to_no_other(home: MailFixture) -> None:
    game = attack_begins(home)
    roll = Rolled("red", "blue", "alaska", "kamchatka", None, 0, 1)
    drawn = Drew("green", "skerry")
    at = game.snapshot.head
    row = {"game": game.game, "log_index": at, "seat": "green"}
    row |= {"kind": "events", "body": facts_json([roll, drawn]), "sent": 0}
    row |= {"at": home.store.read(home.clock)}
    home.store.write(lambda c: c.execute(insert(schema.notification), row).rowcount).result(SOON)
    swept(home.outbox, Channel.NEWS)
    later = home.store.read(home.clock) + DAY
    (email,) = home.store.read(lambda c: due_news(c, later, 10))
    assert isinstance(email, NewsEmail)
    assert (email.pending.seat, email.pending.kind) == ("green", "digest")
    assert email.pending.body == News((roll, drawn), at, at)


def test_two_servers_send_each_news_once(anywhere: MailFixture) -> None:
    game = attack_begins(anywhere)
    attacks(game)
    anywhere.news(0)
    anywhere.clock.pass_by(2 * MINUTE)
    others = [anywhere.another() for _ in range(2)]
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda outbox: swept(outbox, Channel.NEWS), others))
    for outbox in others:
        outbox.close()
    assert len(anywhere.mailbox.messages) == 1


def test_events_that_cannot_be_read_keep_no_others_back(home: MailFixture) -> None:
    game = attack_begins(home)
    row = {"game": game.game, "log_index": game.snapshot.head, "seat": "*", "kind": "events"}
    row |= {"body": "{}", "sent": 0, "at": home.store.read(home.clock)}
    home.store.write(lambda c: c.execute(insert(schema.notification), row).rowcount).result(SOON)
    _, defender, _ = attacks(game)
    assert [seat_of(message) for message in home.news()] == [defender]
    assert home.waiting() == 0


def test_news_that_became_unreadable_keeps_no_other_back(home: MailFixture) -> None:
    game = attack_begins(home)
    for seat in game.snapshot.game().colours:
        prefer(home, seat, dice_of_others="at-once")
    attacks(game)
    swept(home.outbox, Channel.NEWS)
    home.damage(schema.notification.c.kind == "events", body="{}")
    # Later than the damage, so that it is another e-mail: of armies, not of dice.
    mover = end_turn(game)
    told = {seat_of(message) for message in home.news()}
    assert told == set(game.snapshot.game().colours) - {mover}


def test_preferences_that_cannot_be_read_end_the_news_of_their_account_alone(
    home: MailFixture,
) -> None:
    game = attack_begins(home)
    for seat in game.snapshot.game().colours:
        prefer(home, seat, dice_of_others="at-once")
    mover, _ = game.mover()
    broken, _ = sorted({*game.snapshot.game().colours} - {mover})
    prefer(home, broken, dice_of_others="sometimes")
    _, defender, other = attacks(game)
    assert {seat_of(message) for message in home.news()} == {defender, other} - {broken}


def happened(home: MailFixture, game: Hosted, count: int) -> None:
    """Let notifications of events wait, as on a busy server."""
    row = {"game": game.game, "log_index": game.snapshot.head, "seat": "*", "kind": "events"}
    row |= {"body": "[]", "sent": 0, "at": home.store.read(home.clock)}
    rows = [row] * count
    home.store.write(lambda c: c.execute(insert(schema.notification), rows).rowcount).result(SOON)


def test_news_is_sent_in_the_sweep_that_spreads_new_events(home: MailFixture) -> None:
    game = attack_begins(home)
    _, defender, _ = attacks(game)
    assert not swept(home.outbox, Channel.NEWS)
    home.clock.pass_by(2 * MINUTE)
    happened(home, game, 1)
    assert not swept(home.outbox, Channel.NEWS)
    assert [seat_of(message) for message in home.mailbox.messages] == [defender]


def test_a_full_batch_of_events_is_spread_before_more_news_is_sent(home: MailFixture) -> None:
    game = attack_begins(home)
    happened(home, game, SPREAD_BATCH + 1)
    assert home.waiting() == SPREAD_BATCH + 1
    assert swept(home.outbox, Channel.NEWS)
    assert home.waiting() == 1
    assert not swept(home.outbox, Channel.NEWS)
    assert home.waiting() == 0
