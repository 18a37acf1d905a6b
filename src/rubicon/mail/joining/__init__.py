"""How somebody without an account takes a seat by e-mail alone."""
