"""The review of a finished game: winning chances, what decisions and dice did, better plans."""
