"""The terminal: `rubicon` and its commands."""
