"""The end of a game on the full screen: the summary, and the chances to win, round by round."""
