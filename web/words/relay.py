"""Words about the relay: at the hall's desk that sends, and at the one that shows."""
