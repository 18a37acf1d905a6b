"""What HELP answers: every word of an e-mail with an example that can be sent as it is."""

from __future__ import annotations

from rubicon.orders.parse.verbs import MEANINGS

HELP: dict[str, str] = {
    "CLAIM": "CLAIM alaska, brazil: take the first of these that is free, in the set-up.",
    "DEPLOY": "DEPLOY 3 alaska, REST kamchatka: put armies on your territories.",
    "TRADE": "TRADE BEST: trade the set of cards that brings most. Or name three cards.",
    "ATTACK": (
        "ATTACK alaska -> kamchatka UNTIL LEFT 3: attack until you have won or have 3 armies left. "
        "Also UNTIL WON, ODDS < 60 %, ROUNDS 2, LOST 4; DICE 2 rolls fewer dice; ADVANCE ALL moves "
        "all in. ATTACK alaska -> kamchatka -> japan goes on along a way."
    ),
    "IF": "IF WON kamchatka: FORTIFY alaska -> kamchatka ALL BUT 1",
    "FORTIFY": "FORTIFY alaska -> kamchatka 3: move armies at the end of your turn.",
    "DEFEND": "DEFEND 1 alaska: defend with one die from now on. DEFEND MAX; DEFEND ASK asks you.",
    "OBJECTIVE": "OBJECTIVE OB07: claim an objective, where the rules have them.",
    "CAPITAL": "CAPITAL alaska: found your capital, or choose your headquarters.",
    "DECLINE": "DECLINE: claim no objective, or trade no further set.",
    "SEAL": "SEAL: finish your hidden placement.",
    "REVEAL": "REVEAL: show your completed mission.",
    "END": "END: end your turn. What stands below it is not read, but for PREVIEW.",
    "PREVIEW": "PREVIEW beside orders: their odds. Nothing is carried out.",
    "STATUS": "STATUS: whom the game waits for, and everybody's armies.",
    "MAP": "MAP, or MAP alaska: the map, or the neighbours of a territory.",
    "LEGAL": "LEGAL: what is possible now.",
    "HAND": "HAND: your cards, and what else only you may see.",
    "HISTORY": "HISTORY 20: the last 20 events; HISTORY alone: since your last turn.",
    "RULES": "RULES: the rulebook of this game.",
    "UNDO": "UNDO: take your last decision back; never past a die, a card or the turn's end.",
    "VOTE": "VOTE EXTEND, VOTE PAUSE or VOTE DRAW CONFIRM: for more time, a pause, a draw.",
    "REPLACE": "REPLACE blue CONFIRM: vote for a stand-in for a player whose time is over.",
    "FORK": "FORK 120 CONFIRM: vote for a new game from line 120 of the log.",
    "ABSENCE": "ABSENCE 2026-12-24 2026-12-31 BOT medium: a bot plays for you on these days.",
    "PRESS": "PRESS TO blue, then your words on lines below, then ENDPRESS. Also TO ALL, TO GM.",
    "ADDRESS": "ADDRESS ann@example.org: play from another address. Both get a code.",
    "TIMEZONE": "TIMEZONE Europe/Berlin: your time, for all your games.",
    "NEWS": (
        "NEWS DIGEST: awards and dice of others in one e-mail a day. NEWS AT-ONCE: one by one. "
        "NEWS NEVER: none. For all your games."
    ),
    "QUIET": "QUIET 22:00 07:00: no e-mail at these hours of your time. QUIET OFF ends it.",
    "RESIGN": "RESIGN CONFIRM: leave the game for good. You get a code.",
    "CONFIRM": "CONFIRM K7RT-29QM: what the e-mail with this code asks.",
}
MASTER_HELP = (
    "For game masters: EXTEND 12 HOURS, PROCESS, BOT blue medium, REPLACE blue CONFIRM, UNDO, "
    "ANNOUNCE words, FORK 120 CONFIRM."
)


def help_lines(word: str | None) -> tuple[str, ...]:
    """The line of one word, or of all."""
    if word is None:
        return (*HELP.values(), MASTER_HELP, "One order a line. // begins a comment.")
    asked = word.strip().casefold()
    verb = "ADDRESS" if asked == "address" else MEANINGS.get(asked, asked.upper())
    return (HELP.get(verb, f"There is no help about {word[:20]!r}. HELP alone lists all."),)
