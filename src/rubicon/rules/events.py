"""Events: what has happened in a game, for people and programs; no rule depends on them.

`rules.event_diff` makes them from the positions before and after. An event may hold what some
seats may not know: `seen_by` gives what a seat or a spectator may see of it, and nothing else may
leave a game.

The classes are the format: `event_json` writes an event as it is stored and sent, `read_event`
reads it back.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from rubicon.rules.actions import Dice, Roll
from rubicon.rules.ruleset.ruleset import Ruleset
from rubicon.wording import snake_case


class GameEvent(msgspec.Struct, frozen=True, tag_field="event", tag=snake_case):
    """The base of all events. In JSON `event` names the class: `turn_began` is a `TurnBegan`."""


class Decided(GameEvent, frozen=True):
    """A decision was taken; `action` is the action's text.

    Of a secret decision the other seats see `shown`, or nothing if it is None.
    """

    seat: str
    action: str
    secret: bool = False
    shown: str | None = None

    def __str__(self) -> str:
        return f"{self.seat}: {self.action}"


class FirstDice(GameEvent, frozen=True):
    """The dice that decide who begins."""

    seats: tuple[str, ...]
    dice: Dice

    def __str__(self) -> str:
        rolls = zip(self.seats, self.dice.faces, strict=True)
        return "first dice: " + ", ".join(f"{seat} {face}" for seat, face in rolls)


class Begins(GameEvent, frozen=True):
    """The seat that places first, or that takes turn 1."""

    seat: str

    def __str__(self) -> str:
        return f"{self.seat} begins"


class Dealt(GameEvent, frozen=True):
    """The set-up dealt something; `thing` is None where the reader may not know it."""

    what: str
    thing: str | None
    to: str
    secret: bool = False

    def __str__(self) -> str:
        return f"{self.what} {self.thing or 'face down'} to {self.to}"


class Rolled(GameEvent, frozen=True):
    """One roll and the armies that both sides lost (S002-11).

    `roll` is None for a reader who is not shown the dice. `winners` has `attacker` or `defender`
    for each pair of dice that was compared, the highest dice first. The armies are those of both
    territories before the roll.
    """

    attacker: str
    defender: str
    source: str
    target: str
    roll: Roll | None
    attacker_lost: int
    defender_lost: int
    winners: tuple[str, ...] = ()
    attacker_armies: int = 0
    defender_armies: int = 0

    def __str__(self) -> str:
        dice = "" if self.roll is None else f" {self.roll};"
        return (
            f"{self.attacker} {self.source} -> {self.target} {self.defender}:{dice} "
            f"{self.attacker} loses {self.attacker_lost}, {self.defender} {self.defender_lost}"
        )


class Captured(GameEvent, frozen=True):
    """A territory was taken."""

    seat: str
    territory: str
    before: str

    def __str__(self) -> str:
        return f"{self.seat} captures {self.territory} from {self.before}"


class Eliminated(GameEvent, frozen=True):
    """A seat lost its last army (S000-20)."""

    seat: str
    by: str

    def __str__(self) -> str:
        return f"{self.seat} is eliminated by {self.by}"


class SpoilsTaken(GameEvent, frozen=True):
    """The victor took an eliminated seat's cards, and objectives where there are any."""

    seat: str
    victim: str
    cards: tuple[str, ...]
    objectives: tuple[str, ...]
    secret: bool = False
    count: int = 0

    def __str__(self) -> str:
        cards = " ".join(self.cards) if self.cards else str(self.count)
        objectives = f", objectives {' '.join(self.objectives)}" if self.objectives else ""
        return f"{self.seat} takes cards of {self.victim}: {cards}{objectives}"


class Drew(GameEvent, frozen=True):
    """A card was drawn; `card` is None where the reader may not know it."""

    seat: str
    card: str | None

    def __str__(self) -> str:
        return f"{self.seat} draws {self.card or 'a card'}"


class Traded(GameEvent, frozen=True):
    """Cards were traded for armies; `bonus` names the territories that received two more."""

    seat: str
    cards: tuple[str, ...]
    armies: int
    bonus: tuple[str, ...]

    def __str__(self) -> str:
        bonus = f" and 2 on {' and '.join(self.bonus)}" if self.bonus else ""
        return f"{self.seat} trades {' '.join(self.cards)} for {self.armies} armies{bonus}"


class Awarded(GameEvent, frozen=True):
    """The armies of a turn, item by item (S002-14, rulebook 5.4)."""

    seat: str
    territories: int
    continents: int
    capitals: int
    rewards: int

    @property
    def total(self) -> int:
        return self.territories + self.continents + self.capitals + self.rewards

    def __str__(self) -> str:
        items = [f"territories {self.territories}", f"continents {self.continents}"]
        items += [f"capitals {self.capitals}"] if self.capitals else []
        items += [f"rewards {self.rewards}"] if self.rewards else []
        return f"{self.seat} receives {self.total} armies: {', '.join(items)}"


