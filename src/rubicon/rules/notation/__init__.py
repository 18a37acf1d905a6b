"""The exact text forms of the nouns: what is written is read back the same."""
