"""Endpoints for the operator: health and metrics."""
