"""The words of the game in the terminal, and what `help` says about each."""

from __future__ import annotations

COMMANDS = {
    "map": "map [TERRITORY]: draw the board, or list a territory's neighbours.",
    "legal": "legal [TERRITORY]: what may be done now, or what has to do with one territory.",
    "hand": "hand: your cards, your mission, your rewards.",
    "again": "again, or !: roll the last attack again.",
    "orders": (
        "orders [TEXT | FILE]: a whole turn at once, with conditions; without a text the next "
        "lines, up to END or an empty one. A line with UNTIL, IF or two arrows is one by itself."
    ),
    "preview": "preview [TEXT | FILE]: the odds of orders; nothing is done.",
    "explain": "explain [TEXT | FILE]: orders in plain words; nothing is done.",
    "undo": "undo: take your last decision back; never past dice, cards or a turn handed over.",
    "log": "log [N]: the last lines of what has happened.",
    "rules": "rules: the rulebook of this game.",
    "save": "save [FILE]: write the game to its file, or from now on to another.",
    "help": "help [WORD]: this list, or more about one word.",
    "quit": "quit: save and leave; `rubicon play --resume FILE` goes on.",
}

ACTIONS = {
    "claim": "claim TERRITORY: put your first army on an empty territory.",
    "capital": "capital TERRITORY: found your capital, or choose your headquarters.",
    "place": "place TERRITORY [N]: put armies on a territory; all of them where N is left out.",
    "seal": "seal: your hidden placement is finished.",
    "trade": (
        "trade CARD CARD CARD [on TERRITORY]: trade a set for armies; `trade` alone where there "
        "is one set only. `on` says which pictured territory gets the two armies. In revised "
        "games `trade` turns in the cards on offer."
    ),
    "offer": "offer CARD: lay a card down for a trade in stars.",
    "withdraw": "withdraw: take the cards on offer back.",
    "attack": (
        "attack FROM > TO [dice N]: one roll; as many dice as possible where N is left out. "
        "`attack TO from FROM` says the same, and `att kam from ala 3` is enough."
    ),
    "occupy": "occupy [N]: move armies into the captured territory; most where N is left out.",
    "end": "end: stop attacking, or end the turn; in full `end attack`, `end turn`.",
    "defend": "defend [N]: roll so many dice for the defence; most where N is left out.",
    "objective": "objective OB07 [airfield TERRITORY]: claim an objective and its reward.",
    "decline": "decline: claim nothing, or trade no further set.",
    "fortify": "fortify FROM > TO [N]: move armies; all but one where N is left out.",
    "standing": (
        "standing [TERRITORY] 1|2|max|none: how many dice defend unasked, everywhere or on one "
        "territory; none: you are asked."
    ),
    "resign": "resign COLOUR: leave the game for good; your own colour shows that you mean it.",
    "reveal": "reveal: show your completed mission and win, where the rules ask for it.",
}

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
    "Names and words may be cut short (`pl ala 3`), `;` separates what is done one after the "
    "other, and Enter alone does what is left to do where there is no choice."
)


def whole_command(word: str) -> str:
    """A word that is no action in full; any other word as it is."""
    word = word.lower()
    return ALIASES.get(word, word)


def help_lines(word: str) -> list[str]:
    """What `help` says: the list of words, or the words that begin like one."""
    everything = ACTIONS | COMMANDS
    if not word:
        listed = ["You decide with:", *(f"  {text}" for text in brief(ACTIONS))]
        return [
            *listed,
            "You look and go about with:",
            *(f"  {t}" for t in COMMANDS.values()),
            NOTE,
        ]
    word = whole_command(word)
    found = [text for name, text in everything.items() if name.startswith(word)]
    return found or [f"There is no word {word!r}. `help` lists all of them."]


def brief(texts: dict[str, str]) -> list[str]:
    """The form of each word, without the explanation's details."""
    return [text.split(". ")[0].split("; ")[0].rstrip(".") + "." for text in texts.values()]
