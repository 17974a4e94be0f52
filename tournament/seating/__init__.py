"""Who sits where in every round: schedules for tables of three and four, with a report that counts them again.

Pure Python: knows numbers only, no people, no database, no Django. `draw.draw_schedule` is the way in.
"""
