"""What `help` says: every word of the prompt in one or two sentences."""

from __future__ import annotations

import re

ORDERS = {
    "claim": "claim TERRITORY: put your first army on an empty territory.",
    "capital": "capital TERRITORY: found your capital, or choose your headquarters.",
    "deploy": (
        "deploy 3 TERRITORY, 2 TERRITORY: put armies on territories. `alaska 3` is enough; "
        "`deploy alaska` puts all that are left there."
    ),
    "seal": "seal: finish your hidden placement.",
    "trade": (
        "trade best: trade the set of cards that brings most. Or name the cards: "
        "trade alaska, brazil, wild1 on brazil. `on` says which pictured territory of yours "
        "gets the two extra armies."
    ),
    "attack": (
        "attack FROM > TO: roll once, with as many dice as possible. `dice 2` rolls fewer; "
        "`until won`, `until left 3` and `until odds < 60%` go on rolling; "
        "`attack alaska > kamchatka > japan` goes on along a path."
    ),
    "advance": "advance 3: move 3 armies into the captured territory; `advance` alone moves all.",
    "end": "end: end the attacks, or the turn. In full: `end attack`, `end turn`.",
    "fortify": (
        "fortify FROM > TO 3: move armies at the end of your turn; without a number, all but one."
    ),
    "defend": (
        "defend 2: roll 2 dice against the attack that waits. At any other time it is a standing "
        "order for later attacks: `defend max`, `defend 1 alaska`, `defend ask`."
    ),
    "objective": "objective OB07: claim an objective. `airfield TERRITORY` places an airfield.",
    "decline": "decline: claim no objective, or trade no further set.",
    "reveal": "reveal: show your completed mission and win, where the rules ask for it.",
    "resign": "resign confirm: leave the game for good.",
}

COMMANDS = {
    "map": "map [NAME]: draw the board, or list a territory's neighbours, or a continent.",
    "borders": "borders: your territories with the enemies beside them.",
    "legal": "legal [TERRITORY]: list what is possible now, or what involves one territory.",
    "hand": "hand: show your cards, your mission and your rewards.",
    "again": "again, or !: repeat your last attack.",
    "orders": (
        "orders [TEXT | FILE]: a whole turn at once, with conditions. Without a text, the lines "
        "that follow are read up to END or an empty line."
    ),
    "preview": "preview [TEXT | FILE]: the odds of orders; nothing is done.",
    "explain": "explain [TEXT | FILE]: orders in plain words; nothing is done.",
    "undo": "undo: take your last decision back; not past dice, cards or the end of a turn.",
    "log": "log [N]: show the last lines of the game again.",
    "rules": "rules: read the rulebook of this game.",
    "say": "say TEXT: a chat line to all at a server's table; `say blue: TEXT` to one seat.",
    "save": "save [FILE]: save the game, or save it in another file from now on.",
    "help": "help [WORD]: this list, or one word of it.",
    "quit": "quit: save and leave; `rubicon play --resume` continues the game.",
}

SHORTEST_MENTION = 3  # letters of a word that is looked for inside the texts

ALIASES = {
    "m": "map",
    "l": "legal",
    "moves": "legal",
    "cards": "hand",
    "!": "again",
    "u": "undo",
    "h": "help",
    "?": "help",
    "q": "quit",
    "exit": "quit",
}

NOTE = (
    "Words and names may be cut short (`dep ala 3`), `;` separates orders on one line, and Enter "
    "alone gives the order that the line above the prompt proposes. All orders: docs/orders.md."
)


def whole_word(word: str) -> str:
    """The command that an alias stands for; any other word in lower case."""
    word = word.lower()
    return ALIASES.get(word, word)


def help_lines(word: str) -> list[str]:
    """The list of all words, those that begin with `word`, or those whose help mentions it."""
    everything = ORDERS | COMMANDS
    if not word:
        orders = [f"  {text}" for text in brief(ORDERS)]
        commands = [f"  {text}" for text in brief(COMMANDS)]
        return ["Orders:", *orders, "Commands:", *commands, NOTE]
    word = whole_word(word)
    found = [text for name, text in everything.items() if name.startswith(word)]
    if not found and len(word) >= SHORTEST_MENTION:
        found = [text for text in everything.values() if word in re.findall(r"\w+", text.lower())]
    return found or [f"There is no word {word!r}. `help` lists all words."]


def brief(texts: dict[str, str]) -> list[str]:
    """The first sentence of each help text."""
    return [text.split(". ")[0].split("; ")[0].rstrip(".") + "." for text in texts.values()]
