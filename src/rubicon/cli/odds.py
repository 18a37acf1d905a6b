"""`rubicon odds`: the exact odds of a battle or a campaign."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rubicon.errors import RubiconError

if TYPE_CHECKING:
    from fractions import Fraction

    from rich.console import Console
    from rich.text import Text

    from rubicon.odds.battle import Battle
    from rubicon.odds.campaign import Campaign, Target
    from rubicon.odds.rule import DiceRule, Stop

WIDTH = 79  # one less than eighty, so that no terminal wraps
ROWS = 24  # bars of a battle, at most
LABEL = 9
BAR = 50
WON, LOST = "cyan", "yellow"
EIGHTHS = " ▏▎▍▌▋▊▉█"
PLAIN = str.maketrans("▏▎▍▌▋▊▉█·–", "...:::##--")

EPILOG = """\
ATTACK is the number of all armies on the attacking territory. One must stay, so 10 armies attack
with 9 (with --home, more stay). DEFEND is the number of the defender's armies, or a campaign: 3,5,2
are three territories in a row; 3,5(2)(4,1) splits after 5 into the paths 2 and 4,1.
With --need, ATTACK may be left out.
"""


@dataclass(frozen=True, slots=True)
class OddsQuestion:
    """A battle or a campaign, with its dice rule and its stop rule."""

    targets: tuple[Target, ...]
    rule: DiceRule
    home: int
    stop: Stop

    @property
    def is_battle(self) -> bool:
        """Whether there is one target only, and every army but one attacks it."""
        return len(self.targets) == 1 and not self.targets[0].then and self.home == 1

    def needed(self, chance: float) -> int:
        """The fewest armies with this chance of success."""
        from rubicon.odds.battle import armies_needed
        from rubicon.odds.campaign import campaign_needed

        if self.is_battle:
            return armies_needed(self.targets[0].defend, self.rule, chance, self.stop)
        return campaign_needed(self.targets, self.rule, chance, home=self.home, stop=self.stop)

    def answer(self, attack: int, exact: bool) -> Battle[float] | Battle[Fraction] | Campaign:
        """The odds; in fractions where `exact` is True."""
        from rubicon.odds.battle import battle, exact_battle
        from rubicon.odds.campaign import campaign

        if self.is_battle:
            compute: Any = exact_battle if exact else battle
            found: Battle[float] = compute(attack, self.targets[0].defend, self.rule, self.stop)
            return found
        if exact:
            raise RubiconError(
                "odds/exact-campaign", "A campaign has no --exact.", "Leave --exact out."
            )
        return campaign(attack, self.targets, self.rule, home=self.home, stop=self.stop)


@click.command("odds", epilog=EPILOG)
@click.argument("numbers", nargs=-1, required=True, metavar="[ATTACK] DEFEND")
@click.option(
    "--rules", "preset", default="classic", show_default=True, help="Preset or ruleset file."
)
@click.option(
    "-o",
    "--option",
    "overrides",
    multiple=True,
    metavar="NAME=VALUE",
    help="Change an option.",
)
@click.option("--dice", default="most", metavar="N", help="Attack dice: 1, 2, 3, most or best.")
@click.option(
    "--defend-dice", default="most", metavar="N", help="Defence dice: 1, 2, most or best."
)
@click.option("--neutral", is_flag=True, help="Neutral armies or rebels defend.")
@click.option("--attack-die", is_flag=True, help="The attacker has the bonus die (revised).")
@click.option("--defence-die", is_flag=True, help="The defender has the bonus die (revised).")
@click.option("--attack-airfield", is_flag=True, help="An airfield of the attacker is in range.")
@click.option("--defence-airfield", is_flag=True, help="An airfield of the defender is in range.")
@click.option("--until", type=int, default=1, metavar="K", help="Stop when K armies are left.")
@click.option("--until-lost", type=int, metavar="K", help="Stop when a battle has cost K armies.")
@click.option("--until-rounds", type=int, metavar="K", help="Stop after K rolls in a battle.")
@click.option("--until-odds", metavar="P", help="Stop when the chance falls below P: 0.6, or 60%.")
@click.option("--behind", metavar="N,N,...", help="Armies that stay on the territories on the way.")
@click.option(
    "--home", type=int, default=1, metavar="N", help="Armies that stay on the first territory."
)
@click.option("--need", metavar="P", help="Find how many armies have the chance P: 0.8, or 80%.")
@click.option("--exact", is_flag=True, help="Print fractions (a battle of up to 150 armies).")
@click.option(
    "--svg", type=click.Path(dir_okay=False), metavar="FILE", help="Write a picture (SVG)."
)
@click.option("--json", "as_json", is_flag=True, help="Print the odds as JSON.")
def command(
    numbers: tuple[str, ...],
    need: str | None,
    exact: bool,
    svg: str | None,
    as_json: bool,
    **asked: Any,
) -> None:
    """Compute the exact chance that an attack succeeds, and its average losses."""
    from rubicon.cli.warmup import warm_kernels
    from rubicon.odds.warmup import warm

    question = _question(numbers[-1], asked)
    chance = None if need is None else _chance("--need", need)
    attack = _attack(numbers, chance)
    warm_kernels(warm)
    needed = question.needed(chance) if chance is not None else None
    answer = question.answer(attack if attack is not None else needed or 0, exact)
    if svg is not None:
        _draw(answer, Path(svg))
    if as_json:
        wanted = {} if needed is None else {"need": {"chance": chance, "attack": needed}}
        click.echo(json.dumps({**answer.as_dict(), **wanted}, indent=2))
        return
    _show(answer, chance, needed)


def _question(defend: str, asked: dict[str, Any]) -> OddsQuestion:
    """The question that the arguments and options ask."""
    from rubicon.odds.campaign import parse_numbers, parse_targets, with_behind
    from rubicon.odds.rule import DiceRule, Stop
    from rubicon.rules.ruleset.ruleset import Ruleset, parse_override

    facts = ("neutral", "attack_die", "defence_die", "attack_airfield", "defence_airfield")
    ruleset = Ruleset.load(asked["preset"], dict(map(parse_override, asked["overrides"])))
    attack_dice, defend_dice = (
        int(n) if n.isdecimal() and len(n) < 3 else n for n in (asked["dice"], asked["defend_dice"])
    )
    known = {fact: asked[fact] for fact in facts}
    rule = DiceRule(ruleset, attack_dice, defend_dice, **known)
    odds = asked["until_odds"]
    stop = Stop(
        asked["until"],
        asked["until_lost"],
        asked["until_rounds"],
        None if odds is None else _chance("--until-odds", odds),
    )
    targets = parse_targets(defend)
    if asked["behind"] is not None:
        _check_passage(targets)
        targets = with_behind(targets, parse_numbers(asked["behind"]))
    return OddsQuestion(targets, rule, asked["home"], stop)


def _check_passage(targets: tuple[Target, ...]) -> None:
    """RubiconError for --behind where no target has another one behind it."""
    if not any(target.then for root in targets for target in root):
        raise RubiconError(
            "odds/bad-behind",
            "No army stays behind, because no territory is attacked from a captured one.",
            "Use --behind with a campaign: rubicon odds 12 3,5,2 --behind 1.",
        )


def _chance(option: str, text: str) -> float:
    """The chance that an option was given: a number above 0 and below 1, or a percentage."""
    from rubicon.odds.campaign import parse_chance

    try:
        chance = parse_chance(text)
    except RubiconError:
        chance = 0.0
    if 0 < chance < 1:
        return chance
    percent = chance if 1 < chance < 100 and "%" not in text else 80
    raise RubiconError(
        "odds/bad-chance",
        f"{option} is a chance above 0 % and below 100 %, not {text[:20]!r}.",
        f"Write: {option} {percent / 100:.6g}, or {percent:.6g}%.",
    )


def _attack(numbers: Sequence[str], chance: float | None) -> int | None:
    """The attacker's armies; None where --need asks for them."""
    from rubicon.odds.campaign import parse_numbers
    from rubicon.odds.rule import check_attack

    if len(numbers) > 2 or (len(numbers) == 1 and chance is None):
        raise RubiconError(
            "odds/arguments",
            f"Give the armies of both sides; {len(numbers)} "
            f"{'number was' if len(numbers) == 1 else 'numbers were'} given.",
            "Write: rubicon odds 10 7, rubicon odds 12 3,5,2, or rubicon odds 7 --need 0.8.",
        )
    if len(numbers) == 1:
        return None
    attack, *others = parse_numbers(numbers[0])
    if others:
        raise RubiconError(
            "odds/arguments",
            f"One territory attacks, but {numbers[0]!r} is several numbers.",
            "Write its armies first, then the territories to take: rubicon odds 12 3,5,2.",
        )
    check_attack(attack)
    return attack


