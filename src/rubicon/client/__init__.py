"""A small typed client of the HTTP API.

from rubicon.client import Client

with Client("http://127.0.0.1:8042") as client:
    client.guest("Ann")
    game = client.open_table(seats=3, bots={1: "greedy", 2: "greedy"})["game"]
    client.take_part(game)  # in the dice: it need not trust the server
    client.start(game)
    while (turn := client.wait(game)) is not None:
        client.submit(game, turn.decision, turn.legal[0])
"""

from rubicon.client.answers import ApiError as ApiError
from rubicon.client.answers import DiceAlarm as DiceAlarm
from rubicon.client.client import Client as Client
from rubicon.client.client import Turn as Turn
from rubicon.client.dice import DicePart as DicePart
