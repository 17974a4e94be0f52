"""Reads for pages and files: a constant number of queries each, small frozen rows out."""
