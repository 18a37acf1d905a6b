"""How the strategist's value model is made: `python -m rubicon.lab.training --help`."""
