"""The rules, stated once, as small compiled functions named as the rulebook names things."""
