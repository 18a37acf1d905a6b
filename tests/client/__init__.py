"""The client of the HTTP API, against servers that are broken or hostile."""
