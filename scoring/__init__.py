"""Scoring: pure functions from entries and a rule set to points, places and standings.

Reads no database, clock or request, and assumes no number of players.
"""
