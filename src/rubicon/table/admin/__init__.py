"""Backup, audit, export and import."""
