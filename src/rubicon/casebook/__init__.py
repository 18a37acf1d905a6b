"""Rule cases: a position, actions, and expectations, as text that is run against the engine."""
