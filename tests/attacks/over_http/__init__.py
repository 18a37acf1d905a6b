"""The same attacks on the wire: a real server on a port, and the Python client as it is."""
