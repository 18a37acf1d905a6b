"""What the players have put to one another: open votes, and who has said that they are away."""

from __future__ import annotations

from collections.abc import Iterator

from rubicon.mail.writing.layout.document import Panel, Paragraph, Strong, Words
from rubicon.mail.writing.scene import Scene
from rubicon.mail.writing.times import LocalTime
from rubicon.wording import listed

# By motion: what it is for, and the words that agree.
MOTIONS = {
    "draw": ("a draw", "VOTE DRAW CONFIRM"),
    "pause": ("a pause", "VOTE PAUSE"),
    "resume": ("the end of the pause", "VOTE PAUSE"),
    "extend": ("more time for everybody who is asked", "VOTE EXTEND"),
}


def table_panel(scene: Scene) -> Panel:
    """Who plays by e-mail alone learns of it here; a panel without blocks where nothing is open."""
    blocks = (*_votes(scene), *_absences(scene))
    return Panel(tuple(Paragraph(words, bullet=True) for words in blocks), "At the table")


def _votes(scene: Scene) -> Iterator[Words]:
    for motion, seats in sorted(scene.snapshot.votes.items()):
        mine = scene.you in seats
        others = [scene.seats.subject(seat) for seat in sorted(seats) if seat != scene.you]
        voters = [*(["You"] if mine else []), *others]
        verb = "votes" if others and len(voters) == 1 else "vote"
        what, agree = _motion(scene, motion)
        said = f"{listed(voters)} {verb} for {what}."
        yield said if mine or scene.is_master else (f"{said} To agree, reply ", Strong(agree), ".")


def _motion(scene: Scene, motion: str) -> tuple[str, str]:
    kind, _, of = motion.partition(" ")
    if kind == "replace":
        return f"a stand-in for {scene.seats.name(of)}", f"REPLACE {of} CONFIRM"
    if kind == "fork":
        return f"a new game from line {of} of the log", f"FORK {of} CONFIRM"
    return MOTIONS.get(motion, (f"'{motion}'", f"VOTE {motion.upper()}"))


def _absences(scene: Scene) -> Iterator[Words]:
    for seat, until in sorted(scene.snapshot.away.items()):
        who = scene.seats.subject(seat)
        verb = "have" if seat == scene.you else "has"
        yield f"{who} {verb} announced an absence, until {LocalTime(until, scene.zone_name)}."
