"""The rules, stated once: compiled procedures over one record. No text and no randomness."""
