"""What the app's page says, in English, where the tests look for it: the words stand here alone."""

from __future__ import annotations

import re

PLAY_NOW = re.compile(r"^Play now")
MAP = "Map"
SEATS = "Players in turn order"
# Buttons of a turn, by the beginnings of their names: hints of keys and numbers follow.
PLACED = re.compile(r"^Place and attack")
ALL_ON_ONE = re.compile(r"^All on one")
SPREAD = re.compile(r"^Spread all evenly")
SPREAD_EVENLY = "Spread evenly"
DONE_PLACING = "Done placing"
ATTACK = re.compile(r"^Attack ")
ROLL_ONCE = re.compile(r"^Roll once")
END_ATTACK = re.compile(r"^End attack")
MOVE_IN = re.compile(r"^Move \d+ in")
FORTIFY = re.compile(r"^Move \d+")
END_TURN = re.compile(r"^End turn")
TRADE = re.compile(r"^Trade")
NOT_NOW = re.compile(r"^Not now")
CLAIM = re.compile(r"^Claim$")
CAPITAL = re.compile(r"^Choose ")
DEFEND = re.compile(r"^[12] (die|dice)$")
UNDO = re.compile(r"^Undo")
TO_THE_END = "To the end"
ORDERS = "Your orders"
IN_WORDS = "In plain words"
OUTCOMES = "Possible outcomes"
TAKE_CORRECTED = "Take the corrected text"
WRITE_ON = "Write more orders"
DEFEND_WITH = "Defend with"
ANNOUNCE_ABSENCE = "Announce an absence"
ANNOUNCE = "Announce"
BACK = "I am back"
NEXT_BY_TAB = "What may come next"
CHAT = re.compile(r"^Chat")
SAY = "Say something"
SEND = "Send"
WINS = re.compile(r" wins$|^A draw$")
YOURS = re.compile(r"^[^,]+, yours, ")
YOUR_TURN = re.compile(r"^● ")
LOST = re.compile(r"^Connection lost")
START_PAGE = "Start page"
PASS_AND_PLAY = "Pass and play"
PLAYER_NAME = "Name of player {}"
START_GAME = "Start the game"
I_AM = "I am {}"
PASS_ON = "Pass on"
NO_HINTS = "No more hints"
REMOVE = "Remove"
