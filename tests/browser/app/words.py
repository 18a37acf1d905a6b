"""What the app's page says, in English, where the tests look for it: the words stand here alone."""

from __future__ import annotations

import re

PLAY_NOW = re.compile(r"^Play now")
MAP = "Map"
SEATS = "Players in turn order"
# Buttons of a turn, by the beginnings of their names: hints of keys and numbers follow.
PLACED = re.compile(r"^Place (and attack|like this)")
ALL_ON_ONE = re.compile(r"^All on one")
SPREAD = re.compile(r"^Spread (all )?evenly")
ATTACK = re.compile(r"^Attack ")
ROLL_ONCE = re.compile(r"^Roll once")
END_ATTACK = re.compile(r"^End attack")
MOVE_IN = re.compile(r"^Move \d+ in")
FORTIFY = re.compile(r"^Move \d+")
END_TURN = re.compile(r"^End turn")
TRADE = re.compile(r"^Trade")
NOT_NOW = re.compile(r"^Not now")
CLAIM = re.compile(r"^Claim$")
AIRFIELD_PLACE = "Tap one of your territories for the airfield."
CLAIM_AIRFIELD = re.compile(r"^Claim, airfield in ")
CAPITAL = re.compile(r"^Choose ")
DEFEND = re.compile(r"^[12] (die|dice)$")
UNDO = re.compile(r"^Undo")
TO_THE_END = "To the end"
STOP = "Stop the attack"
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
NO_MORE_HINTS = "No more hints"
WHOLE_MAP = "Show the whole map"
LOST = re.compile(r"^Connection lost")
DICE_IN = re.compile(r"Dice sealed|dice with your randomness")
START_PAGE = "Start page"
# The pages around a game.
AGAINST_TWO = re.compile(r"^Play now against 2 bots")
OPPONENTS = "Opponents"
BOTS = "Bots"
ONE_BY_ONE = "One by one"
SECOND_OPPONENT = "Opponent 2"
RANDOM = "Random"
RETRY = "Try now"
AWAY = "The server cannot be reached."
THREE_PILES = "Three piles"
OPEN_TABLE = "Open the table"
AS_IN_THE_BOOK = "Territories: as in the book"
SAME_AS_LAST_TIME = re.compile(r"^Same as last time")
YOUR_NAME = "Your name"
START_WITH_FOUR = "Start with 1 player and 3 bots"
START_WITH_TWO = "Start with 2 players"
WITH_THESE = re.compile(r"^Start with these 3 alone")
CHANGE = "Change"
KEEP_CHANGES = "Keep the changes"
REMATCH = "Rematch"
SIGN_OUT = "Sign out here"
NOBODY = "Nobody plays here yet"
ADD_PASSKEY = "Add a passkey"
PASSKEY_NAME = "Name of the passkey"
PASSKEYS = "Passkeys"
SIGN_IN_WITH_PASSKEY = "Sign in with a passkey"
NO_PASSKEY = "No passkey yet."
ADMIN_TOKEN = "Admin token"
SHOW_SERVER = "Show the server"
NO_REPORTS = "Nothing is reported."
PASS_AND_PLAY = "Pass and play"
PLAYER_NAME = "Name of player {}"
START_GAME = "Start the game"
I_AM = "I am {}"
PASS_ON = "Pass on"
REMOVE = "Remove"
