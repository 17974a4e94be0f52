"""Files that organisers bring: players and results from xlsx and csv, as rows with a verdict each.

Pure functions from bytes to frozen rows; they never touch the database, and they word nothing: a problem is a code with
parameters.
"""
