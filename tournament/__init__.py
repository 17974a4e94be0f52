"""The event: its people, draws, ledgers, sheets, penalties and audit trail, and the verbs on them.

No wording and no requests here; hands are valued by `scoring`, under rule sets of `rules`.
"""
