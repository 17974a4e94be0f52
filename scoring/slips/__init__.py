"""Slips: what was most likely typed wrong where the hands of a game do not give what the paper says."""
