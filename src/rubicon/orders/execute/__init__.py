"""Executes orders, one atomic action at a time."""
