"""The planner: it plays several plans on in its mind, and judges what comes of them."""
