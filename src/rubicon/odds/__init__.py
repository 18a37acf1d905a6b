"""Exact odds of battles and campaigns: chances, losses, the armies that a chance takes."""
