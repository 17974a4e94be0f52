"""The relay on the internet: what the hall sends, and what the relay shows of it."""
