"""Verbs of players on their own phones: signing a finished game."""
