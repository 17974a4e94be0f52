"""Files that organisers bring: players, results, penalties, schedules and games, read row by row with a verdict each.

Pure functions from bytes to frozen rows, without the database. A problem is a code with parameters; web words it.
"""
