"""The nouns of the game: boards, options, rulesets, games, records, and their exact text forms."""
