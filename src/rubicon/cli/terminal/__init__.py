"""The terminal game of `rubicon play`: the prompt, the board as text, saved games."""
