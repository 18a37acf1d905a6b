"""Explains orders in plain English."""
