"""The verbs: the only code that writes. One verb, one transaction, one audit row, one step of the event's version."""
