"""How the planner's value model is made: `python -m rubicon.lab.training --help`."""
