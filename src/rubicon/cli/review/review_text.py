"""The review of a game as lines of text: a small chart, a table, moments, style."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rubicon.cli.position import winner_line
from rubicon.rules.sentences import decision_sentence, named_action
from rubicon.wording import numbered

if TYPE_CHECKING:
    from rubicon.players.review.game_review import SeatAccount, WinningReview
    from rubicon.players.review.moments import DecidingMoment
    from rubicon.rules.game.game import Game

CHART = 60  # columns
BARS = " ▁▂▃▄▅▆▇█"
NO_BREAK = "\N{NO-BREAK SPACE}"


def review_lines(game: Game, review: WinningReview) -> Iterator[str]:
    """Everything that `rubicon review` prints."""
    rounds = max(1, int(game.position.round_number))
    yield f"{game.ruleset.title}: {winner_line(game)} in round {rounds}."
    yield ""
    yield from chart_lines(game, review)
    yield ""
    yield from account_lines(game, review.seats)
    yield ""
    yield from moment_lines(game, review)
    yield "How they played"
    width = max(map(len, game.colours))
    for colour, account in zip(game.colours, review.seats, strict=True):
        yield f"  {colour:{width}}  {style_line(account)}"


def chart_lines(game: Game, review: WinningReview) -> Iterator[str]:
    """A row of bars for each seat: its chance at the beginning of each turn."""
    rounds = f"rounds 1 to {review.curve.turns[-1].round}" if review.curve.turns else "no turns"
    yield f"Chance to win, {rounds}"
    rows = [turn.before for turn in review.curve.turns] + [review.curve.chances[-1]]
    columns = min(CHART, len(rows))
    places = [round(place * (len(rows) - 1) / max(1, columns - 1)) for place in range(columns)]
    width = max(map(len, game.colours))
    for seat, colour in enumerate(game.colours):
        chances = [float(rows[place][seat]) for place in places]
        bars = "".join(bar(chance) for chance in chances)
        yield f"  {colour:{width}}  {bars}  most {percent(max(float(row[seat]) for row in rows))}"


def bar(chance: float) -> str:
    """A character as high as a chance; the lowest bar for any chance above half a per cent."""
    if chance < 0.005:
        return BARS[0]
    return BARS[max(1, min(len(BARS) - 1, round(chance * (len(BARS) - 1))))]


def account_lines(game: Game, seats: Sequence[SeatAccount]) -> Iterator[str]:
    """The table of what moved each seat's chance, in points of 100."""
    width = max(map(len, game.colours))
    heads = ("start", "set-up", "dice", "own play", "others", "end", "given away")
    yield "What moved it, in points of 100"
    yield f"  {'':{width}}" + "".join(f"{head:>12}" for head in heads)
    for colour, one in zip(game.colours, seats, strict=True):
        moved = (one.setup, one.dice, one.own, one.others)
        away = f"{100 * one.given_away:.0f} in {one.mistakes}"
        cells = [f"{100 * one.fair:.0f}", *map(points, moved), f"{100 * one.end:.0f}", away]
        yield f"  {colour:{width}}" + "".join(f"{cell:>12}" for cell in cells)
    yield "  given away: what better decisions would have kept, and in how many turns"


def moment_lines(game: Game, review: WinningReview) -> Iterator[str]:
    """The moments that decided the game, each in two or three lines and an empty one."""
    names = names_of(game)
    for number, one in enumerate(review.moments, 1):
        colour = game.colours[one.seat]
        said = action_sentence(colour, str(game.history[one.first]), names)
        yield f"{number}. Round {one.round}: {said}"
        if one.battle is not None:
            yield f"   {battle_line(one, names)}"
            yield f"   {changes_line(game, one)}"
        yield f"   {better_line(one, names)}"
        yield ""


def battle_line(one: DecidingMoment, names: dict[str, str]) -> str:
    """How a battle went, and how likely its success was."""
    battle = one.battle
    if battle is None:
        return ""
    target = names.get(battle.target, battle.target)
    went = f"{target} falls" if battle.taken else f"{target} holds out"
    rolls = numbered(battle.rolls, "roll")
    moved = f"the dice move {100 * one.weight:.0f} points"
    return f"{went} after {rolls}, odds {percent(battle.odds)}; {moved}"


def changes_line(game: Game, one: DecidingMoment) -> str:
    """The chances before and after that changed."""
    parts = [
        f"{colour} {percent(was)} -> {percent(now)}"
        for colour, was, now in zip(game.colours, one.before, one.after, strict=True)
        if abs(was - now) >= 0.01
    ]
    return ", ".join(parts) or "no chance changes by a point"


def better_line(one: DecidingMoment, names: dict[str, str]) -> str:
    """The better plan and its odds."""
    from rubicon.players.review.reason import reason_sentence

    judged = one.judgement
    if judged is None or judged.better is None or judged.reason is None:
        return "nothing clearly better was to be done"
    action = named_action(str(judged.better), names).replace(NO_BREAK, " ")
    why = reason_sentence(judged.reason, names).replace(NO_BREAK, " ")
    odds = f"{percent(judged.chance)} -> {percent(judged.better_chance)}"
    return f"better: {action} ({why}): {odds}"


def action_sentence(colour: str, action: str, names: dict[str, str]) -> str:
    """What was done, with names instead of ids."""
    named = named_action(action, names)
    match named.split(" "):
        case "attack", source, "->", target, *_:
            sentence = f"{colour} attacks {target} from {source}"
        case "occupy", armies:
            sentence = f"{colour} moves on with {numbered(int(armies), 'army', 'armies')}"
        case "end", what:
            sentence = f"{colour} ends the {what}"
        case _:
            sentence = decision_sentence(colour, named)
    return sentence.replace(NO_BREAK, " ")


def style_line(account: SeatAccount) -> str:
    """A line on how a seat played."""
    style = account.style
    return "; ".join(
        (
            f"{style.captures_a_turn:.1f} captures and {style.rolls_a_turn:.1f} rolls a turn",
            f"{style.cards:.1f} cards held",
            f"{numbered(style.continents_broken, 'continent')} broken",
            f"{numbered(style.eliminations, 'player')} eliminated",
            f"dice {points(account.dice)}",
        )
    )


def names_of(game: Game) -> dict[str, str]:
    """The names of territories and continents by id, without plain spaces."""
    board = game.ruleset.board
    names = {place.id: place.name for place in board.territories}
    names |= {continent.id: continent.name for continent in board.continents}
    return {key: name.replace(" ", NO_BREAK) for key, name in names.items()}


def percent(chance: float) -> str:
    """A chance in per cent; what is nearly certain is not called certain."""
    if 0.995 <= chance < 1.0:
        return "over 99 %"
    if 0.0 < chance < 0.005:
        return "under 1 %"
    return f"{100 * chance:.0f} %"


def points(share: float) -> str:
    """A change of a chance in points of 100, with its sign."""
    return f"{100 * share:+.0f}"
