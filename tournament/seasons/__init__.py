"""Seasons: many events to one table."""
