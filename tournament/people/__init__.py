"""One human being over all events: who is the same person, and who is not."""