def _draw(answer: Battle[float] | Battle[Fraction] | Campaign, file: Path) -> None:
    """Write the SVG."""
    from rubicon.odds.campaign import Campaign
    from rubicon.odds.plot import battle_svg, campaign_svg

    drawn = campaign_svg(answer) if isinstance(answer, Campaign) else battle_svg(answer)
    try:
        file.write_text(drawn, encoding="utf-8")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise RubiconError(
            "odds/cannot-write", f"{file} cannot be written: {reason}.", "Name another file."
        ) from None


def _show(
    answer: Battle[float] | Battle[Fraction] | Campaign,
    chance: float | None,
    needed: int | None,
) -> None:
    """Print the odds."""
    from rich.console import Console

    from rubicon.odds.campaign import Campaign

    console = Console(width=WIDTH, highlight=False)
    lines = campaign_lines(answer) if isinstance(answer, Campaign) else battle_lines(answer)
    for line in lines:
        console.print(_fitting(line, console))
    if chance is not None and needed is not None:
        from rubicon.odds.plot import percent

        have = answer.attack
        more = f", {needed - have} more than {have:,}" if needed > have else ""
        console.print(f"\nFor {percent(chance)} it takes {needed:,} armies{more}.")


def _fitting(line: Text, console: Console) -> Text:
    """The line in characters that the terminal can show."""
    if not console.encoding.lower().startswith("utf"):
        line.plain = line.plain.translate(PLAIN)
    return line


