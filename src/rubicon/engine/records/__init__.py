"""The NumPy records that procedures work on, and the integers that actions are written as."""
