"""The HTTP protocol: connections, limits, identity, errors."""
