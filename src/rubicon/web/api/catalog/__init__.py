"""What a table can be opened with: boards, rulesets, options, settings, bots; and exact odds."""
