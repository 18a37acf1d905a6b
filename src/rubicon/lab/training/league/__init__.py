"""The league that trains the value model: `python -m rubicon.lab.training.league --help`."""