class Received(GameEvent, frozen=True):
    """The armies of a turn in all, for a reader who does not see them item by item."""

    seat: str
    armies: int

    def __str__(self) -> str:
        return f"{self.seat} receives {self.armies} armies"


class Discarded(GameEvent, frozen=True):
    """Armies above the cap were lost (`army_cap`)."""

    territory: str
    armies: int

    def __str__(self) -> str:
        return f"{self.armies} armies above the cap are lost on {self.territory}"


class TurnBegan(GameEvent, frozen=True):
    seat: str
    round: int

    def __str__(self) -> str:
        return f"round {self.round}: {self.seat} to move"


class MissionShown(GameEvent, frozen=True):
    seat: str
    mission: str

    def __str__(self) -> str:
        return f"{self.seat} shows mission {self.mission}"


class Won(GameEvent, frozen=True):
    """The game is over; `seat` is None for a draw."""

    seat: str | None

    def __str__(self) -> str:
        return f"{self.seat} wins" if self.seat else "the game is drawn"


Event = (
    Decided
    | FirstDice
    | Begins
    | Dealt
    | Rolled
    | Captured
    | Eliminated
    | SpoilsTaken
    | Drew
    | Traded
    | Awarded
    | Received
    | Discarded
    | TurnBegan
    | MissionShown
    | Won
)


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Event).decode
_HEAD = b'{"kind":"event","version":1,'


def event_json(event: Event) -> str:
    """An event as JSON: kind, version, the fields in their order, and its plain `text`.

    Games are stored with exactly these bytes, and an audit compares them, so a field may only be
    added where old events can be written without it.
    """
    # The tagged union writes `event` first; readers of the API know `kind` before it.
    fields, text = _encode(event), _encode(str(event))
    return b"".join((_HEAD, fields[1:-1], b',"text":', text, b"}")).decode()


def read_event(text: str | bytes) -> Event:
    """The event of what `event_json` wrote; msgspec.ValidationError where it is none.

    Fields that no event has, such as those of a later version, are passed over.
    """
    event: Event = _decode(text)
    return event


def event_name(event: Event) -> str:
    """The name of an event's class in JSON, such as `turn_began`."""
    return str(event.__struct_config__.tag)


def seen_by(event: Event, seat: str | None, ruleset: Ruleset) -> Event | None:
    """What a seat, or a spectator (None), may see of an event; None where it may see nothing."""
    match event:
        case Decided(owner, _, True, shown) if owner != seat:
            return None if shown is None else Decided(owner, shown)
        # That a card was drawn or dealt is seen by all at a table: only which one is hidden.
        case Drew(owner, _) if owner != seat and not _open_hands(ruleset):
            return replace(event, card=None)
        case Dealt("mission", _, owner, True) if owner != seat:
            return replace(event, thing=None)
        case Dealt("card", _, owner, True) if owner != seat and not _open_hands(ruleset):
            return replace(event, thing=None)
        # The eliminated player knows what was in the hand; the number of cards is open.
        case SpoilsTaken(owner, victim, _, _, True) if seat not in (owner, victim):
            return replace(event, cards=(), secret=False)
        # Losses are seen on the board. `winners` would say more of the dice than they do.
        case Rolled() if not sees_dice(event, seat, ruleset):
            return replace(event, roll=None, winners=())
        case Awarded(owner) if not sees_items(owner, seat, ruleset):
            return Received(owner, event.total)
        case _:
            return event


def sees_dice(roll: Rolled, seat: str | None, ruleset: Ruleset) -> bool:
    """Whether the dice of a roll are shown to a seat, or to a spectator (`dice.recipients`).

    The public log is open to all readers, and dice that all players see are no secret from
    spectators either (A-30). `gm` is the host, who reads the game's record.
    """
    recipients = ruleset.options["dice.recipients"]
    assert isinstance(recipients, tuple)
    if "all_seats" in recipients or "public_log" in recipients:
        return True
    is_attacker = seat == roll.attacker and "attacker" in recipients
    is_defender = seat == roll.defender and "defender" in recipients
    return is_attacker or is_defender


def sees_items(owner: str, seat: str | None, ruleset: Ruleset) -> bool:
    """Whether a reader sees the armies of the owner's turn item by item (`gm.notices`).

    The owner always does; the others see only the total without the notices of S002-14.
    """
    return seat == owner or ruleset.options["gm.notices"] is True


def _open_hands(ruleset: Ruleset) -> bool:
    return ruleset.options["cards.visibility"] == "public"
