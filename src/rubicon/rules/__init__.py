"""The game: boards, rulesets, positions and the procedures that change them."""
