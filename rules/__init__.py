"""What the books say: rule sets as frozen, typed values with the clause of each.

Pure Python. It never computes a score, never touches a table and never asks who is looking.
"""
