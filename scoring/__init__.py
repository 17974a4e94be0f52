"""What a result is worth: pure functions from entries and a rule set to points, places and standings.

It never reads a database, a clock or a request, and no sum in it assumes how many play.
"""
