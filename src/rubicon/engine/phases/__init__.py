"""One module for each phase of a turn and of the set-up."""
