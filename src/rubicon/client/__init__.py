"""A small typed client of the HTTP API.

from rubicon.client import Client

with Client("http://127.0.0.1:8042") as client:
    client.guest("Ann")
    game = client.open_table(seats=3, bots={1: "greedy", 2: "greedy"})["game"]
    client.start(game)
    while (turn := client.wait(game)) is not None:
        client.submit(game, turn.decision, turn.legal[0])
"""

from rubicon.client.client import Client as Client
from rubicon.client.client import Turn as Turn
from rubicon.client.entropy import Entropy as Entropy
from rubicon.client.errors import ApiError as ApiError
