"""One hosted game in memory: what its event log says."""
