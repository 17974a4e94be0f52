"""A season in teams: line-ups that stay sealed until a table is complete, and a table by team."""
