"""Damaged input by the thousand for everything that reads what is sent to the desk; see docs/developer/trust.md."""
