"""The readers that pages use: a constant number of queries each, small frozen rows out, nothing derived kept."""
