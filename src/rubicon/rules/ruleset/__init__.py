"""A ruleset: one value for every option, on one board."""
