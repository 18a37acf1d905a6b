"""What an option is: its values, default, sentence, refusals, and what it excludes."""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from enum import Enum, IntEnum
from typing import NotRequired, TypeAlias, TypedDict, Unpack

from rubicon.engine.codes import Refusal
from rubicon.engine.records import SEATS, MissionKind, ObjectiveKind
from rubicon.rules.board.board import Board
from rubicon.rules.options.kinds import AnyKind, BadValue, Choice, Flag, Value, value_text

# The words of a refusal, which an option may declare and `rubicon.rules.refusals` collects.


@dataclass(frozen=True, slots=True)
class RefusalText:
    """The words of a refusal: what is wrong (`sentence`), then what to do (`hint`, or "")."""

    code: str
    sentence: str
    hint: str = ""
    _: KW_ONLY
    rules: tuple[str, ...] = ()


# A value for every option on one board, as conditions and sentences read them.

NOT_IN_SEED = "OB06"  # control 1 enemy capital (5.1)
US12 = ("M01", "M02", "M03", "M04", "M05", "M06", "M09", "M10", "M11", "M12", "M13", "M14")
EURO14 = tuple(f"M{number:02}" for number in range(1, 15))


@dataclass(frozen=True)
class Chosen:
    """A value for every option, and the board that is played on.

    It knows no declarations, so that declarations can use it in their conditions and sentences.
    """

    options: Mapping[str, Value]
    board: Board

    def text(self, name: str) -> str:
        """The text of an option's value."""
        return value_text(self.options[name])

    def has(self, name: str, *values: str) -> bool:
        """Whether an option has one of these values."""
        return self.text(name) in values

    def meets(self, condition: str) -> bool:
        """Whether a condition holds, such as `cards.deck=44 42`: one of the values is in force."""
        name, _, values = condition.partition("=")
        return self.has(name, *values.split())

    def number(self, name: str) -> int:
        """The value of an option that is a whole number; raises TypeError for words."""
        value = self.options[name]
        if not isinstance(value, int):
            raise TypeError(f"{name} is {value!r}, not a number")
        return value

    def counts(self, name: str) -> dict[int, int]:
        """A table of whole numbers by whole numbers."""
        value = self.options[name]
        return {int(k): int(v) for k, v in value.items()} if isinstance(value, Mapping) else {}

    def words(self, name: str) -> dict[str, str]:
        """A table of words by names of the board."""
        value = self.options[name]
        return {str(k): str(v) for k, v in value.items()} if isinstance(value, Mapping) else {}

    @property
    def players(self) -> range:
        """Every number of players that the options allow."""
        return range(self.number("players.min"), self.number("players.max") + 1)

    @property
    def territories(self) -> int:
        """How many territories the board has."""
        return len(self.board.territories)

    @property
    def cities(self) -> int:
        """How many cities are dealt; `board` means as many as the board names."""
        return (
            self.board.cities if self.has("setup.cities", "board") else self.number("setup.cities")
        )

    @property
    def missions(self) -> tuple[str, ...]:
        """The ids of the missions in the deck (4.2)."""
        custom = self.options["missions.custom"]
        own = custom if isinstance(custom, tuple) else ()
        decks = {"none": (), "us12": US12, "euro14": EURO14, "custom": own}
        return decks[self.text("missions.deck")]

    @property
    def has_missions(self) -> bool:
        """Whether players hold secret missions."""
        return not self.has("missions.deck", "none")

    @property
    def has_targets(self) -> bool:
        """Whether a mission of the deck is to destroy a colour."""
        kinds = {mission.id: mission.kind for mission in self.board.missions}
        return any(kinds.get(name) is MissionKind.DESTROY for name in self.missions)

    @property
    def fallback(self) -> str:
        """What a mission turns into that can no longer be done, as `24 territories`."""
        return f"{self.board.mission_fallback} territories"

    @property
    def objectives(self) -> tuple[str, ...]:
        """The ids of the objectives in the pool (5.1)."""
        pool = self.text("objectives.pool")
        ids = tuple(objective.id for objective in self.board.objectives)
        if pool == "none":
            return ()
        return tuple(name for name in ids if name != NOT_IN_SEED or pool == "r08_12")

    @property
    def objectives_in_play(self) -> bool:
        """Whether objectives are claimed (A-54)."""
        if self.has("objectives.pool", "none"):
            return False
        conquest = self.has("victory.goal", "conquest") and self.options["conquest.objectives"]
        return self.has("victory.goal", "objectives") or conquest is True

    @property
    def has_rebels(self) -> bool:
        """Whether there may be rebels."""
        return not self.has("rebels.setup", "none")

    @property
    def outsiders(self) -> str:
        """What armies without a player are called: `rebel` or `neutral`."""
        return "rebel" if self.has_rebels else "neutral"

    @property
    def neutral_at_start(self) -> bool:
        """Whether neutral armies are on the board from the start."""
        return not self.has("neutral.layout", "none")

    @property
    def to_share(self) -> int:
        """How many territories the players share among them, the neutral's piles included."""
        return self.territories - self.has("neutral.layout", "single40")


