"""The phrases of a language with the table of English, and the names that they are filled with.

A second language is a second table. The web app has tables of its own, in TypeScript
(`frontend/src/texts`), since it makes its sentences in the browser.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rubicon.rules.notation.actions import WILD_IDS

NEUTRAL = "neutral"
PERSONS = "|"  # between the third person, said of a player, and the second, said to the reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """One language.

    `predicates` say, by what was done: as they follow a player's name, then, where that
    differs, as they follow "You". The second form alone is advice as well. `sentences` are whole;
    `counts` have the forms for one and for several.
    """

    you: str
    predicates: Mapping[str, str]
    sentences: Mapping[str, str]
    counts: Mapping[str, tuple[str, str]]
    motions: Mapping[str, str]
    conjunction: str
    wild_card: str

    def predicate(self, key: str, *, second_person: bool, **words: object) -> str:
        """A predicate: `takes Peru from blue`, or `take Peru from blue` for the reader."""
        third, differs, second = self.predicates[key].partition(PERSONS)
        return (second if differs and second_person else third).format(**words)

    def sentence(self, key: str, **words: object) -> str:
        """A whole sentence, without a full stop."""
        return self.sentences[key].format(**words)

    def counted(self, number: int, what: str) -> str:
        """`1 army`, `2,000 armies`."""
        return f"{number:,} {self.counts[what][number != 1]}"

    def listed(self, words: Sequence[str]) -> str:
        """`a`, `a and b`, `a, b and c`; "" for none."""
        *rest, end = words or [""]
        return f"{', '.join(rest)} {self.conjunction} {end}" if rest else end


ENGLISH = Phrases(
    you="you",
    conjunction="and",
    wild_card="a wild card",
    counts={
        "army": ("army", "armies"),
        "card": ("card", "cards"),
        "roll": ("roll", "rolls"),
        "round": ("round", "rounds"),
        "territory": ("territory", "territories"),
        "other territory": ("other territory", "other territories"),
        "city": ("city", "cities"),
        "objective": ("objective", "objectives"),
    },
    predicates={
        # Decisions, by the verb of their notation (docs/notation.md).
        "claim": "claims {place}|claim {place}",
        "capital": "makes {place} its capital|make {place} your capital",
        "place": "places {armies}|place {armies}",  # a list of `on`
        "fortify": (
            "moves {armies} from {source} to {target}|move {armies} from {source} to {target}"
        ),
        "attack": "attacks {target} from {source}|attack {target} from {source}",
        "occupy": "moves {armies} into {place}|move {armies} into {place}",
        "occupy unnamed": "moves {armies} in|move {armies} in",
        "trade": "trades {cards}|trade {cards}",
        "objective": "claims the objective {objective}|claim the objective {objective}",
        "airfield": (
            "claims the objective {objective} and puts the airfield on {place}"
            "|claim the objective {objective} and put the airfield on {place}"
        ),
        "resign": "resigns|resign",
        "reveal": "shows its mission|show your mission",
        "end attack": "stops attacking|stop attacking",
        "end": "ends the {phase}|end the {phase}",
        # Events.
        "begins": "begins|begin",
        "takes": "takes {places}|take {places}",  # a list of `from`
        "attacks": "attacks {places}|attack {places}",
        "eliminates": "eliminates {victim}|eliminate {victim}",
        "spoils": "takes the cards of {victim}: {cards}|take the cards of {victim}: {cards}",
        "draws": "draws a card|draw a card",
        "draws card": "draws the card {card}|draw the card {card}",
        "draws wild": "draws a wild card|draw a wild card",
        "trades": "trades {cards} for {armies}|trade {cards} for {armies}",
        "trades bonus": (
            "trades {cards} for {armies} and 2 on {places}"
            "|trade {cards} for {armies} and 2 on {places}"
        ),
        "receives": "receives {armies}|receive {armies}",
        "holds": "holds {cards}|hold {cards}",
        "receives items": "receives {armies}: {items}|receive {armies}: {items}",
        "shows mission": "shows the mission {mission}|show the mission {mission}",
        "wins": "wins|win",
        # What is told later, of the past.
        "took": "took {places} from {victim}",
        "attacked": "attacked {places} in vain",
        "attacked of": "attacked {places} of {victim} in vain",
        "lost": "lost {armies}",
        "loses": "loses {armies}|lose {armies}",
        "eliminated": "has eliminated {victim}|have eliminated {victim}",
        "resigned": "has resigned|have resigned",
        "won": "has won|have won",
        # Alongside the game.
        "votes": "votes for {motion}|vote for {motion}",
        "takes vote back": "no longer votes for {motion}|no longer vote for {motion}",
        "plays again": "plays again|play again",
        "late": "is out of time|are out of time",
        "away": "is away: {days}|are away: {days}",
        "back": "is back|are back",
        "erased": "has erased the account|have erased the account",
        "undo": "takes a decision back|take a decision back",
        # What a bot wants (players/review/reason.py).
        "aim wins": "wins the game|win the game",
        "aim eliminates": "eliminates {victim}|eliminate {victim}",
        "aim takes_continent": "takes all of {place}|take all of {place}",
        "aim breaks_continent": "breaks {victim}'s {place}|break {victim}'s {place}",
        "aim takes": "takes {place}|take {place}",
        "aim guards": "guards {place}|guard {place}",
        "aim trades": "trades a set of cards now|trade a set of cards now",
        "aim moves": "moves on to {place}|move on to {place}",
        "aim defends": "defends {place}|defend {place}",
        "aim stops": "stops attacking|stop attacking",
    },
    sentences={
        "subject": "{who} {predicate}",
        "on": "{armies} on {place}",
        "from": "{place} from {victim}",
        "no armies": "no army",
        "cards": "cards",
        "captured": "captured",
        "move in": "{n} move in",
        "taken mine": "{place} is yours",
        "taken theirs": "{place} is lost",
        "taken of others": "{place} changes hands",
        "held mine": "{place} is not taken",
        "held theirs": "{place} is still yours",
        "held of others": "{place} holds",
        "not attacked": "Nobody attacked you",
        "no other attack": "Nobody else attacked you",
        "nothing more": "does nothing more",
        "roll": "{attack}: {dice}; {losses}",
        "roll unseen": "{attack}: {losses}",
        "in rolls": "{told} in {rolls}: {losses}",
        "turn": "round {round}: {who} to move",
        "first dice": "first dice: {dice}",
        "first die": "{who} {face}",
        "dealt": "{what} {thing} to {who}",
        "face down": "face down",
        "are dealt": "{things} are dealt",
        "all placed": "The starting armies of all players are placed.",
        "discarded": "{armies} above the cap are lost on {place}",
        "since": "Since your last turn:",
        "lost nothing": "You lost no territory.",
        "more in log": "The log has more.",
        "draw": "the game ended in a draw",
        "agreed draw": "the players agreed on a draw",
        "void": "the game ended without a winner",
        "territories": "territories {n}",
        "continents": "continents {n}",
        "capitals": "capitals {n}",
        "rewards": "rewards {n}",
        "paused": "the game is paused",
        "resumed": "the game goes on",
        "extend": "every player with a pending decision gets the full time again",
        "bot": "a bot plays for {whom}",
        "fork": "the game continues from an earlier moment, as a new game",
        "somebody": "someone",
        "says": "{who} says: {words}",
        "says to": "{who} says to {to}: {words}",
        "announced": "the game master to all: {words}",
        "master": "the game master: {words}",
        "lost-lines": "the server has lost dice: the game can only continue as a new one",
    },
    motions={
        "draw": "a draw",
        "pause": "a pause",
        "resume": "the end of the pause",
        "extend": "more time for every player with a pending decision",
        "replace": "a stand-in for {whom}",
        "fork": "a new game from line {line} of the log",
    },
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """`names` of players by colour, `places` by id; what has none is called by its colour or id.

    `you` is the colour of the reader, who is addressed, "" for a sentence that says no "you".
    `outsiders` are the rebels or the neutral armies, `bots` the colours that a bot plays now.
    """

    places: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    you: str = ""
    outsiders: str = NEUTRAL
    bots: frozenset[str] = field(default_factory=frozenset)
    phrases: Phrases = ENGLISH

    def name(self, colour: str) -> str:
        """A seat in the middle of a sentence."""
        if colour and colour == self.you:
            return self.phrases.you
        if colour == NEUTRAL:
            return self.outsiders
        return self.names.get(colour, colour)

    def subject(self, colour: str) -> str:
        """A seat at the beginning of a sentence."""
        name = self.name(colour)
        # Names and colours stay as they are; "you" and "the rebels" are words of ours.
        own_word = name != colour and colour in (NEUTRAL, self.you)
        return name[:1].upper() + name[1:] if own_word else name

    def listed(self, colour: str) -> str:
        """A seat in a table: the name, and whether it is the reader's or a bot's."""
        if colour == NEUTRAL:
            return self.outsiders.removeprefix("the ").capitalize()
        mark = ", you" if colour == self.you else ", a bot" if colour in self.bots else ""
        return self.names.get(colour, colour) + mark

    def place(self, key: str) -> str:
        """A territory or a continent."""
        return self.places.get(key, key)

    def card(self, key: str) -> str:
        """The territory of a card, or that it is a wild card."""
        return self.places.get(key, self.phrases.wild_card if key in WILD_IDS else key)
