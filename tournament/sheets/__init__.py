"""Paper: seating lists, report sheets, all-last sheets and standings as PDF.

Pure from rows to bytes: nothing here reads the database, the network or the clock.
"""