def share(chosen: Chosen, players: int) -> int:
    """The most territories that one player receives before placing."""
    if chosen.has("setup.claim", "deal_three_piles"):
        return -(-chosen.to_share // 3)
    return -(-chosen.to_share // players)


def mission_cards(chosen: Chosen, players: int) -> int:
    """The fewest missions in the deck once those against unused colours are out (4.1)."""
    kinds = {mission.id: mission.kind for mission in chosen.board.missions}
    colours = sum(kinds.get(name) is MissionKind.DESTROY for name in chosen.missions)
    kept = colours
    if chosen.has("missions.unused_colours", "removed"):
        kept = max(0, colours - (SEATS - players))
    return len(chosen.missions) - colours + kept


def objective_classes(chosen: Chosen) -> tuple[int, int]:
    """How many minor and how many major objectives the pool has."""
    classes = {o.id: "major" if o.major else "minor" for o in chosen.board.objectives}
    classes.update(chosen.words("objectives.class_table"))
    pool = [classes[name] for name in chosen.objectives]
    return pool.count("minor"), pool.count("major")


def most_asked(chosen: Chosen, *kinds: ObjectiveKind) -> int:
    """The most that an objective in play asks for, among objectives of these kinds."""
    if not chosen.objectives_in_play:
        return 0
    in_pool = [o for o in chosen.board.objectives if o.id in chosen.objectives]
    return max((o.count for o in in_pool if o.kind in kinds), default=0)


# What a declaration of an option holds: `Option`, and the parts it is made of.

Text: TypeAlias = str | Callable[[Chosen], str]


def said(text: Text, chosen: Chosen) -> str:
    """A text, computed where it depends on the options in force."""
    return text if isinstance(text, str) else text(chosen)


class Use(Enum):
    """Which part of the program reads an option."""

    RULES = "rules"  # the engine, as a field of `engine.records.Rules`
    BOARD = "board"  # the board's arrays, or a derived field of `Rules`
    TABLE = "table"  # what players are shown and told; the course of the game never depends on it
    BUILT_IN = "built in"  # nothing: it has one value, and the engine follows it


@dataclass(frozen=True)
class Meaning:
    """What one value of an option means.

    `text` is one line for lists and forms, `rulebook` the sentence for players (with the ids it
    rests on in brackets), `implies` the values of other options that come along with it, written
    `setup.claim = draft if deal_cards random`: the words after `if` are the values that give way.
    `label` is the value in a word or two; "" where the value itself will do.
    """

    text: str
    rulebook: Text = ""
    implies: tuple[str, ...] = ()
    label: str = ""


@dataclass(frozen=True)
class Conflict:
    """A combination of values that is refused: the options concerned, when, and why.

    `detail` adds the numbers of the case at hand to the reason.
    """

    options: tuple[str, ...]
    when: Callable[[Chosen], bool]
    reason: str
    detail: Text = ""

    def given(self, chosen: Chosen) -> str:
        """The values concerned, as people write them."""
        return ", ".join(f"{name}={chosen.text(name)}" for name in self.options)

    def explained(self, chosen: Chosen) -> str:
        """The reason for these options: a sentence or two."""
        return f"{self.reason} {said(self.detail, chosen)}".strip()


@dataclass(frozen=True, kw_only=True)
class Option:
    """One option, declared in one place; everything else about it is derived from this.

    `values` has a meaning for each value of a choice, and for single values of the other kinds.
    `rulebook` is the sentence of kinds whose values have none of their own, `implies` what any
    value but an empty table or list implies. `only_if` names the
    options that must have certain values for this one to matter: `victory.goal=headquarters`.
    `refusals` are the refusals that exist because of this option, in words. `section` is the title
    of the rulebook's section that ends with its sentence, where no section names the option.
    """

    name: str
    label: str  # in a form: a few words
    group: str
    kind: AnyKind
    default: Value
    meaning: str
    sources: tuple[str, ...]
    values: Mapping[str, Meaning]
    rulebook: Text = ""
    section: str = ""
    implies: tuple[str, ...] = ()
    only_if: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    refusals: Mapping[Refusal, RefusalText] = field(default_factory=dict)
    use: Use = Use.RULES
    why_fixed: str = ""  # why there is no other value

    @property
    def field(self) -> str:
        """Its field in `engine.records.Rules`."""
        return self.name.replace(".", "_")

    @property
    def fixed(self) -> bool:
        """Whether it has one value only."""
        return bool(self.why_fixed)

    def read(self, given: object) -> Value:
        """The Python form of a value in any form; raises BadValue."""
        try:
            return self.kind.read(given)
        except BadValue as error:
            if not self.why_fixed:
                raise
            raise BadValue(f"is not possible: {self.why_fixed}", error.suggestion) from error

    def text(self, value: Value) -> str:
        """The text of a value in Python form."""
        return value_text(value)

    def matters(self, chosen: Chosen) -> bool:
        """Whether any value of this option can make a difference alongside the others."""
        return all(chosen.meets(condition) for condition in self.only_if)

    def sentence(self, chosen: Chosen) -> str:
        """What the rulebook says for the value in force; "" where the option does not matter."""
        if not self.matters(chosen):
            return ""
        meaning = self.values.get(chosen.text(self.name))
        text = meaning.rulebook if meaning is not None and meaning.rulebook else self.rulebook
        return said(text, chosen)


# Short ways to write the declarations of options, group by group.


class Extras(TypedDict):
    """The label, and the parts of a declaration that many options do without: see `Option`."""

    label: str
    implies: NotRequired[tuple[str, ...]]
    only_if: NotRequired[tuple[str, ...]]
    conflicts: NotRequired[tuple[Conflict, ...]]
    refusals: NotRequired[Mapping[Refusal, RefusalText]]
    rulebook: NotRequired[Text]
    section: NotRequired[str]
    use: NotRequired[Use]
    why_fixed: NotRequired[str]


class Group:
    """One chapter of the options, and its declarations in order."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.options: list[Option] = []

    def choice(
        self,
        name: str,
        enum: type[IntEnum] | None,
        sources: str,
        meaning: str,
        values: Mapping[str, Meaning],
        *,
        default: str = "",
        **extras: Unpack[Extras],
    ) -> None:
        """One word of several; the first is the default unless another is named.

        The words are the names of the enumeration in lower case, in its order.
        """
        kind = Choice(tuple(values), enum)
        self.row(name, kind, default or kind.words[0], sources, meaning, values=values, **extras)

    def flag(
        self,
        name: str,
        default: bool,
        sources: str,
        meaning: str,
        *,
        yes: Meaning,
        no: Meaning,
        **extras: Unpack[Extras],
    ) -> None:
        """True or false, and what each means."""
        values = {"true": yes, "false": no}
        self.row(name, Flag(), default, sources, meaning, values=values, **extras)

    def built_in(
        self, name: str, value: str, sources: str, meaning: str, reason: str, *, label: str
    ) -> None:
        """An option with one value, and why it has no other."""
        kind = Flag((value == "true",)) if value in {"true", "false"} else Choice((value,))
        only = {value: Meaning(meaning)}
        fixed: Extras = {"label": label, "why_fixed": reason, "use": Use.BUILT_IN}
        self.row(name, kind, value, sources, meaning, values=only, **fixed)

    def row(
        self,
        name: str,
        kind: AnyKind,
        default: object,
        sources: str,
        meaning: str,
        *,
        values: Mapping[str, Meaning] | None = None,
        **extras: Unpack[Extras],
    ) -> None:
        """An option of any kind; the default may be written in any form.

        `sources` are ids of the collection of rules, or `own` for a rule that is in no source.
        """
        self.options.append(
            Option(
                name=name,
                group=self.title,
                kind=kind,
                default=kind.read(default),
                meaning=meaning,
                sources=tuple(sources.split()),
                values=dict(values or {}),
                **extras,
            )
        )
