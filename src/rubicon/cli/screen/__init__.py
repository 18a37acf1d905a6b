"""The full-screen game of `rubicon play`: the map, the panels, the prompt, the keys."""
