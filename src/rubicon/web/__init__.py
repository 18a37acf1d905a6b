"""The HTTP API, its event stream and the HTML pages."""
