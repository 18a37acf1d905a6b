"""The planner: it plays several plans to the end of the round in its mind, and values the outcomes."""
