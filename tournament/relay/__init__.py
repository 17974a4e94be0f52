"""What a hall's desk sends to a relay on the Internet, as messages."""
