"""The relay on the Internet: what the hall sends, and what the relay shows of it."""