def battle_lines(battle: Battle[float] | Battle[Fraction]) -> Iterator[Text]:
    """A battle in at most 79 columns."""
    from rich.text import Text

    from rubicon.odds.plot import captured, held, percent, shared_bars

    yield Text(f"{battle.attack:,} against {battle.defend:,} · {battle.rule} · to {battle.stop}")
    yield Text()
    yield _headline("The territory is captured", float(battle.win))
    won, against = shared_bars([captured(battle), held(battle)], ROWS)
    highest = max(bar.chance for bar in (*won, *against))
    for bars, title, colour in (
        (won[::-1], "captured, attacking armies left (those that move in included)", WON),
        (against, "not captured, defenders left", LOST),
    ):
        if bars:
            yield Text()
            yield Text(title, style="dim")
            yield from (_bar(bar.label, bar.chance, highest, colour) for bar in bars)
    yield Text()
    if battle.broken_off:
        yield Text(
            f"Repelled {percent(float(battle.repelled))}, "
            f"broken off {percent(float(battle.broken_off))}."
        )
    yield _losses(float(battle.expected_attack_losses), float(battle.expected_defend_losses))
    if not isinstance(battle.win, float):
        yield Text(f"Exactly: {battle.win}")


def campaign_lines(campaign: Campaign) -> Iterator[Text]:
    """A campaign in at most 79 columns."""
    from rich.text import Text

    from rubicon.odds.campaign import targets_text
    from rubicon.odds.plot import bars

    what = f"{campaign.attack:,} against {targets_text(campaign.targets)}"
    yield Text(f"{what} · {campaign.rule} · each to {campaign.stop}")
    yield Text()
    yield _headline("Everything is taken", campaign.win)
    yield Text()
    yield Text("territory".ljust(28) + "taken", style="dim")
    depths: list[int] = []
    for number, stage in enumerate(campaign.stages):
        depth = 0 if campaign.is_path or stage.source < 0 else depths[stage.source] + 1
        depths.append(depth)
        label = f"{'  ' * depth}{number + 1}. against {stage.target.defend:,}"
        if stage.target.then:
            label += f", leave {stage.target.behind:,}"
        yield _bar(label, stage.taken, 1.0, WON, width=26, room=36)
    yield Text()
    if campaign.is_path:
        last = dict(enumerate(campaign.stages[-1].left))
        last.pop(0, None)
        found = bars(last, ROWS // 2)
        if found:
            yield Text("everything taken, armies on the last territory", style="dim")
            highest = max(bar.chance for bar in found)
            yield from (_bar(bar.label, bar.chance, highest, WON) for bar in found[::-1])
            yield Text()
    else:
        yield from _splits(campaign)
    yield Text(f"Territories taken on average: {campaign.expected_taken:.2f}.")
    yield _losses(campaign.expected_attack_losses, campaign.expected_defend_losses)


def _splits(campaign: Campaign) -> Iterator[Text]:
    """Where the path divides: how many armies move in, by the number that is left."""
    from rich.text import Text

    for number, stage in enumerate(campaign.stages):
        siblings = [other.source for other in campaign.stages[number + 1 :]]
        if stage.source not in siblings:
            continue
        most = len(stage.moves) - 1
        usual = [n for n in range(2, most + 1) if n <= 12 or n % 5 == 0][:18]
        yield Text(
            f"Armies that move in when territory {number + 1} is taken, by the armies left",
            style="dim",
        )
        yield Text("left    " + "".join(f"{n:>4}" for n in usual)[: WIDTH - 8])
        yield Text("move in " + "".join(f"{stage.move_in(n):>4}" for n in usual)[: WIDTH - 8])
        yield Text()


def _headline(title: str, chance: float) -> Text:
    from rich.text import Text

    from rubicon.odds.plot import percent

    return Text.assemble((f"{title}: {percent(chance)}", "bold"))


def _bar(
    label: str, chance: float, highest: float, colour: str, width: int = LABEL, room: int = BAR
) -> Text:
    """A label, a bar and a chance."""
    from rich.text import Text

    from rubicon.odds.plot import percent

    eighths = round(8 * room * chance / highest) if highest else 0
    drawn = "█" * (eighths // 8) + (EIGHTHS[eighths % 8] if eighths % 8 else "")
    aligned = f"{label:>{width}}" if width == LABEL else f"{label:{width}}"
    return Text.assemble(f"{aligned}  ", (drawn, colour), " " if drawn else "", percent(chance))


def _losses(attack: float, defend: float) -> Text:
    from rich.text import Text

    return Text(f"Lost on average: {attack:.2f} by the attacker, {defend:.2f} by the defender.")
