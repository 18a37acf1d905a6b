"""Matches between players: blocks of games, win shares with intervals, ratings, reports."""
