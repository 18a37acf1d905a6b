"""The HTTP API and its live stream: a door of the host."""
