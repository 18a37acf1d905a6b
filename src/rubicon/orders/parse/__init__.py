"""From any text to orders, or to everything that is wrong with it.

Where it is loaded, `parse_action` and so `Game.play` read what people type.
"""

from rubicon.orders.parse.action import read_action
from rubicon.rules.notation.actions import read_typed_actions_with

read_typed_actions_with(read_action)
