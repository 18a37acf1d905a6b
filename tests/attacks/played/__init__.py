"""Each attack as a function that plays it, and says what the attacker got out of it."""
