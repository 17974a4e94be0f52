"""Rule sets and fouls as frozen, typed values, each with its clause.

Pure Python, standard library only. Computes no score.
"""
