"""The exact mathematics of battles and campaigns: chances, losses, how many armies it takes."""
