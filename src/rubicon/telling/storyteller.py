"""Events in sentences, as one reader names the seats and the places of a game.

Everything that people read about what has happened comes from here. The `text` of an event in
records and in the API is no sentence but the notation of the event, with ids
(`rubicon.rules.events`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rubicon.rules.actions import Roll
from rubicon.rules.events import (
    Awarded,
    Begins,
    Captured,
    Dealt,
    Decided,
    Discarded,
    Drew,
    Eliminated,
    Event,
    FirstDice,
    MissionShown,
    Received,
    Rolled,
    SpoilsTaken,
    Traded,
    TurnBegan,
    Won,
)
from rubicon.rules.notation.actions import WILD_IDS
from rubicon.telling.phrases import Names
from rubicon.telling.turns import BattleRolls, TurnEvents

END = "; "  # between the parts of one turn
OWN_DECISIONS = ("claim", "capital", "fortify", "objective", "resign")
ANNOUNCE = "ANNOUNCE "
# Results without a winner: by the rules, by a vote, or of a game that was closed.
DRAW, AGREED, VOID = "draw", "agreed draw", "void"
ADVISED = "you"  # a colour that no game has


@dataclass(frozen=True, slots=True)
class Storyteller:
    """Tells one reader what happens; sentences have no full stop."""

    names: Names

    def sentence(self, event: Event) -> str:
        """One event."""
        said = self.names.phrases
        match event:
            case TurnBegan(seat, round_number):
                return said.sentence("turn", round=round_number, who=self.names.name(seat))
            case FirstDice(seats, dice):
                rolled = zip(seats, dice.faces, strict=True)
                each = (
                    said.sentence("first die", who=self.names.name(s), face=f) for s, f in rolled
                )
                return said.sentence("first dice", dice=", ".join(each))
            case Dealt(what, thing, to):
                shown = said.sentences["face down"] if thing is None else self.names.place(thing)
                return said.sentence("dealt", what=what, thing=shown, who=self.names.name(to))
            case Discarded(territory, armies):
                place = self.names.place(territory)
                return said.sentence("discarded", armies=self.armies(armies), place=place)
            case Won(None):
                return said.sentences["draw"]
            case Rolled():
                return self.roll(event)
            case Decided(seat, action):
                return self.decision(seat, action)
            case Eliminated(_, by):
                return self._with_subject(by, self.predicate_of(event))
        return self._with_subject(str(getattr(event, "seat", "")), self.predicate_of(event))

    def _with_subject(self, seat: str, predicate: str) -> str:
        """A predicate with its subject."""
        return self.names.phrases.sentence(
            "subject", who=self.names.subject(seat), predicate=predicate
        )

    def predicate(self, seat: str, key: str, **words: object) -> str:
        """A predicate of the table of phrases, in the person of a seat: `is back`."""
        second_person = seat == self.names.you != ""
        return self.names.phrases.predicate(key, second_person=second_person, **words)

    def statement(self, seat: str, key: str, **words: object) -> str:
        """The same with its subject: `Otto is back`."""
        return self._with_subject(seat, self.predicate(seat, key, **words))

    def armies(self, number: int) -> str:
        """`1 army`, `no army`, `2,000 armies`."""
        said = self.names.phrases
        return said.counted(number, "army") if number else said.sentences["no armies"]

    def predicate_of(self, event: Event) -> str:
        """What the seat of an event did: `draws a card`; "" for an event without such a seat."""
        names, said = self.names, self.names.phrases
        match event:
            case Begins(seat):
                return self.predicate(seat, "begins")
            case Captured(seat):
                return self.predicate(seat, "takes", places=self._from(event))
            case Eliminated(seat, by):
                return self.predicate(by, "eliminates", victim=names.name(seat))
            case SpoilsTaken(seat, victim, cards, objectives, count=count):
                # A reader who may not see the cards knows how many they are.
                shown = [*map(names.card, cards)] or [said.counted(count, "card")]
                taken = said.listed([*shown, *objectives])
                return self.predicate(seat, "spoils", victim=names.name(victim), cards=taken)
            case Drew(seat, None):
                return self.predicate(seat, "draws")
            case Drew(seat, card):
                wild = card in WILD_IDS and card not in names.places
                key = "draws wild" if wild else "draws card"
                return self.predicate(seat, key, card=names.card(str(card)))
            case Traded(seat, cards, armies, bonus):
                places = said.listed([*map(names.place, bonus)])
                key = "trades bonus" if bonus else "trades"
                traded = self._cards(cards)
                return self.predicate(
                    seat, key, cards=traded, armies=self.armies(armies), places=places
                )
            case Awarded(seat):
                # The two that every award rests on are named even where they are 0.
                items = [
                    said.sentence(item, n=getattr(event, item))
                    for item in ("territories", "continents", "capitals", "rewards")
                    if getattr(event, item) or item in ("territories", "continents")
                ]
                total = self.armies(event.total)
                return self.predicate(seat, "receives items", armies=total, items=", ".join(items))
            case Received(seat, armies):
                return self.predicate(seat, "receives", armies=self.armies(armies))
            case MissionShown(seat, mission):
                return self.predicate(seat, "shows mission", mission=mission)
            case Won(str(seat)):
                return self.predicate(seat, "wins")
            case Decided(seat, action):
                return self.predicate_of_decision(seat, action)
        return ""

    def decision(self, seat: str, action: str, place: str = "") -> str:
        """A decision; `action` is its notation, `place` where armies move in, by its name.

        A decision that no phrase has is shown in its notation.
        """
        phrase = self.predicate_of_decision(seat, action, place)
        if not phrase:
            return f"{self.names.subject(seat)}: {action}"
        return self._with_subject(seat, phrase)

    def advice(self, action: str) -> str:
        """A decision that the reader could take: `attack Peru from Chile`."""
        # In the second person, without the "you": in English that is the imperative.
        advised = Storyteller(replace(self.names, you=ADVISED))
        return advised.predicate_of_decision(ADVISED, action) or action

    def predicate_of_decision(self, seat: str, action: str, place: str = "") -> str:
        """What a decision does: `places 3 armies on Peru`; "" where no phrase has it."""
        name = self.names.place
        match action.split(" "):
            case "claim" | "capital" as verb, territory:
                return self.predicate(seat, verb, place=name(territory))
            case "place", territory, armies:
                return self.placed(seat, [(territory, int(armies))])
            case "fortify", source, "->", target, armies:
                moved = self.armies(int(armies))
                return self.predicate(
                    seat, "fortify", armies=moved, source=name(source), target=name(target)
                )
            case "attack", source, "->", target, *_:
                return self.predicate(seat, "attack", source=name(source), target=name(target))
            case "occupy", armies:
                key = "occupy" if place else "occupy unnamed"
                return self.predicate(seat, key, armies=self.armies(int(armies)), place=place)
            case "trade", *cards:
                # After `on` comes the territory that gets the bonus.
                chosen = cards[:-2] if cards[-2:-1] == ["on"] else cards
                return self.predicate(seat, "trade", cards=self._cards(chosen))
            case "objective", objective, "airfield", territory:
                return self.predicate(seat, "airfield", objective=objective, place=name(territory))
            case "objective", objective:
                return self.predicate(seat, "objective", objective=objective)
            case "end", "attack":
                return self.predicate(seat, "end attack")
            case "end", phase:
                return self.predicate(seat, "end", phase=phase)
            case "resign" | "reveal" as verb, _:
                return self.predicate(seat, verb)
        return ""

    def placed(self, seat: str, places: Iterable[tuple[str, int]]) -> str:
        """Placements: `places 3 armies on Peru and 2 armies on Chile`."""
        said = self.names.phrases
        each = [
            said.sentence("on", armies=self.armies(n), place=self.names.place(t)) for t, n in places
        ]
        return self.predicate(seat, "place", armies=said.listed(each))

    def _cards(self, cards: Sequence[str]) -> str:
        said = self.names.phrases
        return said.listed([*map(self.names.card, cards)]) or said.sentences["cards"]

    # Turns and battles.

    def turn(self, turn: TurnEvents) -> str:
        """What a seat did in a turn, without its dice and without its name; "" for nothing.

        Placements side by side are one part, and so are captures.
        """
        return END.join(self._parts(turn))

    def _parts(self, turn: TurnEvents) -> Iterator[str]:
        gathered: list[Event] = []
        for event in turn.events:
            kind = _gathered_as(turn.seat, event)
            told = kind is not None or bool(self._of_turn(turn.seat, event))
            if gathered and told and kind is not type(gathered[0]):
                yield self._together(turn.seat, gathered)
                gathered = []
            if kind is not None:
                gathered.append(event)
            elif part := self._of_turn(turn.seat, event):
                yield part
        if gathered:
            yield self._together(turn.seat, gathered)

    def _together(self, seat: str, events: Sequence[Event]) -> str:
        """Placements, or captures, in one part."""
        placed: dict[str, int] = {}
        taken = []
        for event in events:
            if isinstance(event, Captured):
                taken.append(self._from(event))
            elif isinstance(event, Decided):
                _, territory, armies = event.action.split(" ")
                placed[territory] = placed.get(territory, 0) + int(armies)
        if taken:
            return self.predicate(seat, "takes", places=self.names.phrases.listed(taken))
        return self.placed(seat, placed.items())

    def _from(self, event: Captured) -> str:
        place, victim = self.names.place(event.territory), self.names.name(event.before)
        return self.names.phrases.sentence("from", place=place, victim=victim)

    def _of_turn(self, seat: str, event: Event) -> str:
        """The part of an event in the sentence of a turn; "" where what follows says it."""
        match event:
            case Decided(own, action) if own == seat and action.split(" ")[0] in OWN_DECISIONS:
                return self.predicate_of_decision(seat, action)
            case Traded() | Drew() | Eliminated() | SpoilsTaken() | MissionShown():
                return self.predicate_of(event)
        return ""

    def battle(self, battles: Sequence[BattleRolls]) -> str:
        """`Otto took Peru from you in 5 rolls: you lost 1 army, Otto lost 9 armies`.

        The battles are of one attacker against one defender.
        """
        names, said = self.names, self.names.phrases
        attacker, defender = battles[0].first.attacker, battles[0].first.defender
        taken = [*dict.fromkeys(names.place(b.first.target) for b in battles if b.taken)]
        tried = [*dict.fromkeys(names.place(b.first.target) for b in battles if not b.taken)]
        tried = [place for place in tried if place not in taken]
        victim = names.name(defender)
        parts = [self.took(attacker, taken, defender)] if taken else []
        if tried:
            # Whose the land is shows in the first part, or goes without saying for the reader.
            known = taken or defender == names.you
            key = "attacked" if known else "attacked of"
            parts.append(self.predicate(attacker, key, places=said.listed(tried), victim=victim))
        lost = [
            self._side(attacker, "lost", sum(battle.attacker_lost for battle in battles)),
            self._side(defender, "lost", sum(battle.defender_lost for battle in battles)),
        ]
        if defender == names.you:
            lost.reverse()  # a reader looks for their own losses first
        rolls = said.counted(sum(len(battle.rolls) for battle in battles), "roll")
        told = self._with_subject(attacker, said.listed(parts))
        return said.sentence("in rolls", told=told, rolls=rolls, losses=", ".join(lost))

    def outcome(self, battle: BattleRolls) -> str:
        """What became of the territory, for a headline: `Peru is lost`."""
        sides = {battle.first.attacker: "mine", battle.first.defender: "theirs"}
        key = ("taken " if battle.taken else "held ") + sides.get(self.names.you, "of others")
        place = self.names.place(battle.first.target)
        return self.names.phrases.sentence(key, place=place)

    def attacked(self, battles: Sequence[Sequence[BattleRolls]]) -> str:
        """All battles against the reader, those of one attacker together."""
        said = self.names.phrases.sentences
        if not battles:
            return said["not attacked"]
        return ". ".join([*(self.battle(each) for each in battles), said["no other attack"]])

    def roll(self, event: Rolled) -> str:
        """`red attacks Peru from Chile: 6 4 2 v 5 4; red loses no army, blue loses 2 armies`."""
        said, name = self.names.phrases, self.names.place
        source, target = name(event.source), name(event.target)
        attack = self.statement(event.attacker, "attack", source=source, target=target)
        sides = (event.attacker, event.attacker_lost), (event.defender, event.defender_lost)
        losses = ", ".join(self._side(seat, "loses", armies) for seat, armies in sides)
        if event.roll is None:
            return said.sentence("roll unseen", attack=attack, losses=losses)
        return said.sentence("roll", attack=attack, dice=dice_text(event.roll), losses=losses)

    def took(self, seat: str, places: Sequence[str], victim: str) -> str:
        """`took Peru and Chile from you`; `places` have their names."""
        where = self.names.phrases.listed(places)
        return self.predicate(seat, "took", places=where, victim=self.names.name(victim))

    def _side(self, seat: str, key: str, armies: int) -> str:
        """What one side of a battle loses, or has lost."""
        lost = self.predicate(seat, key, armies=self.armies(armies))
        return self.names.phrases.sentence("subject", who=self.names.name(seat), predicate=lost)

    def attack(self, battle: BattleRolls) -> str:
        """A battle while it goes on: `Otto takes Peru from you`, `Otto attacks Peru`."""
        first = battle.first
        if battle.taken:
            return self.sentence(Captured(first.attacker, first.target, first.defender))
        return self.statement(first.attacker, "attacks", places=self.names.place(first.target))

    # Alongside the game.

    def at_table(self, event: str, seat: str, text: str) -> str:
        """A public line of the log that is no event of the rules; "" for one of programs.

        `event` and `text` are the kind and the text of the line (docs/internals/table.md).
        """
        said, whom = self.names.phrases, self.names.name(seat)
        match event:
            case "vote":
                key = "takes vote back" if text.startswith("-") else "votes"
                return self.statement(seat, key, motion=self.motion(text.removeprefix("-")))
            case "pause":
                return said.sentences["paused" if text == "on" else "resumed"]
            case "bot":
                return (
                    said.sentence("bot", whom=whom) if text else self.statement(seat, "plays again")
                )
            case "away" if text:
                return self.statement(seat, "away", days=" - ".join(text.split(" ")[:2]))
            case "away":
                return self.statement(seat, "back")
            case "late" | "erased" | "undo":
                return self.statement(seat, event)
            case "master" if text.startswith(ANNOUNCE):
                return said.sentence("announced", words=text.removeprefix(ANNOUNCE))
            case "master":
                return said.sentence("master", words=text)
            case "extend" | "fork" | "lost-lines":
                return said.sentences[event]
        return ""

    def motion(self, motion: str) -> str:
        """What a vote asks for: `a draw`; the words of a motion that no phrase has."""
        kind, _, of = motion.partition(" ")
        phrase = self.names.phrases.motions.get(kind)
        return phrase.format(whom=self.names.name(of), line=of) if phrase else f"'{motion}'"

    def chat(self, seat: str, to: str, words: str) -> str:
        """A line that a player has written to all, or (`to`) to one player."""
        said = self.names.phrases
        who = self.names.subject(seat) if seat else said.sentences["somebody"]
        key = "says to" if to else "says"
        return said.sentence(key, who=who, to=self.names.name(to), words=words)

    def result(self, result: str) -> str:
        """How a game has ended: `Otto has won`; `result` is a colour, or how no one won."""
        if result in (DRAW, AGREED, VOID):
            return self.names.phrases.sentences[result]
        return self.statement(result, "won")

    def aim(self, kind: str, *, place: str | None, seat: str | None) -> str:
        """What a bot wants: `breaks blue's Africa`."""
        victim = self.names.name(seat or "")
        return self.predicate("", f"aim {kind}", place=self.names.place(place or ""), victim=victim)


def dice_text(roll: Roll) -> str:
    """Both sides' dice as they are compared, the attacker's first: `6 4 2 v 5 4`."""
    sides = (sorted(faces, reverse=True) for faces in (roll.attack, roll.defence))
    return " v ".join(" ".join(map(str, faces)) for faces in sides)


def _gathered_as(seat: str, event: Event) -> type[Captured | Decided] | None:
    """The class of an event that is told together with others like it."""
    match event:
        case Captured():
            return Captured
        case Decided(own, action) if own == seat and action.startswith("place "):
            return Decided
    return None
