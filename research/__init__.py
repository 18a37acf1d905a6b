"""How the value model of the strongest bots is made and measured; nothing in `rubicon` uses it."""
