"""The rulebook of a ruleset, written from its options."""
